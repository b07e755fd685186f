"""Reads pasted stat blocks: 5e, A5E and Pathfinder 2e as plain text, Markdown, Homebrewery and GM Binder."""
