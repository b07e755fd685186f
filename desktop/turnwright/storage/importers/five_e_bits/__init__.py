"""The reader of the 5e-bits database: the head of a record, its features, its multiattacks."""
