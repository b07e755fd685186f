"""The window's own controls: dice, pips, hit points, cards, why-labels, fields and the stat block.

They take plain data, know no document, and say by signals what a person asks for.
"""
