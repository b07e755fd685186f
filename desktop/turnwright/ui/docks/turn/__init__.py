"""The turn panel: the acting combatant, its actions and moves, and pending prompts."""
