"""The script language: turns lines into commands and answers."""
