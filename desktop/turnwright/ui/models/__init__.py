"""Item models: rows with ids, updated for each change and seldom reset as a whole."""
