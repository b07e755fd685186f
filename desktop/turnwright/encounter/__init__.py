"""Encounter records: immutable structs, the mapping that contains them, and the changes between two mappings.

Nothing here imports rules, windows or files.
"""
