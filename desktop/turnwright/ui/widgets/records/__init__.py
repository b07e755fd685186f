"""Hit points, resources, conditions, dice and stat blocks as widgets."""
