"""The base of all play packages: transactions, history, the scheduler, and the base classes of commands and events."""
