"""Actions of the system's list: costs, checks, contests, items, reactions to a declared action."""
