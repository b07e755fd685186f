"""Commands for damage, one module each: the command and its handler."""
