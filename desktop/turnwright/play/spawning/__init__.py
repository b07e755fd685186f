"""Spawning: combatants that enter a fight from the roster, an environment or a wave."""
