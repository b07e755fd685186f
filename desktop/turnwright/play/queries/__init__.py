"""Read-only queries about a running fight, for the views."""
