"""The reader of 5e-bits' database: the head of a record, its features, its multiattacks."""
