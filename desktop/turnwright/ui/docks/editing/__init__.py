"""Inspectors for prepared records: their common base, lists of children, house rules, and changing the rule system."""
