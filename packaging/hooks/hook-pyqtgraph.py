"""Adds modules that pyqtgraph imports by name, which PyInstaller can't detect, and the icons of its buttons."""

from PyInstaller.utils.hooks import collect_data_files

hiddenimports = ["PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"]
datas = collect_data_files("pyqtgraph", includes=["icons/*.svg"])
