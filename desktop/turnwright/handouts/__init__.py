"""Printed handouts: pages filled from plain data by Typst templates that a person can read and change.

`print_document` defines the content of a printing; each module of `kinds` turns records into the data of one kind of
page; `typesetter` sets a document in type. Templates are in `resources/handouts/`, one file a kind, and in a folder of
the person's own.
"""
