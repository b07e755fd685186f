"""Widgets of the main window: dice, pips, hit points, cards, explained totals, input fields and the stat block.

They take plain data, are independent of the document, and emit signals for the user's requests.
"""
