"""Commands that set positions, relations, stats and resources by hand. Each module contains a command and its handler."""
