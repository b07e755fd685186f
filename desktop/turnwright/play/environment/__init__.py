"""What an environment does: its features and world actions, triggers, countdown pools and their outcomes."""
