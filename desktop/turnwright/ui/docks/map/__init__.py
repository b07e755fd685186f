"""The map dock: grid, terrain and obstacles, tokens, their moves and the targets of attacks."""
