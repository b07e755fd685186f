"""Rule systems: each is shared parts over its own data. Nothing here names a particular game."""
