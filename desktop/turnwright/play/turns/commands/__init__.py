"""Commands for turns. Each module contains a command and its handler."""
