"""The action economy: resources, costs and refills."""
