"""turnwright.ui.docks.journal.dock"""
