"""Restores the library search path for programs started by this one. It runs before everything else.

PyInstaller's loader adds the program's folder to the path. The program itself needs that only at its start, but a
browser or a file manager that it opens later would load these libraries instead of the system's.
"""

import os

before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if before is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = before
