"""The readers of Open5e's formats: its older flat monsters, and its newer creatures in several tables."""
