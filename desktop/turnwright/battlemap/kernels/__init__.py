"""Plain loops over arrays and numbers, in the subset of Python that numba compiles; they also run without it.

The annotations of every function, including helpers, are its compiled signature (`battlemap.arrays`). If callers
determined the types of helpers, these would be compiled once for each array type, which takes three times as long.
Helpers are defined before their callers. Nothing here allocates, keeps an array after the call, or imports numpy.
"""
