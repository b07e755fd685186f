"""Item models: rows with ids of their own, brought up to date by what changed, never rebuilt in one go without need."""
