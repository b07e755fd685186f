"""Who acts when: initiative, ties, surprise, ambushes, mounts, joint turns."""
