"""Commands for notes, corrections, labels, plans and dice, one module each: the record and its handler."""
