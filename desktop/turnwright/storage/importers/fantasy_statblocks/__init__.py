"""Reads Obsidian's stat blocks and encounters: notes, blocks that extend others, creatures of two games."""
