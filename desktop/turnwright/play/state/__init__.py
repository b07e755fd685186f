"""Record changes that every mechanic uses: hit points, effects, tracks, resources, positions, reactions."""
