"""turnwright.ui.docks.stat_block.dock"""
