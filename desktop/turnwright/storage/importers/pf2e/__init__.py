"""Shared by the formats of Pathfinder 2e: a neutral stat block, and its conversion to a creature.

Readers of a format fill in a `stat_block.SourceStatBlock`; everything that is the game's own (the wording of a Strike, a
save in prose, the immunities that are damage) is read here, so that two formats of one creature agree.
"""
