"""Controllers, one for each menu or task. They open dialogs and pass commands to the document model."""
