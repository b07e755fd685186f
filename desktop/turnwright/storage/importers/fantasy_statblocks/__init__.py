"""The reader of Obsidian's stat blocks: notes taken apart, blocks that extend others, two games' creatures, encounters."""
