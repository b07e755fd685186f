"""Damage and its consequences: the roll, dropping to 0 hit points, death saves, recovery."""
