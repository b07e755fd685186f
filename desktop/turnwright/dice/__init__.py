"""Dice: roll expressions, rolls that record every die and every reason, sources of faces, and exact distributions.

This is the lowest layer of the package: it imports no creature, rule or window.
"""
