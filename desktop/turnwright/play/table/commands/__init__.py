"""Commands for notes, corrections, labels, plans and dice. Each module contains a command and its handler."""
