"""Damage and what follows from it: the roll, dropping to 0 hit points, death saves, recovery."""
