"""Files: encounters, the library, shipped data, and the words of the window."""
