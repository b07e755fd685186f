"""The panels of an adventure."""
