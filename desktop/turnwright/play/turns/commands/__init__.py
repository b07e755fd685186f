"""Commands of turns, a module each: the record and its handler."""
