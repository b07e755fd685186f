"""The Players panel: a preview of the players' screen, and its settings."""
