"""The window's docks: each shows one side of the open document and sends commands to the document model."""
