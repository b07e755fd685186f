"""Commands of asking, a module each: the record and its handler."""
