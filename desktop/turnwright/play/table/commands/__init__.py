"""Commands for notes, corrections, labels, plans and dice, one module each: the command and its handler."""
