"""Finds the libraries that Qt needs and that this Linux system lacks, and the Debian packages that contain them.

It asks the loader (`ldd`) about PySide6's own libraries and platform plugins, so it can't get out of date, and looks
for a font. `packaging/setup.sh` runs it as a program: `offscreen` for the needs of the tests, `display` for those of a
window as well.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import rtoml

from turnwright.storage.resources import read_text

NEEDED = rtoml.loads(read_text("qt_libraries.toml"))
PACKAGES: dict[str, str] = NEEDED["packages"]
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_SUFFIXES = {".ttf", ".otf", ".ttc", ".pfb"}


def _qt_folder() -> Path:
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("turnwright: PySide6 isn't installed")
    return Path(next(iter(spec.submodule_search_locations))) / "Qt"


def binaries(want: str) -> Iterator[Path]:
    """Yield the files of PySide6 whose libraries are required."""
    qt = _qt_folder()
    kinds = ["offscreen"]
    if want == "display":
        kinds.append("display")
        if os.environ.get("WAYLAND_DISPLAY"):
            kinds.append("wayland")
    yield from (qt / "lib" / f"libQt6{name}.so.6" for name in NEEDED["libraries"])
    yield from (qt / "plugins" / name for kind in kinds for name in NEEDED["plugins"][kind])


def missing_libraries(want: str) -> set[str]:
    """Return the names of shared libraries that the loader can't find, or an empty set if there isn't an `ldd`."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return set()
    existing = [str(path) for path in binaries(want) if path.exists()]
    answer = subprocess.run([ldd, *existing], capture_output=True, text=True, check=False).stdout  # noqa: S603 - no shell
    return {line.split()[0] for line in answer.splitlines() if line.endswith("not found")}


def has_font() -> bool:
    """Return whether any font file is installed."""
    for folder in FONT_FOLDERS:
        for _, _, names in os.walk(Path(folder).expanduser()):
            if any(Path(name).suffix.lower() in FONT_SUFFIXES for name in names):
                return True
    return False


def missing_packages(want: str) -> tuple[set[str], set[str]]:
    """Return the Debian packages to install, and missing libraries whose package is unknown. `want` is a set of needs."""
    missing = missing_libraries(want)
    fonts = set() if has_font() else {"fonts-dejavu-core"}
    return {PACKAGES[name] for name in missing if name in PACKAGES} | fonts, missing - PACKAGES.keys()


def window_problem(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Return why Qt can't open a window on this system and what to do, or an empty string if it can.

    Without this check, Python would fail to import Qt, or Qt would end the program without a word in the log.
    """
    if not platform.startswith("linux") or loads(environment):
        return ""
    packages, unknown = missing_packages("display")
    lines = ["Turnwright can't open its window, because system libraries that Qt needs are missing."]
    if packages:
        lines.append(f"Install them: sudo apt-get install {' '.join(sorted(packages))}")
    if unknown:
        lines.append(f"Missing: {', '.join(sorted(unknown))}")
    if packages and shutil.which("apt-get") is None:
        lines[1] = f"Install the equivalents of these Debian packages: {' '.join(sorted(packages))}"
    return "\n".join(lines)


def loads(environment: Mapping[str, str]) -> bool:
    """Whether Qt's libraries load, and the platform plugin that Qt will choose. They stay loaded for Qt."""
    try:
        import_module("PySide6.QtWidgets")
    except ImportError:
        return False
    name = environment.get("QT_QPA_PLATFORM") or ("wayland" if environment.get("WAYLAND_DISPLAY") else "xcb")
    plugin = _qt_folder() / "plugins" / "platforms" / f"libq{name}.so"
    try:
        ctypes.CDLL(str(plugin))
    except OSError:
        return not plugin.exists()  # Qt itself reports an unknown platform
    return True


def main(want: str) -> None:
    """Print the packages. Print missing libraries of unknown packages to standard error."""
    if not sys.platform.startswith("linux"):
        return  # elsewhere PySide6 has everything it needs; setup.sh starts Qt to check that
    packages, unknown = missing_packages(want)
    for name in sorted(unknown):
        print(f"turnwright: Qt needs {name}, which isn't installed; the Debian package is unknown", file=sys.stderr)
    if packages:
        print(*sorted(packages))


if __name__ == "__main__":
    main(sys.argv[1])
