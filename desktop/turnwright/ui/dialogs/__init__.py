"""Small windows of their own: the palette of everything that can be done, the list of keys, settings, first steps."""
