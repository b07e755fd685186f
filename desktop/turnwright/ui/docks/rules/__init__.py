"""The rules panel: searches and shows the rule texts of the rule system."""
