"""The text of a stat block, in the game's own order, for the window and the handouts."""
