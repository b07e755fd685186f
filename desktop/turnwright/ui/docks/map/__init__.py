"""The Map panel: grid, terrain, obstacles, tokens, moves and attack targets."""
