"""The Encounter panel: the encounter in preparation with its sides, waves, setting and budget."""
