"""What is asked before or during an action: parameters, declarations, checks, disruption, effort."""
