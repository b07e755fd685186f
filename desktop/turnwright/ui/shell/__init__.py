"""The main window: its docks, arrangements, menus, tool bar and status bar."""
