"""The roster dock: the encounter in preparation, its sides, waves, setting and budget."""
