"""The page on which players follow a fight on their phones: it is given finished views and knows nothing else."""
