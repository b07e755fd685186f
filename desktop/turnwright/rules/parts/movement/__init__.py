"""Movement rules: allowances, strides, routes, opportunity attacks, falling, riding."""
