"""Rules of actions: availability, usable items, followers and groups."""
