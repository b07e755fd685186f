"""Rules of actions: what is allowed, declared actions, items, followers."""
