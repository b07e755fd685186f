"""The reader of Improved Initiative files: stat blocks, and encounters made of them."""
