"""Commands of spawning, a module each: the record and its handler."""
