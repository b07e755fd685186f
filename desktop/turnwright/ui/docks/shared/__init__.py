"""turnwright.ui.docks.shared"""
