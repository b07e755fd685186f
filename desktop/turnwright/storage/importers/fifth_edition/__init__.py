"""Shared by the readers of the 5e family: a stat block as lines of text, and the creature of one."""
