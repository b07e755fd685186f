"""Other people's files: each format is a module that knows its own files by what stands in them and gives records.

`importing` reads paths through `documents`, asks the `formats` whose they are, and has `staging` put what came of
them into a folder of the library at once. Nothing here writes into a file that exists.
"""
