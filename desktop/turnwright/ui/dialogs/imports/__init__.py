"""Dialogs for imports, pasted text and findings."""
