"""Attack rules: rolls, targets, weapons, critical hits."""
