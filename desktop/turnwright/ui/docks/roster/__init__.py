"""turnwright.ui.docks.roster.dock"""
