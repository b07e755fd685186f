"""Commands for movement, one module each: the command and its handler."""
