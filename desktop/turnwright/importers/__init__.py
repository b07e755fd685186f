"""Imports from other programs: each format is a module that recognises its files by content and yields records.

`import_files` parses the files (`documents`), lets each of the `formats` claim its own, and moves the records into a
library folder in one step (`staging_folder`). Existing files are never changed here.
"""
