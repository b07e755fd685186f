"""Dice: expressions, rolls that keep every die and every reason, sources of faces, exact distributions.

The lowest room of the house: it knows no creature, no rule and no window.
"""
