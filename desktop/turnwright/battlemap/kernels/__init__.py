"""Plain loops over arrays and numbers, in the part of Python that numba compiles; the same source runs without it.

A function's annotations are its compiled signature (`battlemap.arrays`), helpers included: typed by their callers
instead they would be compiled once for each kind of array, three times as long in all. Helpers stand before their
users. Nothing here allocates, holds an array longer than the call, or imports numpy.
"""
