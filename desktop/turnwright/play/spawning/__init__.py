"""Combatants that enter a fight: from the roster, an environment or a wave."""
