"""The active turn: who acts, what they may do and how, and the prompts that wait."""
