"""Commands of state, a module each: the record and its handler."""
