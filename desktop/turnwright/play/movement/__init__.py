"""Movement: walking a path, standing and dropping prone, falling, forced movement, mounting."""
