"""Code shared by the readers of the 5e family: a stat block as lines of text, and its conversion to a creature."""
