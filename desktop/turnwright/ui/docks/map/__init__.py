"""The Map panel: grid, terrain and obstacles, tokens, their moves and the targets of attacks."""
