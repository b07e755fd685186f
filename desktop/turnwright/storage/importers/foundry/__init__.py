"""What the actors of one virtual table have in common, whichever game they are of: where they stand, formulas, units."""
