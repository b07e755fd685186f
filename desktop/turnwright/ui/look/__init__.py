"""Colours, fonts, icons, portraits, tooltips and translated texts of the window."""
