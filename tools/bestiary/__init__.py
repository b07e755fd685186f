"""Generates the shipped bestiaries from public data and texts of the project. A development tool; see README.md."""
