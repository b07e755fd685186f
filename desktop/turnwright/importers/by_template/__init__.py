"""Formats whose records are converted by templates, such as those of web pages on which people write creatures."""
