"""The panels of the main window. Each shows one view of the open document and sends commands to the document model."""
