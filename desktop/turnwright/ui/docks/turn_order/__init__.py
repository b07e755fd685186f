"""The turn order panel: initiative order, hit points and conditions, and the world actions between turns."""
