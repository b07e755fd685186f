"""The report dock: how the fight went, in sentences, a table and two charts."""
