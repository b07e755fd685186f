"""Adds Turnwright to the menu of a Linux desktop, with its icon and the type of its files, and removes it again."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.storage.resources import resource_path

ID = "org.turnwright.Turnwright"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_UPDATES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))


def shortcut_files() -> dict[str, bytes]:
    """Return the files of the menu entry, by their paths below a folder such as `/usr/share`."""
    files = {
        f"applications/{ID}.desktop": f"desktop/{ID}.desktop",
        f"mime/packages/{ID}.xml": f"desktop/{ID}.mime.xml",
        f"icons/hicolor/scalable/apps/{ID}.svg": "icon/turnwright.svg",
        **{f"icons/hicolor/{size}x{size}/apps/{ID}.png": f"icon/turnwright-{size}.png" for size in SIZES},
    }
    return {name: resource_path(source).read_bytes() for name, source in files.items()}


def install_shortcuts(*, remove: bool, systems: RuleSystems) -> int:
    """Write the files of the menu entry for this account, or remove them. Return 1 if that fails."""
    if not sys.platform.startswith("linux"):
        print("turnwright install-shortcuts: expected Linux; elsewhere, make a shortcut to this program:", program())
        return 1
    folder = data_folder(os.environ)
    try:
        for name, content in shortcut_files().items():
            target = folder / name
            if remove:
                target.unlink(missing_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(started_by(program(), content) if name.endswith(".desktop") else content)
    except OSError as error:
        print(f"turnwright install-shortcuts: {error.filename}: {error.strerror or error}", file=sys.stderr)
        return 1
    for tool, place in _UPDATES:
        if shutil.which(tool) and (folder / place).is_dir():
            subprocess.run([tool, str(folder / place)], capture_output=True, check=False)  # noqa: S603 - no shell
    done = "Turnwright was removed from your menu" if remove else "Turnwright is in your menu, and opens its files"
    print(f"{done} ({folder}).")
    return 0


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder in which desktops look for this account's menu entries, icons and file types."""
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def program() -> Path:
    """Return the path of the program that is running."""
    return Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute()


def started_by(program: Path, entry: bytes) -> bytes:
    """Return a menu entry that starts the program at a path, which doesn't have to be found by its name."""
    quoted = re.sub(r'(["`$\\])', r"\\\1", str(program)).replace("\\", r"\\").replace("%", "%%")
    lines = [
        f'Exec="{quoted}" %f'
        if line.startswith("Exec=")
        else f"TryExec={program}"
        if line.startswith("TryExec=")
        else line
        for line in entry.decode().splitlines()
    ]
    return ("\n".join(lines) + "\n").encode()
