"""Reads the English prose of stat blocks of the 5e family.

`markup` removes markup. `feature_names` reads the brackets after a feature's name. `header_lines` reads the lines at
the top of a stat block. `features` creates a feature from a name and its prose, using `feature_text`, `damage` and
`afflictions`. `multiattacks` finds the features that a multiattack combines.

Nothing is guessed. Only clear statements are read; everything else is kept as text and reported.
"""
