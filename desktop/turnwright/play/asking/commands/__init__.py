"""Commands that answer prompts and call for group checks, one module each: the record and its handler."""
