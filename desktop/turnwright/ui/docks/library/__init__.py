"""The Library panel: searches and filters creatures, environments, parties and encounters, and adds them."""
