"""The catalogue of traits: templates of whole sentences, and the fields of a feature that each of them gives."""
