"""Commands for surprise and initiative, one module each: the command and its handler."""
