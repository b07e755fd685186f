"""Commands that prepare an encounter and start it, one module each: the command and its handler."""
