"""Readers of actors of the Foundry virtual tabletop, one or more modules for each game.

All games use `actors`, which finds actors in exported data. A5E and D&D 5e share `reading` (the basis of an actor's
totals, and the parts that both games store alike), `formulas` (dice and named values) and `units` (distances).
"""
