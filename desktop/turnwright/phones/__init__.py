"""The web page on which players follow a fight on their phones; it gets finished views and no other data."""
