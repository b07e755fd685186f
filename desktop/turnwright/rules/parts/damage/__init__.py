"""Damage rules: adjusting damage, and dying."""
