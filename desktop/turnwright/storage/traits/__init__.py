"""The trait catalogue: templates of sentences, and the feature fields that each of them sets."""
