"""Dialogs of the main window, such as the command palette, the list of keys, handouts, imports and manual commands."""
