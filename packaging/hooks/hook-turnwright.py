"""All modules, for many are found by walking packages; the data where an installed wheel has it; and the icon font."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

from bundle import data_files

hiddenimports = collect_submodules("turnwright")
# The font is read by its path; the package around it is never imported, and is left out.
datas = data_files() + collect_data_files("qtawesome", includes=["fonts/materialdesignicons6*"])
