"""Item models. Their rows have ids, and are updated individually after each change instead of being reset."""
