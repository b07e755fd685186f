"""The window and all its widgets. Panels show the encounter and change it by executing commands of the document model.

This package makes no rule decisions and contains no game texts. Numbers come from `workspace`, texts from the word
catalogue.
"""
