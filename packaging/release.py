"""Makes a release in `dist/`: `make release`, or `make release VERSION=1.2.0` for another version than the present one.

The version is that of `turnwright/__init__.py`, where it stands alone. CHANGELOG's *Unreleased* becomes the section of the
version, with the date; then come the source distribution, the wheel, which is installed and tried, the packages of this
platform, and the check sums of them all. Nothing is committed or published: the last lines say how.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path

import bundle
import wheel_test

ROOT = Path(__file__).resolve().parent.parent
VERSION_FILE = ROOT / "desktop" / "turnwright" / "__init__.py"
CHANGELOG = ROOT / "CHANGELOG.md"
SUMS = "SHA256SUMS"
_UNRELEASED = "## [Unreleased]"


class NotReadyError(Exception):
    """Raised for a tree or a version of which no release can be made; its text says why."""


def cut(changelog: str, version: str, day: date) -> str:
    """Return the changelog with what is unreleased under a version and its date; unchanged where that was done before."""
    if changelog.count(f"{_UNRELEASED}\n") != 1:
        raise NotReadyError(f"CHANGELOG.md has no line {_UNRELEASED}")
    before, _, after = changelog.partition(f"{_UNRELEASED}\n")
    waiting = re.split(r"^## \[", after, maxsplit=1, flags=re.MULTILINE)[0].strip()
    if re.search(rf"^## \[{re.escape(version)}\]", after, re.MULTILINE):
        if waiting:
            raise NotReadyError(f"CHANGELOG.md has a section {version}, and something unreleased besides")
        return changelog
    if not waiting:
        raise NotReadyError("CHANGELOG.md says nothing under Unreleased")
    return f"{before}{_UNRELEASED}\n\n## [{version}] - {day.isoformat()}\n{after}"


def checked_version(present: str, wanted: str) -> str:
    """Return the version to release: the present one, or a later one that is asked for."""
    if not wanted:
        return present
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", wanted):
        raise NotReadyError(f"{wanted} is no version such as 1.2.0")
    if _parts(wanted) < _parts(present):
        raise NotReadyError(f"{wanted} is earlier than {present}")
    return wanted


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def with_version(module: str, version: str) -> str:
    """Return the text of the module with another version."""
    changed, count = re.subn(r'^__version__ = "[^"]*"$', f'__version__ = "{version}"', module, flags=re.MULTILINE)
    if count != 1:
        raise NotReadyError("turnwright/__init__.py does not name one version")
    return changed


def write_sums(folder: Path) -> Path:
    """Write the check sums of all files of a folder as `sha256sum --check` reads them; return their file."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = folder / SUMS
    sums.write_text("".join(lines), encoding="utf-8", newline="\n")
    return sums


def changed_files() -> list[str]:
    """Return what git reports as changed, the version and the changelog aside."""
    git = ["git", "-C", str(ROOT), "status", "--porcelain"]
    lines = subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    own = {path.relative_to(ROOT).as_posix() for path in (VERSION_FILE, CHANGELOG)}
    return [line for line in lines if line[3:] not in own]


def release(wanted: str, out: Path, *, packages: bool) -> str:
    """Make all files of a release; return its version. NotReadyError before anything is written."""
    if changed := changed_files():
        raise NotReadyError("commit this first, or remove it:\n" + "\n".join(changed))
    version, day = checked_version(bundle.version(), wanted), datetime.now(UTC).date()
    module = with_version(VERSION_FILE.read_text(encoding="utf-8"), version)
    changelog = cut(CHANGELOG.read_text(encoding="utf-8"), version, day)
    VERSION_FILE.write_text(module, encoding="utf-8", newline="\n")
    CHANGELOG.write_text(changelog, encoding="utf-8", newline="\n")
    # The files are dated by the day, for the commit that will have them isn't made yet.
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(int(midnight.timestamp())))
    shutil.rmtree(out, ignore_errors=True)
    _, wheel = wheel_test.build(out)
    subprocess.run([sys.executable, wheel_test.__file__, wheel], check=True)
    if packages:
        subprocess.run([sys.executable, ROOT / "packaging" / "package.py", "--out", out], check=True)
    write_sums(out)
    return version


def main() -> None:
    """Make the release, and say what is left to do."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--version", default="", help="the version, by default the present one")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--without-packages", action="store_true", help="only the source distribution and the wheel")
    given = parser.parse_args()
    try:
        version = release(given.version, given.out, packages=not given.without_packages)
    except NotReadyError as reason:
        raise SystemExit(f"release: {reason}") from None
    print((given.out / SUMS).read_text(encoding="utf-8"), end="")
    print(f"now: git commit --all --message 'Release {version}' && git tag v{version}")


if __name__ == "__main__":
    main()
