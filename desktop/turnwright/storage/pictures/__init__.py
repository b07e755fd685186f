"""Pictures of maps and portraits: formats, checks and files."""
