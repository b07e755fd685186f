"""The reader of Improved Initiative's files: stat blocks, and encounters made of them."""
