"""Shared by the formats of Pathfinder 2e: a neutral stat block, and its conversion to a creature.

The reader of each format fills in a `stat_block.SourceStatBlock`. The game's own conventions (the wording of a
Strike, a save in a text, immunities to damage) are read here, so that all formats give the same result for one
creature.
"""
