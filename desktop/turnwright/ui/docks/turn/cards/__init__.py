"""The cards of a turn: attack, damage, condition, move and results."""
