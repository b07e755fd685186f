"""The battle map: geometry of a grid of squares, without a rule of any game.

Squares are `(column, row)`, counted from 0 at the upper left; a creature's position is the upper-left square of its
space. Elevations are feet above one zero for the whole map, as separate numbers. Arrays are indexed `[row, column]`.
numpy and numba load on first use; importing this package costs neither.
"""
