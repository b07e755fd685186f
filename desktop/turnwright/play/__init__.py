"""What people do: commands, their handlers, procedures that span decisions, history, the session and its journal."""
