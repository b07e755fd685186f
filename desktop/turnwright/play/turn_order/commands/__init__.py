"""Commands of the turn order, a module each: the record and its handler."""
