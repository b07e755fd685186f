"""Forecast: how things will probably go. Exact odds where there is a closed form, whole fights by chance elsewhere."""
