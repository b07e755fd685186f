"""Builders for the parts of the fight sheet; each asks the rules about one subject."""
