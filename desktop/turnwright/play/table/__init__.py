"""Notes and corrections that the game master writes by hand."""
