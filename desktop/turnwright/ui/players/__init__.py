"""The players' window. It only has access to information that players may see."""
