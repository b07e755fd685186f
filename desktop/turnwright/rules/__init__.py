"""What the rules say: a rule system is a record of parts plus data. Only `rules.systems` knows which system it is."""
