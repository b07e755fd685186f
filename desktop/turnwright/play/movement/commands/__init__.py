"""Movement commands. Each module contains a command and its handler."""
