"""Commands of movement, one module each: the record and its handler."""
