"""Changes to single records that every mechanic uses: hit points, effects, tracks, resources, positions, reactions."""
