"""What the players may see: one record, made by one pure function, and the table of what is secret."""
