"""Exports for other programs: each format is a module that writes records and reports what the format can't contain."""
