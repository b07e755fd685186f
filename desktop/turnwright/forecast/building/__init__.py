"""Builders for the parts of the fight sheet. Each covers one part of the rules."""
