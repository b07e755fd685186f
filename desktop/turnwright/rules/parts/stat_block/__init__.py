"""A stat block in words, in the order of its game: the text that the window shows and the handouts print."""
