"""Rule systems: shared parts that work on each game's data. Nothing here names a particular game."""
