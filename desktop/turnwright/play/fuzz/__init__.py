"""Random play for tests: answers, commands, and the invariants checked after each of them."""
