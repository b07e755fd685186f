"""Questions of the views about a running fight."""
