"""What the game master writes down or corrects by hand."""
