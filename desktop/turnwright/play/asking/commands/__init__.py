"""Commands that answer prompts or call for group checks, one module each: the command and its handler."""
