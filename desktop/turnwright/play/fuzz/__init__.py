"""Random play for tests: answers, commands and the invariants that must hold after each."""
