"""Adds all modules (many are found by walking packages), the data files of an installed wheel, and the icon font."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

from bundle import data_files

hiddenimports = collect_submodules("turnwright")
# The font is read by its path; its package is never imported, and is excluded.
datas = data_files() + collect_data_files("qtawesome", includes=["fonts/materialdesignicons6*"])
