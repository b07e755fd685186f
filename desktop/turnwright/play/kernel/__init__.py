"""What every package of play stands on: transactions, history, the scheduler, and the bases of commands, events and journal lines."""
