"""Code shared by the formats of Pathfinder 2e: a neutral stat block, and its conversion to a creature.

The reader of each format fills in a `stat_block.SourceStatBlock`. The rule system's own conventions (the wording of a
Strike, a save in a text, immunities to damage) are handled here, so that every format yields the same creature.
"""
