"""Commands that begin, change and end effects by hand, one module each: the command and its handler."""
