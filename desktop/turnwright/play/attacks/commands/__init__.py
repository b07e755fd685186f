"""Commands of attacks, a module each: the record and its handler."""
