"""Compares the packaged program with a bare QMainWindow packaged by PyInstaller without options: `make package-time`.

It measures the size on disk, and the time until the roster is usable, like `benchmarks/bench_start.py`. Both programs
are started alternately in one run. To print its times, the program is packaged with the benchmark's code as its entry;
everything else is as installed.
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

import package

sys.path.insert(0, str(package.ROOT / "benchmarks"))

from bench_start import EMPTY, EMPTY_WINDOW, PROGRAM, SAMPLE, STAGES

FOLDER = package.BUILD / "times"
PROGRAMS = {"bare": EMPTY_WINDOW, "turnwright": PROGRAM}


def main() -> None:
    """Package both programs, start them alternately, and print sizes and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="the number of measured starts (default: 11)")
    parser.add_argument("--made", action="store_true", help="start the programs that were packaged before")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        python = package.environment()
        words = [python, __file__, "--inside", *sys.argv[1:]]
        raise SystemExit(subprocess.run(words, env=package.settings(), check=False).returncode)
    if not arguments.made:
        make()
    with tempfile.TemporaryDirectory() as home:
        report(measured(Path(home), arguments.runs))


def make() -> None:
    """Package the bare window, and the program with the benchmark's code as its entry."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, code in PROGRAMS.items():
        entry_of(name).write_text(code, "utf-8")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    command += ["--distpath", FOLDER, "--workpath", FOLDER / "work"]
    subprocess.run([*command, "--specpath", FOLDER, "--name", "bare", entry_of("bare")], check=True)
    entry = {**os.environ, "TURNWRIGHT_ENTRY": str(entry_of("turnwright"))}
    subprocess.run([*command, package.ROOT / "packaging" / "turnwright.spec"], env=entry, check=True)


def entry_of(name: str) -> Path:
    """Return the file for a program's code. Its name isn't the package's, so that Python doesn't confuse them."""
    return FOLDER / f"{name}_entry.py"


def measured(home: Path, runs: int) -> dict[str, list[tuple[float, float]]]:
    """Return the CPU time and elapsed time of each stage in milliseconds, for every run except the first."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TURNWRIGHT_HOME": str(home)}
    times: dict[str, list[tuple[float, float]]] = {stage: [] for stage in (EMPTY, *STAGES)}
    for number in range(runs + 1):
        for name in PROGRAMS:
            start = time.monotonic()
            command = [FOLDER / name / name, SAMPLE]
            process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            for stage, (cpu, end) in json.loads(process.stdout).items():
                if number:
                    times[stage].append((cpu * 1000, (end - start) * 1000))
    return times


def report(times: dict[str, list[tuple[float, float]]]) -> None:
    """Print the sizes, and the median times with their ratios."""
    for name in PROGRAMS:
        print(f"{name:12}{package.size_in_words(FOLDER / name):>10}")
    cpu, clock = ({name: statistics.median(run[n] for run in runs) for name, runs in times.items()} for n in (0, 1))
    for name in times:
        ratio = f"{cpu[name] / cpu[EMPTY]:6.2f} times the bare window" if name != EMPTY else ""
        print(f"{name:12}{cpu[name]:7.0f} ms of CPU {clock[name]:7.0f} ms on the clock {ratio}")


if __name__ == "__main__":
    main()
