"""What takes more than one decision: stage functions by kind and stage, and the one loop that advances them."""
