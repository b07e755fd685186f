"""Open documents: an encounter with its files, history and recovery log; also locks, settings and recent files.

The package connects the window and the command line with the engine, and accesses files through `storage`.
"""
