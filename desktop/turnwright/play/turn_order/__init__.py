"""The turn order: initiative, ties, surprise, ambushes, mounts, joint turns."""
