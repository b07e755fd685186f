"""Adds all modules, because many are found by walking packages, the data files of an installed wheel, and the kernels."""

from PyInstaller.utils.hooks import collect_submodules

from bundle import ROOT, data_files
from turnwright.workspace.kernel_library import library_file

hiddenimports = collect_submodules("turnwright")
datas = data_files()
library = library_file(ROOT / "build" / "kernels")
binaries = [(str(library), "turnwright/_kernels")] if library is not None else []
