"""The players' window. It paints only what players may see, and has no access to anything else."""
