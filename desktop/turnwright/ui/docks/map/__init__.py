"""The map: the grid with its ground, walls and areas, who stands on it, how they move and whom they aim at."""
