"""Dice: roll expressions, rolls that record every die and reason, sources of faces, and exact distributions.

This is the lowest layer of the package. It doesn't import creatures, rules or windows.
"""
