"""Forecast: exact odds of a fight's outcomes where a formula exists, simulated fights otherwise."""
