"""Turns and rounds: their start, phases and end, recharge, legendary and lair actions, rewards."""
