"""The handouts dialog: its options, presets and preview."""
