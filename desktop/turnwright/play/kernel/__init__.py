"""What all packages of play build on: transactions, history, the scheduler, and the bases of commands and events."""
