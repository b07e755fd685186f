"""The Encounter panel: the prepared encounter's sides, waves, setting and budget."""
