"""Reads actors of the Foundry virtual tabletop, with one or more modules for each rule system.

All systems use `actors`, which finds actors in exported data. A5E and D&D 5e share `reading` (the values on which
totals are based, and the parts that both store alike), `formulas` (dice and named values) and `units` (distances).
"""
