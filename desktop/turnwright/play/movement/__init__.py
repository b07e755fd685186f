"""Movement: paths, standing up and dropping prone, falling, forced movement, mounting."""
