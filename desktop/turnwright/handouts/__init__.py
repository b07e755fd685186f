"""Printed handouts: pages that Typst templates fill with plain data. Users can read and change the templates.

`print_document` defines the content of a print job. Each module of `kinds` converts records to the data of one
type of page, and `typesetter` typesets the document. Templates are in `resources/handouts/`, one file per page type,
and in the user's own template folder.
"""
