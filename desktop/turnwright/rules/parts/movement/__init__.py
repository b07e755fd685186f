"""Movement rules: speeds spent, strides, routes, opportunity attacks, falling, riding."""
