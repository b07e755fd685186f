"""Makes the packages of this platform in `dist/`, with its own environment in `build/package`: `make package`.

`--again` makes the program's folder a second time and compares the two, byte for byte.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pins

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "package"
_WINDOWS = sys.platform == "win32"
_KEY_FILES = ("pyproject.toml", "packaging/hashes.txt")


def main() -> None:
    """Create the environment if necessary, then the program's folder, and then the packages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for the packages (default: dist)")
    parser.add_argument("--folder", action="store_true", help="make only the program's folder")
    parser.add_argument("--again", action="store_true", help="make the folder twice and compare")
    parser.add_argument(
        "--level",
        type=int,
        default=6,
        choices=range(10),
        help="the compression level (default: 6; 1 takes a fifth of the time)",
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        python = environment()
        arguments_inside = [word for word in sys.argv[1:] if word != "--inside"]
        raise SystemExit(
            subprocess.run([python, __file__, "--inside", *arguments_inside], env=settings(), check=False).returncode
        )
    folder = freeze(BUILD / "folder")
    print(folder.relative_to(ROOT), size_in_words(folder))
    if arguments.again:
        compare(folder, freeze(BUILD / "again"))
    if not arguments.folder:
        for package in packages(folder, arguments.out, arguments.level):
            print(package, size_in_words(package))


def environment() -> Path:
    """Return the Python of an environment with the pinned versions. Create it again if the pins have changed."""
    folder = BUILD / "venv"
    python = folder / ("Scripts/python.exe" if _WINDOWS else "bin/python")
    key_data = b"".join((ROOT / name).read_bytes() for name in _KEY_FILES)
    key = f"{folder} {sys.version} {crc32(key_data)}"
    key_file = folder / "made-from"
    if not key_file.is_file() or key_file.read_text("utf-8") != key:
        print("creating", folder.relative_to(ROOT), file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        wanted = BUILD / "requirements.txt"
        wanted.write_text(pins.hashed(pins.resolved("package", pinned=True)), "utf-8")
        pins.pip(python, "install", "--require-hashes", "--no-deps", "--requirement", wanted)
        pins.pip(python, "install", "--no-deps", "--no-build-isolation", "--editable", ROOT)
        key_file.write_text(key, "utf-8")
    return python


def settings() -> dict[str, str]:
    """Return the environment variables of the build, without those that could change the result."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_"))}
    return {
        **variables,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": str(epoch()),
        "PYINSTALLER_CONFIG_DIR": str(BUILD / "pyinstaller"),
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def epoch() -> int:
    """Return the time for all files: `SOURCE_DATE_EPOCH`, else the time of the commit, else that of pyproject.toml."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated.isdecimal():
        return int(stated)
    git = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
    output = subprocess.run(git, capture_output=True, text=True, check=False).stdout if shutil.which("git") else ""
    return int(output) if output.strip().isdecimal() else int((ROOT / "pyproject.toml").stat().st_mtime)


def freeze(into: Path) -> Path:
    """Compile the kernels, index the library, make the program's folder with PyInstaller, and return it."""
    for script in ("kernels.py", "library_index.py"):
        subprocess.run([sys.executable, ROOT / "packaging" / script], check=False)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    log = into / "pyinstaller.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "INFO"]
    command += ["--distpath", into, "--workpath", into / "work", ROOT / "packaging" / "turnwright.spec"]
    with log.open("w") as output:
        process = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False)
    if process.returncode != 0:
        raise SystemExit(f"{log.read_text()}\npackage: PyInstaller failed; its messages are above")
    return into / ("Turnwright.app" if sys.platform == "darwin" else "turnwright")


def packages(folder: Path, out: Path, level: int) -> list[Path]:
    """Write the packages of this platform, and return their paths. `level` is the compression level for Linux."""
    out.mkdir(parents=True, exist_ok=True)
    if sys.platform == "linux":
        from linux_packages import make

        return make(folder, BUILD, out, epoch(), level)
    from bundle import version

    if _WINDOWS:
        script = ROOT / "packaging" / "windows" / "turnwright.iss"
        subprocess.run(["iscc", "/Q", f"/DVersion={version()}", f"/DFolder={folder}", f"/O{out}", script], check=True)
        return [out / f"turnwright-{version()}-windows-setup.exe"]
    image = out / f"Turnwright-{version()}.dmg"
    subprocess.run(["sh", ROOT / "packaging" / "macos" / "disk_image.sh", folder, image], check=True)
    return [image]


def compare(folder: Path, other: Path) -> None:
    """Print how many files of two folders differ, and their names. Exit with 1 if any do."""
    first, second = _digests(folder), _digests(other)
    differing = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    print(f"made twice: {len(first)} files, {len(differing)} differ")
    for name in differing:
        print("  ", name)
    if differing:
        raise SystemExit(1)


def _digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): f"-> {path.readlink()}"
        if path.is_symlink()
        else sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def size_in_words(path: Path) -> str:
    """Return the size of a file or folder in megabytes."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file() and not file.is_symlink()]
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


if __name__ == "__main__":
    main()
