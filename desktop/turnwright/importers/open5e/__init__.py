"""Reads Open5e's formats: older monsters in flat records, and newer creatures in several tables."""
