"""Forecast: exact odds of a fight's outcomes if a formula exists, otherwise the results of simulated fights."""
