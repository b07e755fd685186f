"""The players dock: what players see, and what decides it."""
