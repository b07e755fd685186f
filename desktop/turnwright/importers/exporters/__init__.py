"""Exports records for other programs. Each format is a module that reports what the format can't represent."""
