"""Reads and writes files: encounters, the library, shipped data, and the window's texts."""
