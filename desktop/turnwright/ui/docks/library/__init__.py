"""turnwright.ui.docks.library.dock"""
