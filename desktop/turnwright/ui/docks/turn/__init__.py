"""The turn dock: the acting combatant, its actions and moves, and pending prompts."""
