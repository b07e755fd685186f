"""Reports of fights: counted from the facts of the journal, and written as text."""
