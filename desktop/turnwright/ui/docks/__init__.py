"""The main window's panels. Each shows one view of the open document and sends commands to the document model."""
