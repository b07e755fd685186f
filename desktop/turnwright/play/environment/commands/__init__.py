"""Commands of environment, a module each: the record and its handler."""
