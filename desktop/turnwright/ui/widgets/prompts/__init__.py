"""Prompts as cards, with an input for each type of question."""
