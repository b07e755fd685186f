"""Notes, corrections, snapshots and other settings made by hand."""
