"""One function a command: it changes records in the transaction, says what happened, or refuses. No Qt, no files."""
