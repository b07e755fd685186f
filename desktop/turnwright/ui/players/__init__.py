"""The players' window: it paints what players may see, and knows nothing else."""
