"""The players' screen: everything that players may see of a running fight, as one record."""
