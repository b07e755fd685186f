"""What is on the table: frozen records, the mapping that holds them, and the changes between two such mappings.

Nothing here knows a rule, a window or a file.
"""
