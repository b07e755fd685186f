"""Foreign files: each format is a module that recognises its own files by content and yields records.

`import_files` reads paths through `documents`, asks the `formats` whose they are, and has `staging_folder` put the
records into a folder of the library at once. Nothing here writes into a file that exists.
"""
