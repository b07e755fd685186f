"""The reader of 5etools bestiaries and homebrew: tags, entries, copied creatures, and the creatures themselves."""
