"""What several docks share: list rows, explanations of numbers, uses of features, and copies from the library."""
