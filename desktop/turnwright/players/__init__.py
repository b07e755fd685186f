"""What players may see of a running fight, as one record that holds nothing else."""
