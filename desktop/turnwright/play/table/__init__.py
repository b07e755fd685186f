"""Notes, corrections, snapshots and other table settings made by hand."""
