"""PySide6's descriptions of Qt's functions are loaded when they are used, and are what they would be otherwise."""

import os
import subprocess
import sys

DESCRIPTIONS = """
import pydoc
from PySide6.QtCore import QObject
for call in (lambda: QObject().setObjectName([3]), lambda: QObject(1, 2, 3), lambda: QObject(nothing=1)):
    try:
        call()
    except (AttributeError, TypeError) as error:
        print(error)
print(pydoc.render_doc(QObject.setParent, renderer=pydoc.plaintext))
from PySide6.support.signature.lib import enum_sig
from shibokensupport.signature.lib.pyi_generator import Formatter
print(enum_sig.ExactEnumerator, Formatter)
"""
LOADED = """
import sys
import turnwright.ui
from turnwright.ui.application.pyside_import import DESCRIPTIONS, DeferredModule
print(sorted(name for name in DESCRIPTIONS if type(sys.modules[name]) is not DeferredModule))
print(__import__.__name__)
"""


def _printed(code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    return ran.stdout + ran.stderr


def test_nothing_that_only_describes_functions_is_loaded_at_the_start() -> None:
    loaded, hook = _printed(LOADED).splitlines()
    assert loaded == "[]"
    assert hook != "__feature_import__"


def test_functions_are_described_as_by_pyside_alone() -> None:
    alone, here = _printed(DESCRIPTIONS), _printed("import turnwright.ui" + DESCRIPTIONS)
    assert "Supported signatures" in alone
    assert here == alone
