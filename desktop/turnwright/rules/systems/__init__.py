"""One package a rule system. No system imports another: what two share lives in `rules.parts`."""
