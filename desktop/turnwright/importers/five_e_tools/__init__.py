"""Reads 5etools bestiaries and homebrew, including tagged texts and copied creatures."""
