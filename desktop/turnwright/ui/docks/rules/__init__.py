"""The rules dock: the rule texts of the system, searched and browsed."""
