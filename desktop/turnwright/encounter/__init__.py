"""Encounter records: frozen structs, the mapping that holds them, and the changes between two such mappings.

Nothing here imports a rule, a window or a file.
"""
