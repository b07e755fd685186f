"""Commands that set positions, relations, stats and resources by hand, one module each: the command and its handler."""
