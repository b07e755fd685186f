"""Reports of fights, compiled from the facts in the journal and written as text."""
