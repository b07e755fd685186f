"""Effects that last: durations, concentration, persistent damage, readied actions, legendary resistance."""
