"""Commands of actions, a module each: the record and its handler."""
