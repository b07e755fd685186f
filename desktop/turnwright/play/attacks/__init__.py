"""Attacks from declaration to damage, and features that call for saves."""
