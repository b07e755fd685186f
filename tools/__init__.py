"""Tools for development that are not part of the program."""
