"""The name and the icon of the program's windows, as desktops see them."""

import shutil
import subprocess
import sys

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from turnwright.ui.services.new_window import APP_ID, SIZES, app_icon, set_identity


def picture(path):
    return QImage(str(path)).convertToFormat(QImage.Format.Format_ARGB32)


def test_the_window_stands_under_the_name_of_its_desktop_entry(qapp):
    set_identity(qapp)
    assert (qapp.desktopFileName(), qapp.applicationName()) == (APP_ID, "turnwright")
    assert qapp.applicationDisplayName() == "Turnwright"
    assert not qapp.windowIcon().isNull()


def test_the_icon_has_a_drawing_of_each_size(qapp):
    icon = app_icon()
    for size in SIZES:
        assert icon.pixmap(QSize(size, size), 1.0).toImage().size() == QSize(size, size)
    simple, whole = icon.pixmap(QSize(16, 16), 1.0).toImage(), icon.pixmap(QSize(32, 32), 1.0).toImage()
    assert whole.scaled(16, 16) != simple


def test_the_pictures_are_those_of_the_drawings(repository, tmp_path):
    subprocess.run([sys.executable, repository / "packaging" / "icons.py", tmp_path], check=True)
    shipped = repository / "resources" / "icon"
    assert {path.name for path in tmp_path.glob("*.png")} == {path.name for path in shipped.glob("*.png")}
    for path in tmp_path.glob("*.png"):
        one, other = picture(path), picture(shipped / path.name)
        assert one.size() == other.size()
        assert max(abs(a - b) for a, b in zip(bytes(one.constBits()), bytes(other.constBits()), strict=True)) <= 8


@pytest.mark.skipif(not (shutil.which("xvfb-run") and shutil.which("xprop")), reason="needs xvfb-run and xprop")
def test_an_x11_desktop_is_told_class_entry_and_icon(repository, tmp_path):
    code = (
        "import subprocess, sys; from turnwright.bootstrap import RuleSystems;"
        "from turnwright.ui.application.app import Application; from turnwright.workspace.settings import folders;"
        "application = Application(RuleSystems(), folders());"
        "window = application.create_window(application.workspace.untitled); window.show();"
        "application.qt.processEvents();"
        "print(subprocess.run(['xprop', '-id', str(int(window.winId()))], capture_output=True, text=True).stdout)"
    )
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(repository / "desktop"), "QT_QPA_PLATFORM": "xcb"}
    environment["TURNWRIGHT_HOME"] = str(tmp_path)
    ran = subprocess.run(
        ["xvfb-run", "-a", sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert 'WM_CLASS(STRING) = "turnwright", "turnwright"' in ran.stdout
    assert f'_KDE_NET_WM_DESKTOP_FILE(UTF8_STRING) = "{APP_ID}"' in ran.stdout
    assert "Icon (32 x 32)" in ran.stdout
