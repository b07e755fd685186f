"""Widgets of the main window: dice, pips, hit points, cards, explained totals, input fields and the stat block.

They take plain data, don't depend on the document, and emit signals when the user requests a change.
"""
