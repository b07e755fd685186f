"""Reads Improved Initiative files: stat blocks and encounters."""
