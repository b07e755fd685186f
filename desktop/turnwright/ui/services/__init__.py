"""Services of the window: the document model, settings, background tasks, pictures and printing."""
