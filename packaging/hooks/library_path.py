"""Gives programs that this one starts the search path for libraries back, before anything else runs.

PyInstaller's loader adds the folder of the program to it. The system has read it by then, but a browser or a file manager that is
started later would find our libraries in the place of its own.
"""

import os

before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if before is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = before
