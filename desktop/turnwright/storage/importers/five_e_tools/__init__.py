"""The reader of 5etools' bestiaries and homebrew: tags, entries, copies with changes, and the creatures themselves."""
