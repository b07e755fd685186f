"""The journal dock: the list of everything that happened in the fight, with filters and search."""
