"""Turnwright prepares, runs, forecasts and prints tabletop encounters."""

__version__ = "0.1.0"
