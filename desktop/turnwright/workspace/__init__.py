"""The open document: an encounter with its files, its history and its recovery log; locks, settings and recent files.

The package connects the window and the command line with the engine, and accesses files through `storage`.
"""
