"""The open document: an encounter with its file, its history and its recovery log; locks, settings and recent files.

Stands between the window (or a headless verb) and what people do, and touches the disk through `storage`.
"""
