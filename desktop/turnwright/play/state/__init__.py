"""Record changes shared by all mechanics: hit points, effects, tracks, resources, positions, reactions."""
