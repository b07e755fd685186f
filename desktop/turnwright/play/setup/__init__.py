"""Preparing an encounter, starting it and ending it."""
