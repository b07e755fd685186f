"""The program as it runs, in a process of its own."""

import os
import subprocess
import sys

from tests.conftest import ROOT

CLOSED_AT_ONCE = """
import sys
from turnwright.cli import main
from turnwright.ui.application import app
from PySide6.QtCore import QTimer

create_window = app.Application.create_window

def closing(self, open_document):
    window = create_window(self, open_document)
    window.contentReady.connect(lambda: QTimer.singleShot(0, window, window.close))
    return window

app.Application.create_window = closing
sys.exit(main([sys.argv[1]]))
"""


def test_a_window_closed_while_it_was_being_built_reports_nothing_of_its_file(tmp_path):
    file = tmp_path / "ford.toml"
    file.write_bytes((ROOT / "encounters" / "cold-ford-bridge.toml").read_bytes())
    environment = os.environ | {"TURNWRIGHT_HOME": str(tmp_path / "home"), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", CLOSED_AT_ONCE, str(file)]
    done = subprocess.run(command, env=environment, cwd=ROOT / "desktop", capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Uncaught" not in (tmp_path / "home" / "state" / "turnwright.log").read_text(encoding="utf-8")
