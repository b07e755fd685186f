"""Rules of environments: areas, entries in play, scene effects."""
