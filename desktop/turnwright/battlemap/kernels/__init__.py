"""Plain loops over arrays and numbers, in the part of Python that numba compiles; the same source runs without it.

The annotations of every function, helpers included, are its compiled signature (`battlemap.arrays`): if helpers
were typed by their callers instead, they would be compiled once for each kind of array, which takes three times
as long in all. Helpers are defined before their callers. Nothing here allocates, keeps an array longer than the
call, or imports numpy.
"""
