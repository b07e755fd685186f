"""Dialogs of the library: comparing, keeping and resting parties, variants."""
