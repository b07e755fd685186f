"""The players' screen: everything players may see of a running fight, as one record."""
