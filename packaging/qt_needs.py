"""Prints the Debian packages that Qt lacks on this system, in one line, or nothing if it lacks none.

It asks the loader (`ldd`) about PySide6's own libraries and platform plugins, so it can't get out of date, and looks
for a font. `setup.sh` runs it: `offscreen` for the needs of the tests, `display` for those of a window as well.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LIBRARIES = ("Core", "Gui", "Widgets", "Svg", "DBus", "Test", "OpenGL", "OpenGLWidgets")
PLUGINS = {
    "offscreen": ("platforms/libqoffscreen.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so"),
    "display": ("platforms/libqxcb.so", "xcbglintegrations/libqxcb-glx-integration.so"),
    "wayland": ("platforms/libqwayland.so", "wayland-shell-integration/libxdg-shell.so"),
}
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libcups.so.2": "libcups2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libuuid.so.1": "libuuid1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_SUFFIXES = {".ttf", ".otf", ".ttc", ".pfb"}


def binaries(want: str) -> Iterator[Path]:
    """Yield the files of PySide6 whose libraries are required."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("qt_needs: PySide6 is not installed; run packaging/setup.sh")
    qt = Path(next(iter(spec.submodule_search_locations))) / "Qt"
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
    answer = subprocess.run([ldd, *existing], capture_output=True, text=True, check=False).stdout
    return {line.split()[0] for line in answer.splitlines() if line.endswith("not found")}


def has_font() -> bool:
    """Return whether any font file is installed."""
    for folder in FONT_FOLDERS:
        for _, _, names in os.walk(Path(folder).expanduser()):
            if any(Path(name).suffix.lower() in FONT_SUFFIXES for name in names):
                return True
    return False


def main(want: str) -> None:
    """Print the packages. Print missing libraries of unknown packages to standard error."""
    if not sys.platform.startswith("linux"):
        return  # elsewhere PySide6 has everything it needs; setup.sh starts Qt to check that
    missing = missing_libraries(want)
    packages = {PACKAGES[name] for name in missing if name in PACKAGES}
    for name in sorted(missing - PACKAGES.keys()):
        print(f"turnwright: Qt needs {name}, which isn't installed; the Debian package is unknown", file=sys.stderr)
    if not has_font():
        packages.add("fonts-dejavu-core")
    if packages:
        print(*sorted(packages))


if __name__ == "__main__":
    main(sys.argv[1])
