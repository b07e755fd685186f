"""Ability checks, passive scores and degrees of success."""
