"""Commands that bring in combatants, one module each: the command and its handler."""
