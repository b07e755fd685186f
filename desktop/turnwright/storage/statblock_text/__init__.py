"""Reads numbers and plain text from the English prose of stat blocks of the 5e family.

`markup` removes markup. `feature_names` reads the brackets after a feature's name, and `header_lines` the lines at the
top of a stat block. `features` creates a feature from a name and its prose, with the help of `feature_text`, `damage`,
`saves`, `areas` and `afflictions`. `multiattacks` finds the features that a multiattack combines, with the help of
`multiattack_mentions`.

Nothing is guessed: only plain statements are read. Everything else stays text, and is reported.
"""
