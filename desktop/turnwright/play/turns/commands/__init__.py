"""Commands for turns, one module each: the command and its handler."""
