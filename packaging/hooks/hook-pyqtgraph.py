"""What pyqtgraph imports by name, of which PyInstaller can't know, and its buttons; not its colour maps."""

from PyInstaller.utils.hooks import collect_data_files

hiddenimports = ["PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"]
datas = collect_data_files("pyqtgraph", includes=["icons/*"])
