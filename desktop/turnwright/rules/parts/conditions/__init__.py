"""Conditions, the predicates of data rules and the requirements of actions."""
