"""Finds the libraries that Qt needs and that this Linux system lacks, and the Debian packages that contain them.

It asks the loader (`ldd`) about PySide6's own libraries and platform plugins, so it can't get out of date, and looks
for a font. `packaging/setup.sh` runs it as a program: `offscreen` for the needs of the tests, `display` for those of a
window as well.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

LIBRARIES = ("Core", "Gui", "Widgets", "Svg", "DBus", "Test", "OpenGL", "OpenGLWidgets")
PLUGINS = {
    "offscreen": ("platforms/libqoffscreen.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so"),
    "display": ("platforms/libqxcb.so", "xcbglintegrations/libqxcb-glx-integration.so"),
    "wayland": ("platforms/libqwayland.so", "wayland-shell-integration/libxdg-shell.so"),
}
PACKAGES = {
    "libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libX11-xcb.so.1": "libx11-xcb1", "libX11.so.6": "libx11-6",
    "libcups.so.2": "libcups2", "libdbus-1.so.3": "libdbus-1-3", "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6", "libgcc_s.so.1": "libgcc-s1", "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0", "libstdc++.so.6": "libstdc++6", "libuuid.so.1": "libuuid1",
    "libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1", "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0", "libxcb-icccm.so.4": "libxcb-icccm4", "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1", "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0", "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0", "libxcb-shm.so.0": "libxcb-shm0", "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1", "libxcb-xfixes.so.0": "libxcb-xfixes0", "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1", "libxkbcommon-x11.so.0": "libxkbcommon-x11-0", "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g", "libzstd.so.1": "libzstd1",
}  # fmt: skip
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
    yield from (qt / "lib" / f"libQt6{name}.so.6" for name in LIBRARIES)
    yield from (qt / "plugins" / name for kind in kinds for name in PLUGINS[kind])


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
