"""Lasting effects: durations, concentration, persistent damage, readied actions, Legendary Resistance."""
