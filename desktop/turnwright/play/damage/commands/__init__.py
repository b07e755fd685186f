"""Commands of damage, a module each: the record and its handler."""
