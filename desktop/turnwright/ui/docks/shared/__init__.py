"""Parts that several panels share: list rows, explanations of numbers, limited uses, and copies from the library."""
