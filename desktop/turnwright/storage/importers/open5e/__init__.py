"""What Open5e's formats share: its older flat monsters and its newer creatures of columns, their attacks, their books."""
