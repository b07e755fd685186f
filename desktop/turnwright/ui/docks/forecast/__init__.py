"""The forecast dock: a sentence first, then who falls, then what is left out."""
