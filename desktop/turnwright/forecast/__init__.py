"""Forecast: exact odds of what a fight may bring where there is a closed form, simulated fights elsewhere."""
