"""Dialogs of the window: the command palette, the list of keys, handouts, imports and manual commands."""
