"""Commands of setup, a module each: the record and its handler."""
