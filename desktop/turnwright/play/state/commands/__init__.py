"""Commands that set positions, relations, stats and resources by hand. Each module has a command and its handler."""
