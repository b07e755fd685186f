"""Commands for environments, one module each: the command and its handler."""
