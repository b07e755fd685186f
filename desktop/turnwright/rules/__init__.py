"""Rule systems: each is a record of shared parts plus data. Only `rules.systems` names a particular game."""
