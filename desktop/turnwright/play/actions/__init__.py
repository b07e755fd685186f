"""Actions of the rule system: costs, checks, contests, items, and reactions to a declared action."""
