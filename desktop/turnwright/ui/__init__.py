"""The window: all widgets. Docks show the encounter; changes go through the document model as commands.

No rule is decided here, and no text of a game stands here: numbers come from `workspace`, words from the word
catalogue.
"""
