"""The battle map: geometry of a grid of squares, independent of any game's rules.

Squares are `(column, row)`, counted from 0 at the upper left; a creature's position is the upper-left square of
its space. Elevations are separate numbers: feet above one zero for the whole map. Arrays are indexed `[row,
column]`. numpy loads on first use, so importing this package is cheap.
"""
