"""Installs the wheel into a bare virtual environment and uses all of it: the window, every verb, every sample.

    python packaging/wheel_test.py [WHEEL]

Without a wheel one is built first, from the source distribution, so that this is known to suffice.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120  # seconds, for a window on a busy machine
_BIN, _EXE = ("Scripts", ".exe") if sys.platform == "win32" else ("bin", "")


def build(into: Path) -> tuple[Path, Path]:
    """Build the source distribution, and the wheel from it; return both."""
    into.mkdir(parents=True, exist_ok=True)
    hatch(ROOT, "sdist", into)
    (source,) = into.glob("turnwright-*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source) as archive:
            safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since Python 3.11.4
            archive.extractall(folder, **safely)
        (tree,) = Path(folder).iterdir()
        hatch(tree, "wheel", into)
    (wheel,) = into.glob("turnwright-*.whl")
    return source, wheel


def hatch(tree: Path, target: str, into: Path) -> None:
    """Build one target of a tree with the pinned build backend."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout}{done.stderr}\nwheel-test: the {target} could not be built")


class Installed:
    """The wheel in an environment with what it depends on and nothing else, and an empty home."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "venv" / _BIN
        self.home = folder / "home"
        self.work = folder / "work"
        for each in (self.home, self.work):
            each.mkdir()
        venv.create(folder / "venv", with_pip=True)
        pip = [
            self.bin / f"python{_EXE}",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
        ]
        subprocess.run([*pip, "--constraint", ROOT / "packaging" / "constraints.txt", wheel], check=True)
        dropped = ("PYTHON", "QT_", "XDG_", "TURNWRIGHT", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        self.environment = {**kept, "HOME": str(self.home), "TURNWRIGHT_HOME": str(self.home / "turnwright")}

    def run(self, *words: object, platform: str = "offscreen") -> str:
        """Run the program; return what it prints. SystemExit for an exit code other than 0."""
        command = [str(self.bin / f"turnwright{_EXE}"), *map(str, words)]
        environment = {**self.environment, "QT_QPA_PLATFORM": platform}
        done = subprocess.run(
            command, cwd=self.work, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode != 0 or "Traceback" in done.stderr:
            told = f"{' '.join(command)}: exit code {done.returncode}"
            raise SystemExit(f"wheel-test: {told}\n{done.stdout[-2000:]}{done.stderr}")
        return done.stdout

    def ask(self, code: str) -> list[str]:
        """Return the lines that a line of Python prints in the environment."""
        command = [str(self.bin / f"python{_EXE}"), "-c", code]
        done = subprocess.run(command, cwd=self.work, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()


def _check(one: Installed, samples: Sequence[Path]) -> str:
    one.run("check", *samples)
    return f"{len(samples)} samples"


def _odds(one: Installed, _samples: Sequence[Path]) -> str:
    one.run("odds", "countdown", "--dice", 5)
    return one.run("odds", "roll", "2d6+3").splitlines()[0].strip()


def _play(one: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        one.run("play", sample, "--random", 2, "--seed", 7)
    return f"two rounds of {len(samples)} samples"


def _import(one: Installed, samples: Sequence[Path]) -> str:
    one.run("import", samples[0], "--into", one.work / "imported")
    return f"{len(list((one.work / 'imported').rglob('*.toml')))} files"


def _take_back(one: Installed, samples: Sequence[Path]) -> str:
    one.run("import", samples[0], "--into", one.work / "unwanted")
    one.run("take-back", next((one.work / "unwanted").iterdir()))
    if left := list((one.work / "unwanted").rglob("*.toml")):
        raise SystemExit(f"wheel-test: {len(left)} files were not taken back")
    return "nothing is left"


def _export(one: Installed, samples: Sequence[Path]) -> str:
    one.run("export", samples[0], "-o", one.work / "other.json")
    return size(one.work / "other.json")


def _map(one: Installed, samples: Sequence[Path]) -> str:
    drawn = next(sample for sample in samples if "[map]" in sample.read_text(encoding="utf-8"))
    copy = Path(shutil.copy(drawn, one.work / "map.toml"))
    one.run("map", "export", copy, "-o", one.work / "map.dd2vtt")
    return one.run("map", "import", one.work / "map.dd2vtt", "--into", copy).splitlines()[0]


def _backup(one: Installed, _samples: Sequence[Path]) -> str:
    library = one.home / "turnwright" / "data" / "library"
    shutil.copytree(one.work / "imported", library)
    one.run("backup", one.work / "library.zip")
    return size(one.work / "library.zip")


def _restore(one: Installed, _samples: Sequence[Path]) -> str:
    one.run("restore", one.work / "library.zip")
    return "the library"


def _handout(one: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        one.run("handout", sample, "-o", one.work / f"{sample.stem}.pdf")
    return ", ".join(size(one.work / f"{sample.stem}.pdf") for sample in samples)


def _screenshot(one: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        one.run("screenshot", sample, "-o", one.work / f"{sample.stem}.png", "--arrangement", "run")
    return ", ".join(size(one.work / f"{sample.stem}.png") for sample in samples)


def _understand(one: Installed, samples: Sequence[Path]) -> str:
    one.run("import", samples[0], "--into", one.work / "understood")
    one.run("understand", next((one.work / "understood").iterdir()))
    return "every file is understood"


def _forecast(one: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        one.run("forecast", sample, "--fights", "500")
    return f"{len(samples)} encounters"


def _report(one: Installed, samples: Sequence[Path]) -> str:
    script = one.work / "fight.txt"
    script.write_text("start\nbegin\nsave\n", encoding="utf-8")
    fought = Path(shutil.copy(samples[0], one.work / "fought.toml"))
    one.run("play", fought, "--script", script, "--seed", 7)
    return one.run("report", fought)[0]


VERBS = {
    "check": _check,
    "odds": _odds,
    "play": _play,
    "import": _import,
    "take-back": _take_back,
    "understand": _understand,
    "forecast": _forecast,
    "report": _report,
    "export": _export,
    "map": _map,
    "backup": _backup,
    "restore": _restore,
    "handout": _handout,
    "screenshot": _screenshot,
}


def use_window(one: Installed, samples: Sequence[Path], platform: str) -> str:
    """Open every sample in a window of its own, ask for one once more, and end them; no error may have been logged."""
    copies = [Path(shutil.copy(sample, one.work)) for sample in samples]
    command = [str(one.bin / f"turnwright-window{_EXE}"), *map(str, copies)]
    first = subprocess.Popen(command, cwd=one.work, env={**one.environment, "QT_QPA_PLATFORM": platform})
    processes: set[int] = set()
    try:
        processes = set(wait_for_windows(one.home / "turnwright" / "state" / "requests", len(copies)))
        one.run(copies[-1], platform=platform)  # which is open: its window answers
    finally:
        for process in processes | {first.pid}:
            os.kill(process, 15)
        first.wait()
    log = (one.home / "turnwright" / "state" / "turnwright.log").read_text(encoding="utf-8")
    if "Traceback" in log:
        raise SystemExit(f"wheel-test: the window has logged an error\n{log}")
    return f"{len(copies)} windows on {platform}"


def wait_for_windows(folder: Path, count: int) -> Iterator[int]:
    """Wait until so many windows show their files, and yield their processes."""
    end = time.monotonic() + PATIENCE
    while len(found := [path.read_text() for path in folder.glob("*.window")]) < count or "" in found:
        if time.monotonic() > end:
            raise SystemExit(f"wheel-test: {len(found)} of {count} windows have opened")
        time.sleep(0.2)
    return map(int, found)


def size(path: Path) -> str:
    """Return the size of a file that was made."""
    return f"{path.stat().st_size / 1000:.0f} kB"


def prove(wheel: Path) -> None:
    """Install a wheel, and print a line for each thing that it can do; SystemExit for the first that it can't."""
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as folder:
        one = Installed(wheel, Path(folder))
        print(f"wheel-test: {wheel.name} in a bare environment:", *one.run("--version").splitlines()[:3], sep="\n   ")
        samples = [Path(line) for line in one.ask(_ASK_SAMPLES)]
        if not samples or any(one.folder / "venv" not in sample.parents for sample in samples):
            raise SystemExit("wheel-test: the samples are not those of the wheel")
        verbs = one.ask("from turnwright.cli.commands import SUBCOMMANDS; print(*SUBCOMMANDS, sep='\\n')")
        if missing := set(verbs) ^ VERBS.keys():
            raise SystemExit(f"wheel-test: how is {', '.join(missing)} to be tried?")
        for verb, use in VERBS.items():
            print(f"   {verb}: {use(one, samples)}", flush=True)
        print(f"   window: {use_window(one, samples, 'xcb' if os.environ.get('DISPLAY') else 'offscreen')}")


_ASK_SAMPLES = "from turnwright.storage.resources import sample_encounters; print(*sample_encounters(), sep='\\n')"


def main() -> None:
    """Prove the wheel that is named, or one that is built now; under Xvfb where there is no display."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", nargs="?", type=Path)
    given = parser.parse_args()
    if sys.platform == "linux" and not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
        os.execvp("xvfb-run", ["xvfb-run", "--auto-servernum", sys.executable, __file__, *sys.argv[1:]])
    if given.wheel is not None:
        prove(given.wheel.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as folder:
        prove(build(Path(folder))[1])


if __name__ == "__main__":
    main()
