"""Commands for surprise and initiative. Each module contains a command and its handler."""
