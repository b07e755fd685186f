"""turnwright.ui.docks.turn_order"""
