"""Memory of the window on a sample: after it has settled, and after a forecast with its charts.

Each is set against an empty QMainWindow in a process of the same run. `Rss` counts all pages of the process, and `private` those
that no other process shares. The kernels must be compiled (`make kernels`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "encounters" / "cold-ford-bridge.toml"
TARGETS = {"settled": 200, "forecast": 280}
MEMORY = """
def memory():
    rows = dict(line.split(":") for line in open("/proc/self/smaps_rollup").read().splitlines()[1:])
    private = sum(int(rows[name].split()[0]) for name in ("Private_Clean", "Private_Dirty"))
    return int(rows["Rss"].split()[0]) / 1000, private / 1000
"""
EMPTY_WINDOW = (
    MEMORY
    + """
import json
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
QTimer.singleShot(1000, application.quit)
application.exec()
print(json.dumps({"empty": memory()}))
"""
)
PROGRAM = (
    MEMORY
    + """
import gc, json, sys
from turnwright.cli import main
gc.disable()  # as the program does before it imports the window
from turnwright.ui.application import app
from PySide6.QtCore import QTimer

SETTLING_MS, DRAWING_MS = 8_000, 3_000
found = {}

def settled(window):
    found["settled"] = memory()
    dock = window.content.docks.show("forecast")
    poll = QTimer(window, interval=500)
    poll.timeout.connect(lambda: dock.model.outlook and not dock.model.is_running and (poll.stop(), drawn()))
    poll.start()

def drawn():
    QTimer.singleShot(DRAWING_MS, end)

def end():
    found["forecast"] = memory()
    app.QApplication.instance().quit()

def watched(window):
    window.contentReady.connect(
        lambda: window.content.docksBuilt.connect(lambda: QTimer.singleShot(SETTLING_MS, lambda: settled(window)))
    )
    return window

create_window = app.Application.create_window
app.Application.create_window = lambda self, open_document: watched(create_window(self, open_document))
main([sys.argv[1]])
print(json.dumps(found))
"""
)


def main() -> int:
    """Print the memory of each stage, and the limits."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", action="store_true")
    as_json = arguments.parse_args().json
    stages: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as home:
        for code in (EMPTY_WINDOW, PROGRAM):
            stages |= measured(code, home)
    if as_json:
        print(json.dumps({"megabytes": stages, "targets": TARGETS}))
        return 0
    for name, (rss, private) in stages.items():
        most = f" (at most {TARGETS[name]})" if name in TARGETS else ""
        print(
            f"{name:10}{rss:6.0f} MB{most}, {private:.0f} MB private; {rss / stages['empty'][0]:.1f} × an empty QMainWindow"
        )
    return 0


def measured(code: str, home: str) -> dict[str, tuple[float, float]]:
    """Run a program in a home folder of its own, and return what it prints."""
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "TURNWRIGHT_HOME": home,
        "PYTHONPATH": str(ROOT / "desktop"),
    }
    done = subprocess.run(
        [sys.executable, "-c", code, str(SAMPLE)], env=variables, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
