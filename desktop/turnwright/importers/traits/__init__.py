"""The trait catalogue: sentence templates, and the feature fields that each of them sets."""
