"""A stat block in words, in the order of its game: what the window shows, and what is printed."""
