"""Texts of rules, and cards that explain a total."""
