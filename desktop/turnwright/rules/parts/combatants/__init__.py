"""Facts about a single combatant: conditions, incapacitation, speeds."""
