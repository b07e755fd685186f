"""From the start of the process to the first paint of the window on a sample, against an empty QMainWindow.

Runs the two in turn, so that slow spells of the machine fall on both, and prints medians and their ratio. The first
paint is the themed frame, before the file is read; the time until every dock shows the sample is printed beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "encounters" / "cold-ford-bridge.toml"
TARGET = 1.5
EMPTY = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
QTimer.singleShot(0, application.quit)
application.exec()
print(time.monotonic())
"""
SHOWN = """
import sys, time
from turnwright.cli import main
code = main(["--quit-when-shown", sys.argv[1]])
print(time.monotonic())
raise SystemExit(code)
"""
FURNISHED = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from turnwright.bootstrap import RuleSystems
from turnwright.ui import app, window
build_content = window.MainWindow.build_content
def furnished(self):
    build_content(self)
    QTimer.singleShot(0, lambda: (self.repaint(), app.QApplication.instance().quit()))
window.MainWindow.build_content = furnished
app.run(Path(sys.argv[1]), systems=RuleSystems())
print(time.monotonic())
"""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=11)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
            "TURNWRIGHT_HOME": home,
            "PYTHONPATH": str(ROOT / "desktop"),
        }
        times: dict[str, list[float]] = {"empty": [], "shown": [], "furnished": []}
        for number in range(chosen.runs + 1):
            for name, code in (("empty", EMPTY), ("shown", SHOWN), ("furnished", FURNISHED)):
                took = milliseconds(code, environment)
                if number:  # the first of each warms the disk
                    times[name].append(took)
    report(times, as_json=chosen.json)
    return 0


def milliseconds(code: str, environment: dict[str, str]) -> float:
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, str(SAMPLE)], env=environment, capture_output=True, text=True, check=True
    )
    return (float(done.stdout) - start) * 1000


def report(times: dict[str, list[float]], *, as_json: bool) -> None:
    medians = {name: statistics.median(found) for name, found in times.items()}
    ratio = medians["shown"] / medians["empty"]
    complete = medians["furnished"] / medians["empty"]
    if as_json:
        print(json.dumps({"ms": medians, "ratio": ratio, "complete": complete, "target": TARGET}))
        return
    for name, found in times.items():
        print(f"{name:10} {medians[name]:7.0f} ms   ({min(found):.0f} to {max(found):.0f})")
    print(f"first paint: {ratio:.2f} × an empty QMainWindow (at most {TARGET})")
    print(f"the sample in every dock on top: {complete:.2f} ×")


if __name__ == "__main__":
    sys.exit(main())
