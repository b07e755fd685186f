"""Questions before or during an action: parameters, declarations, checks, disruption, exertion."""
