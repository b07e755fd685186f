"""Commands that add combatants to a fight. Each module contains a command and its handler."""
