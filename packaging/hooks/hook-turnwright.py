"""Adds all modules, because many are found by walking packages, and the data files of an installed wheel."""

from PyInstaller.utils.hooks import collect_submodules

from bundle import data_files

hiddenimports = collect_submodules("turnwright")
datas = data_files()
