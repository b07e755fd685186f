"""The Library panel: search and filter creatures, environments, parties and encounters, and add them to the encounter."""
