"""Dice: roll expressions, rolls that keep every die and every reason, sources of faces, exact distributions.

The lowest layer of the package: it imports no creature, no rule and no window.
"""
