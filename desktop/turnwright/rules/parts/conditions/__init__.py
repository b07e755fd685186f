"""Conditions, the predicates of data rules and what an action requires."""
