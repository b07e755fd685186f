"""Import of files and folders: recognition, parsers, staging, manifests and undo."""
