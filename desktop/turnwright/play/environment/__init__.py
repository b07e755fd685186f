"""Environments in play: features and world actions, triggers, countdown pools and their outcomes."""
