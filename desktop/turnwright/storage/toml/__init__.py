"""Reading, checking, editing and writing TOML without losing comments."""
