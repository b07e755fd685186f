"""Read-only queries of the views about a running fight."""
