"""Rule engines that several systems share. They read data and name no rule and no system of their own."""
