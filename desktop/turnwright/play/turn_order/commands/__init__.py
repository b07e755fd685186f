"""Commands of surprise and initiative, one module each: the record and its handler."""
