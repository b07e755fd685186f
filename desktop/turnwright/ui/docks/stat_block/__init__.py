"""The stat block panel: the selected creature laid out as in a rule book, with its rolls and limited uses."""
