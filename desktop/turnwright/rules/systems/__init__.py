"""The rule systems, one package each. No system imports another: what two share lives in `rules.parts`."""
