"""Damage rules: adjustment, dying, status damage."""
