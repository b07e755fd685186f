"""The Journal panel: a list of all events of the fight, and a field for notes."""
