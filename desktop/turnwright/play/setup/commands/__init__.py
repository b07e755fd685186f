"""Commands that prepare and start an encounter. Each module contains a command and its handler."""
