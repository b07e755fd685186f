"""Facts about one combatant: statements, incapacitation, speeds."""
