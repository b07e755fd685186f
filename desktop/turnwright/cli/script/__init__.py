"""The script language: lines to commands and answers."""
