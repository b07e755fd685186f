"""turnwright.ui.docks.rules.dock"""
