"""Forms for the actions of a turn."""
