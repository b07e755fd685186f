"""Drawing of the map: ground, light, walls, tokens and temporary graphics."""
