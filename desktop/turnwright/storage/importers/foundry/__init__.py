"""Readers of the actors of the Foundry virtual tabletop, a module or more for each game.

Shared by all: `actors` finds them in exported data. Shared by both games of the 5e family: `reading` has the bases of an
actor's totals and the parts that each game keeps alike, `formulas` works out dice and named values, `units` distances.
"""
