"""Item models: rows with ids, updated by what has changed and seldom reset as a whole."""
