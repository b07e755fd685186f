"""Adds the files that this Qt module needs, without plugins and translations that the program does not use."""

from PyInstaller.utils.hooks.qt import add_qt6_dependencies

from bundle import kept_plugins

hiddenimports, _found, _translations = add_qt6_dependencies(__file__)
binaries = kept_plugins(_found)
