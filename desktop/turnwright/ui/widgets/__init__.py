"""Controls of the window: dice, pips, hit points, cards, why-labels, fields and the stat block.

They take plain data, know no document, and emit signals for a person's requests.
"""
