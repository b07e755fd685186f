"""Reads the English prose of stat blocks of the 5e family: numbers from sentences, plain text from marked-up text.

`markup` removes marks from text, `feature_names` reads the brackets behind a feature's name, `header_lines` the lines
of a stat block's head, `features` makes a feature of a name and its prose (`feature_text`, with `damage`, `saves`,
`areas` and `afflictions`), `multiattacks` finds the features that a multiattack combines (`multiattack_mentions`).
Nothing here interprets anything: unless a sentence states it plainly, it stays as text, and is reported.
"""
