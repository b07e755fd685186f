"""A stat block in words, in the game's own order: the text for the window and the handouts."""
