"""Reports of fights, compiled from the facts of the journal and written as text."""
