"""Makes the packages of this platform in `dist/`, with an environment of their own in `build/package`: `make package`.

`--again` makes the program's folder a second time and compares the two byte for byte.
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

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "package"
_WINDOWS = sys.platform == "win32"
_DECIDING = ("pyproject.toml", "packaging/constraints.txt")


def main() -> None:
    """Make the environment if need be, in it the program's folder, and of that the packages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the packages go")
    parser.add_argument("--folder", action="store_true", help="make only the folder of the program")
    parser.add_argument("--again", action="store_true", help="make the folder twice, and compare")
    parser.add_argument(
        "--level", type=int, default=6, choices=range(10), help="how hard to compress; 1 takes a fifth of the time"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        python = environment()
        words = [word for word in sys.argv[1:] if word != "--inside"]
        raise SystemExit(subprocess.run([python, __file__, "--inside", *words], env=settings(), check=False).returncode)
    folder = freeze(BUILD / "folder")
    print(folder.relative_to(ROOT), size_in_words(folder))
    if arguments.again:
        compare(folder, freeze(BUILD / "again"))
    if not arguments.folder:
        for package in packages(folder, arguments.out, arguments.level):
            print(package, size_in_words(package))


def environment() -> Path:
    """Return the Python of an environment with the pinned versions, made anew where they have changed."""
    folder = BUILD / "venv"
    python = folder / ("Scripts/python.exe" if _WINDOWS else "bin/python")
    deciding = b"".join((ROOT / name).read_bytes() for name in _DECIDING)
    key = f"{folder} {sys.version} {crc32(deciding)}"
    done = folder / "made-from"
    if not done.is_file() or done.read_text("utf-8") != key:
        print("making", folder.relative_to(ROOT), file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        pinned = ["--constraint", ROOT / "packaging" / "constraints.txt"]
        subprocess.run([*pip, *pinned, "--editable", f"{ROOT}[package]"], check=True)
        done.write_text(key, "utf-8")
    return python


def settings() -> dict[str, str]:
    """Return the environment variables of the build: none that would change what comes out."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_"))}
    return {
        **kept,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": str(epoch()),
        "PYINSTALLER_CONFIG_DIR": str(BUILD / "pyinstaller"),
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def epoch() -> int:
    """Return the time that everything is dated: that of the commit, else of pyproject.toml; `SOURCE_DATE_EPOCH` overrules."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated.isdecimal():
        return int(stated)
    git = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
    words = subprocess.run(git, capture_output=True, text=True, check=False).stdout if shutil.which("git") else ""
    return int(words) if words.strip().isdecimal() else int((ROOT / "pyproject.toml").stat().st_mtime)


def freeze(into: Path) -> Path:
    """Make the folder of the program with PyInstaller; return it."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    log = into / "pyinstaller.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "INFO"]
    command += ["--distpath", into, "--workpath", into / "work", ROOT / "packaging" / "turnwright.spec"]
    with log.open("w") as words:
        done = subprocess.run(command, cwd=ROOT, stdout=words, stderr=words, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{log.read_text()}\npackage: PyInstaller failed; its words are above")
    return into / ("Turnwright.app" if sys.platform == "darwin" else "turnwright")


def packages(folder: Path, out: Path, level: int) -> list[Path]:
    """Write the packages of this platform; return their paths. `level` says how hard those for Linux are compressed."""
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


def compare(one: Path, other: Path) -> None:
    """Print how many files of two folders are alike, and which are not; exit with 1 for any."""
    first, second = _digests(one), _digests(other)
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
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file() and not one.is_symlink()]
    return f"{sum(one.stat().st_size for one in files) / 1e6:.1f} MB"


if __name__ == "__main__":
    main()
