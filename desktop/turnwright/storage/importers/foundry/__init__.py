"""Shared by the actors of the Foundry virtual tabletop, whichever their game: containers, formulas, units."""
