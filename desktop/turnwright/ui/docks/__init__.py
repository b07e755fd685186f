"""The window's docks: each shows one side of the open document and hands commands to the bridge."""
