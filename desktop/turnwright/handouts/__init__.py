"""Printed handouts: pages filled from plain data by Typst templates that anyone can read and change.

`print_document` defines the content of a print job; each module of `kinds` turns records into the data of one
kind of page; `typesetter` typesets a document. Templates are in `resources/handouts/`, one file for each kind,
and in the user's own template folder.
"""
