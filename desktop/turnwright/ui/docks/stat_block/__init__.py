"""The stat block dock: the selected creature as in a rule book, with its rolls and limited uses."""
