"""The play engine: commands, handlers, procedures that wait for decisions, history, the session and its journal."""
