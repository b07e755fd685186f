"""Commands of movement, a module each: the record and its handler."""
