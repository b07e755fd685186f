"""Installs the wheel into an empty virtual environment and tests the window, every verb and every sample.

    python packaging/wheel_test.py [WHEEL]

Without an argument, it first builds a wheel from the source distribution, to prove that this is complete.
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
PATIENCE = 120  # seconds to wait for a window on a busy machine
_BIN, _EXE = ("Scripts", ".exe") if sys.platform == "win32" else ("bin", "")


def build(into: Path) -> tuple[Path, Path]:
    """Build the source distribution, and from it a wheel for any platform and one for this platform.

    Return the source distribution and, if the kernels can be compiled here, the wheel for this platform.
    """
    into.mkdir(parents=True, exist_ok=True)
    hatch(ROOT, "sdist", into)
    (source,) = into.glob("turnwright-*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source) as archive:
            safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since Python 3.11.4
            archive.extractall(folder, **safely)
        (tree,) = Path(folder).iterdir()
        hatch(tree, "wheel", into)
        subprocess.run([sys.executable, tree / "packaging" / "kernels.py"], check=False)
        hatch(tree, "wheel", into)
    wheels = sorted(into.glob("turnwright-*.whl"), key=lambda path: path.stem.endswith("-any"))
    return source, wheels[0]


def hatch(tree: Path, target: str, into: Path) -> None:
    """Build a distribution of a tree with the pinned build backend."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    process = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise SystemExit(
            f"{process.stdout}{process.stderr}\nwheel-test: the {target} could not be built; the messages are above"
        )


class Installed:
    """The wheel in an environment with only its dependencies, and with an empty home folder."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "venv" / _BIN
        self.home = folder / "home"
        self.work = folder / "work"
        for new in (self.home, self.work):
            new.mkdir()
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
        variables = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        self.environment = {**variables, "HOME": str(self.home), "TURNWRIGHT_HOME": str(self.home / "turnwright")}

    def run(self, *words: object, platform: str = "offscreen") -> str:
        """Run the program and return its output. Raise SystemExit if it fails."""
        command = [str(self.bin / f"turnwright{_EXE}"), *map(str, words)]
        environment = {**self.environment, "QT_QPA_PLATFORM": platform}
        process = subprocess.run(
            command, cwd=self.work, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        if process.returncode != 0 or "Traceback" in process.stderr:
            failure = f"{' '.join(command)}: exit code {process.returncode}"
            raise SystemExit(f"wheel-test: {failure}\n{process.stdout[-2000:]}{process.stderr}")
        return process.stdout

    def ask(self, code: str) -> list[str]:
        """Run a line of Python in the environment, and return the lines it prints."""
        command = [str(self.bin / f"python{_EXE}"), "-c", code]
        process = subprocess.run(
            command, cwd=self.work, env=self.environment, capture_output=True, text=True, check=True
        )
        return process.stdout.splitlines()


def _check(installed: Installed, samples: Sequence[Path]) -> str:
    installed.run("check", *samples)
    return f"{len(samples)} samples"


def _odds(installed: Installed, _samples: Sequence[Path]) -> str:
    installed.run("odds", "countdown", "--dice", 5)
    return installed.run("odds", "roll", "2d6+3").splitlines()[0].strip()


def _play(installed: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        installed.run("play", sample, "--random", 2, "--seed", 7)
    return f"two rounds of {len(samples)} samples"


def _import(installed: Installed, samples: Sequence[Path]) -> str:
    installed.run("import", samples[0], "--into", installed.work / "imported")
    return f"{len(list((installed.work / 'imported').rglob('*.toml')))} files"


def _undo_import(installed: Installed, samples: Sequence[Path]) -> str:
    installed.run("import", samples[0], "--into", installed.work / "unwanted")
    installed.run("undo-import", next((installed.work / "unwanted").iterdir()))
    if left := list((installed.work / "unwanted").rglob("*.toml")):
        raise SystemExit(f"wheel-test: {len(left)} files are left after undoing the import")
    return "no files left"


def _suggest(installed: Installed, _samples: Sequence[Path]) -> str:
    shown = installed.run("suggest", "--party", "4x3", "--aim", "hard", "--count", 1)
    return shown.splitlines()[0].strip()


def _export(installed: Installed, samples: Sequence[Path]) -> str:
    installed.run("export", samples[0], "-o", installed.work / "other.json")
    return size(installed.work / "other.json")


def _map(installed: Installed, samples: Sequence[Path]) -> str:
    drawn = next(sample for sample in samples if "[map]" in sample.read_text(encoding="utf-8"))
    copy = Path(shutil.copy(drawn, installed.work / "map.toml"))
    installed.run("map", "export", copy, "-o", installed.work / "map.dd2vtt")
    return installed.run("map", "import", installed.work / "map.dd2vtt", "--into", copy).splitlines()[0]


def _adventure(installed: Installed, samples: Sequence[Path]) -> str:
    folder = installed.work / "adventure"
    folder.mkdir(exist_ok=True)
    shutil.copy(samples[0], folder / "first.toml")
    system = samples[0].read_text(encoding="utf-8").partition('system = "')[2].partition('"')[0]
    head = f'format = 3\nkind = "adventure"\nsystem = "{system}"\ntitle = "First"\n'
    (folder / "adventure.toml").write_text(f'{head}\n[[steps]]\nencounter = "first.toml"\n', encoding="utf-8")
    installed.run("adventure", "export", folder / "adventure.toml", "-o", installed.work / "adventure.zip")
    installed.run("adventure", "import", installed.work / "adventure.zip", "--into", installed.work / "adventures")
    return installed.run("adventure", "list", installed.work / "adventures").splitlines()[0]


def _backup(installed: Installed, _samples: Sequence[Path]) -> str:
    library = installed.home / "turnwright" / "data" / "library"
    shutil.copytree(installed.work / "imported", library)
    installed.run("backup", installed.work / "library.zip")
    return size(installed.work / "library.zip")


def _restore(installed: Installed, _samples: Sequence[Path]) -> str:
    installed.run("restore", installed.work / "library.zip")
    return "the library"


def _handout(installed: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        installed.run("handout", sample, "-o", installed.work / f"{sample.stem}.pdf")
    return ", ".join(size(installed.work / f"{sample.stem}.pdf") for sample in samples)


def _screenshot(installed: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        installed.run("screenshot", sample, "-o", installed.work / f"{sample.stem}.png", "--arrangement", "run")
    return ", ".join(size(installed.work / f"{sample.stem}.png") for sample in samples)


def _understand(installed: Installed, samples: Sequence[Path]) -> str:
    installed.run("import", samples[0], "--into", installed.work / "understood")
    installed.run("understand", next((installed.work / "understood").iterdir()))
    return "one imported folder"


def _forecast(installed: Installed, samples: Sequence[Path]) -> str:
    for sample in samples:
        installed.run("forecast", sample, "--fights", "500")
    return f"{len(samples)} encounters"


def _report(installed: Installed, samples: Sequence[Path]) -> str:
    script = installed.work / "fight.txt"
    script.write_text("start\nbegin\nsave\n", encoding="utf-8")
    fought = Path(shutil.copy(samples[0], installed.work / "fought.toml"))
    installed.run("play", fought, "--script", script, "--seed", 7)
    return installed.run("report", fought)[0]


def _install_shortcuts(installed: Installed, _samples: Sequence[Path]) -> str:
    if sys.platform != "linux":
        return "only on Linux"
    installed.run("install-shortcuts")
    data = installed.home / ".local" / "share"
    entry = next((data / "applications").glob("*.desktop")).read_text(encoding="utf-8")
    if f'Exec="{installed.bin}/turnwright" %f' not in entry:
        raise SystemExit(f"wheel-test: the menu entry starts another program\n{entry}")
    installed.run("install-shortcuts", "--remove")
    return "installed and removed"


VERBS = {
    "check": _check,
    "odds": _odds,
    "play": _play,
    "import": _import,
    "undo-import": _undo_import,
    "understand": _understand,
    "suggest": _suggest,
    "forecast": _forecast,
    "report": _report,
    "export": _export,
    "map": _map,
    "adventure": _adventure,
    "backup": _backup,
    "restore": _restore,
    "handout": _handout,
    "screenshot": _screenshot,
    "install-shortcuts": _install_shortcuts,
}


def use_window(installed: Installed, samples: Sequence[Path], platform: str) -> str:
    """Open every sample in its own window, open one again, and stop them. Raise SystemExit if an error was logged."""
    copies = [Path(shutil.copy(sample, installed.work)) for sample in samples]
    command = [str(installed.bin / f"turnwright-window{_EXE}"), *map(str, copies)]
    first = subprocess.Popen(command, cwd=installed.work, env={**installed.environment, "QT_QPA_PLATFORM": platform})
    processes: set[int] = set()
    try:
        processes = set(wait_for_windows(installed.home / "turnwright" / "state" / "requests", len(copies)))
        installed.run(copies[-1], platform=platform)  # it is already open; its window answers
    finally:
        for process in processes | {first.pid}:
            os.kill(process, 15)
        first.wait()
    log = (installed.home / "turnwright" / "state" / "turnwright.log").read_text(encoding="utf-8")
    if "Traceback" in log:
        raise SystemExit(f"wheel-test: the window logged an error\n{log}")
    return f"{len(copies)} windows on {platform}"


def wait_for_windows(folder: Path, count: int) -> Iterator[int]:
    """Wait until a number of windows show their files. Yield their process ids."""
    end = time.monotonic() + PATIENCE
    while len(ids := [path.read_text() for path in folder.glob("*.window")]) < count or "" in ids:
        if time.monotonic() > end:
            raise SystemExit(f"wheel-test: {len(ids)} of {count} windows opened")
        time.sleep(0.2)
    return map(int, ids)


def size(path: Path) -> str:
    """Return the size of a file in kilobytes, as text."""
    return f"{path.stat().st_size / 1000:.0f} kB"


def prove(wheel: Path) -> None:
    """Install a wheel, and print a line for each test. Raise SystemExit at the first failure."""
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as folder:
        installed = Installed(wheel, Path(folder))
        print(
            f"wheel-test: {wheel.name} in an empty environment:",
            *installed.run("--version").splitlines()[:3],
            sep="\n   ",
        )
        samples = [Path(line) for line in installed.ask(_ASK_SAMPLES)]
        if not samples or any(installed.folder / "venv" not in sample.parents for sample in samples):
            raise SystemExit("wheel-test: the samples are not from the wheel")
        verbs = installed.ask("from turnwright.cli.commands import SUBCOMMANDS; print(*SUBCOMMANDS, sep='\\n')")
        if missing := set(verbs) ^ VERBS.keys():
            raise SystemExit(f"wheel-test: no test for the verbs {', '.join(missing)}; add one to VERBS")
        for verb, use in VERBS.items():
            print(f"   {verb}: {use(installed, samples)}", flush=True)
        print(f"   window: {use_window(installed, samples, 'xcb' if os.environ.get('DISPLAY') else 'offscreen')}")


_ASK_SAMPLES = "from turnwright.storage.resources import sample_encounters; print(*sample_encounters(), sep='\\n')"


def main() -> None:
    """Test the given wheel or a new installed. Use Xvfb if there isn't a display."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", nargs="?", type=Path)
    arguments = parser.parse_args()
    if sys.platform == "linux" and not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
        os.execvp("xvfb-run", ["xvfb-run", "--auto-servernum", sys.executable, __file__, *sys.argv[1:]])
    if arguments.wheel is not None:
        prove(arguments.wheel.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as folder:
        prove(build(Path(folder))[1])


if __name__ == "__main__":
    main()
