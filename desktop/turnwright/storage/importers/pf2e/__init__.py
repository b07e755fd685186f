"""What the formats of Pathfinder 2e share: a neutral stat block, and what makes a creature of it.

Readers of a format fill in a `blocks.Block`; everything that is the game's own (how a Strike is written, what a save
looks like in prose, which immunities are damage) is read here, so that two formats of one creature agree.
"""
