"""Reading the English prose of stat blocks of the 5e family: figures from sentences, plain text from marked-up text.

`plain` takes marks out of text, `names` reads what stands in brackets behind a feature's name, `lines` the lines of a
stat block's head, `features` makes a feature of a name and its prose (`sentences`, with `ask_damage`, `ask_saves`, `areas` and
`afflictions`), `multiattacks` finds which others a multiattack gives (`mentions`). Nothing here interprets anything:
what a sentence doesn't plainly say stays as text, and is told.
"""
