"""Commands for actions, one module each: the command and its handler."""
