"""Preparing, starting and resetting an encounter."""
