"""Commands for attacks, one module each: the command and its handler."""
