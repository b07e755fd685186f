"""Commands of effects, a module each: the record and its handler."""
