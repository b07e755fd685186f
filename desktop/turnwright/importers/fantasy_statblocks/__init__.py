"""Reads stat blocks and encounters from Obsidian, for D&D 5e and Pathfinder."""
