"""The parts of the reader of 5e-bits' database: damage put where prose puts it, features, multiattacks."""
