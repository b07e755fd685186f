"""Reads the 5e-bits database: stat block heads, features and multiattacks."""
