"""From the start of the process to the first paint of the window on a sample, and on until all is there.

Stages: the themed frame, before the file is read (`first paint`); the roster, built and painted (`roster`); all docks on
top, painted (`on top`); every dock, those behind tabs too (`settled`). Each is set against an empty QMainWindow in the same
run; the two are started in turn, so that slow spells of the machine fall on both. Compiled modules are warm on both
sides: they are kept in a folder of their own, filled by a first run that doesn't count. Printed are medians of CPU time,
which other programs disturb little, and of the time on the clock; the ratios are of CPU time.
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
EMPTY, STAGES = "empty", ("first paint", "roster", "on top", "settled")
TARGETS = {"roster": 3.5, "on top": 5}
EMPTY_WINDOW = """
import json, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
QTimer.singleShot(0, application.quit)
application.exec()
print(json.dumps({"empty": (time.process_time(), time.monotonic())}))
"""
PROGRAM = """
import gc, json, sys, time
from turnwright.cli import main
gc.disable()  # as the program does before it imports the window
from turnwright.ui.application import app  # before PySide6, as the program imports it
from PySide6.QtCore import QEvent, QObject, QTimer

stages = {}

def stamp(name):
    stages.setdefault(name, (time.process_time(), time.monotonic()))

class Watch(QObject):
    # Stamps the stages of one window. A dock is there once it was built, with its form, and painted after that.

    def __init__(self, window):
        super().__init__(window)
        self.window = window
        self.watched, self.painted = set(), set()
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        window.painted.connect(lambda: stamp("first paint"))
        window.contentReady.connect(self.begin)

    def begin(self):
        self.timer.start(0)
        self.look()
        self.window.content.docksBuilt.connect(lambda: QTimer.singleShot(0, self.settle))

    def look(self):
        docks = self.window.content.docks
        for id, dock in docks.all.items():
            if id not in self.watched and docks.built(id):
                self.watched.add(id)
                dock.installEventFilter(self)
        raised = {id for id in docks.all if docks.is_raised(id)}
        if raised and "roster" in self.painted:
            stamp("roster")
        if raised and raised <= self.painted:
            stamp("on top")
            self.timer.stop()

    def eventFilter(self, dock, event):
        if event.type() == QEvent.Type.Paint and not (hasattr(dock, "prepare") and dock.widget().currentIndex() == 0):
            self.painted.add(dock.objectName())
        return False

    def settle(self):
        stamp("settled")
        app.QApplication.instance().quit()

def watched(window):
    Watch(window)
    return window

create_window = app.Application.create_window
app.Application.create_window = lambda self, open_document: watched(create_window(self, open_document))
main([sys.argv[1]])
print(json.dumps(stages))
"""
Times = dict[str, list[tuple[float, float]]]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=11)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as home:
        report(measured(environment(Path(home)), chosen.runs), as_json=chosen.json)
    return 0


def environment(home: Path) -> dict[str, str]:
    """Return the environment of the processes, in which compiled modules are kept."""
    found = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **found,
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "TURNWRIGHT_HOME": str(home),
        "PYTHONPATH": str(ROOT / "desktop"),
        "PYTHONPYCACHEPREFIX": str(home / "compiled"),
    }


def measured(environment: dict[str, str], runs: int) -> Times:
    """Return the milliseconds of CPU time and on the clock of each stage, for every run but the first."""
    times: Times = {name: [] for name in (EMPTY, *STAGES)}
    for number in range(runs + 1):
        for code in (EMPTY_WINDOW, PROGRAM):
            for name, took in milliseconds(code, environment).items():
                if number:
                    times[name].append(took)
    return times


def milliseconds(code: str, environment: dict[str, str]) -> dict[str, tuple[float, float]]:
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, str(SAMPLE)], env=environment, capture_output=True, text=True, check=True
    )
    return {name: (cpu * 1000, (end - start) * 1000) for name, (cpu, end) in json.loads(done.stdout).items()}


def report(times: Times, *, as_json: bool) -> None:
    cpu, clock = ({name: statistics.median(one[n] for one in found) for name, found in times.items()} for n in (0, 1))
    ratios = {name: cpu[name] / cpu[EMPTY] for name in STAGES}
    if as_json:
        print(json.dumps({"cpu_ms": cpu, "clock_ms": clock, "ratios": ratios, "targets": TARGETS}))
        return
    for name, found in times.items():
        spread = f"({min(found)[0]:.0f} to {max(found)[0]:.0f})"
        print(f"{name:12}{cpu[name]:7.0f} ms of CPU {spread:16}{clock[name]:7.0f} ms on the clock")
    for name in STAGES:
        most = f" (at most {TARGETS[name]})" if name in TARGETS else ""
        print(f"{name}: {ratios[name]:.2f} × an empty QMainWindow{most}")


if __name__ == "__main__":
    sys.exit(main())
