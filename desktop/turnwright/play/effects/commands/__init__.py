"""Commands that begin, change and end effects by hand, one module each: the record and its handler."""
