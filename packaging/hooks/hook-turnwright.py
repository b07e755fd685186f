"""Adds all modules (many are found by walking packages), the data files of an installed wheel, and the icon font.

It also adds the compiled kernels.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

from bundle import ROOT, data_files
from turnwright.workspace.kernel_library import library_file

hiddenimports = collect_submodules("turnwright")
# The font is read by its path; its package is never imported, and is excluded.
datas = data_files() + collect_data_files("qtawesome", includes=["fonts/materialdesignicons6*"])
library = library_file(ROOT / "build" / "kernels")
binaries = [(str(library), "turnwright/_kernels")] if library is not None else []
