"""The open document: an encounter with its file, its history and its recovery log; locks, settings and recent files.

It lies between the window (or a headless verb) and the engine, and touches the disk through `storage`.
"""
