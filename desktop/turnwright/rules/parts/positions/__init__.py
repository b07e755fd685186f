"""Relative positions of combatants: distance, height, sight, cover, flanking and occupied squares.

On a grid they follow from the squares. A `Relation` that the game master sets overrides them, and without a grid it is
the only source. Any answer may be None (unknown), so that a stage can ask. All distances are in feet.
"""
