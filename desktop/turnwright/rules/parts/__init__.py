"""Rule engines that several systems share. They read data; they don't name a rule or a system."""
