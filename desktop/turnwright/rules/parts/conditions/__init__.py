"""Conditions, the statements of data rules, and the requirements of actions."""
