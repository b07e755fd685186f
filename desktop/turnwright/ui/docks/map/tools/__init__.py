"""The tools of the map: drawing, fog, lines, selecting, moving, aiming and areas."""
