"""The turn order dock: initiative order, hit points and conditions, and the world actions between turns."""
