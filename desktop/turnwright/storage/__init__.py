"""Files: encounters, the library, shipped data, and the texts of the window."""
