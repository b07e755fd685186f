"""Makes a release in `dist/`: `make release`, or `make release VERSION=1.2.0` for another version than the present one.

The version is the one in `turnwright/__init__.py`. The section *Unreleased* of the changelog becomes the section of the
version, with the date. Then the script makes the source distribution, the wheel (which it installs and tests), the
packages of this platform, and the checksums. It doesn't commit or publish anything; its last line shows how.
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
    """Raised if no release can be made of the tree or the version. The message is the reason."""


def cut(changelog: str, version: str, day: date) -> str:
    """Return the changelog with its unreleased entries under a version and its date.

    It is unchanged if that was done before.
    """
    if changelog.count(f"{_UNRELEASED}\n") != 1:
        raise NotReadyError(f"CHANGELOG.md: expected exactly one line {_UNRELEASED}")
    before, _, after = changelog.partition(f"{_UNRELEASED}\n")
    waiting = re.split(r"^## \[", after, maxsplit=1, flags=re.MULTILINE)[0].strip()
    if re.search(rf"^## \[{re.escape(version)}\]", after, re.MULTILINE):
        if waiting:
            raise NotReadyError(
                f"CHANGELOG.md: there are unreleased entries, although there is already a section {version}"
            )
        return changelog
    if not waiting:
        raise NotReadyError("CHANGELOG.md: the section Unreleased is empty")
    return f"{before}{_UNRELEASED}\n\n## [{version}] - {day.isoformat()}\n{after}"


def checked_version(present: str, wanted: str) -> str:
    """Return the version to release: the present one, or the requested one. Raise NotReadyError if it is invalid."""
    if not wanted:
        return present
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", wanted):
        raise NotReadyError(f"'{wanted}' is not a version; expected three numbers such as 1.2.0")
    if _parts(wanted) < _parts(present):
        raise NotReadyError(f"version {wanted} is earlier than the present {present}")
    return wanted


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def with_version(module: str, version: str) -> str:
    """Return the text of the version module with another version."""
    changed, count = re.subn(r'^__version__ = "[^"]*"$', f'__version__ = "{version}"', module, flags=re.MULTILINE)
    if count != 1:
        raise NotReadyError("turnwright/__init__.py: expected exactly one line with `__version__`")
    return changed


def write_sums(folder: Path) -> Path:
    """Write the checksums of all files in a folder, in the format of `sha256sum --check`. Return their file."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = folder / SUMS
    sums.write_text("".join(lines), encoding="utf-8", newline="\n")
    return sums


def changed_files() -> list[str]:
    """Return the files that Git reports as changed, except the version and the changelog."""
    git = ["git", "-C", str(ROOT), "status", "--porcelain"]
    lines = subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    own = {path.relative_to(ROOT).as_posix() for path in (VERSION_FILE, CHANGELOG)}
    return [line for line in lines if line[3:] not in own]


def release(wanted: str, out: Path, *, packages: bool) -> str:
    """Make all files of a release, and return its version. Raise NotReadyError before anything is written."""
    if changed := changed_files():
        raise NotReadyError("commit or remove these files first:\n" + "\n".join(changed))
    version, day = checked_version(bundle.version(), wanted), datetime.now(UTC).date()
    module = with_version(VERSION_FILE.read_text(encoding="utf-8"), version)
    changelog = cut(CHANGELOG.read_text(encoding="utf-8"), version, day)
    VERSION_FILE.write_text(module, encoding="utf-8", newline="\n")
    CHANGELOG.write_text(changelog, encoding="utf-8", newline="\n")
    # Files get the time of midnight, because the commit of the release doesn't exist yet.
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
    """Make the release, and print the commands for publishing it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--version", default="", help="the version (default: the present one)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for the files (default: dist)")
    parser.add_argument(
        "--without-packages", action="store_true", help="make only the source distribution and the wheel"
    )
    arguments = parser.parse_args()
    try:
        version = release(arguments.version, arguments.out, packages=not arguments.without_packages)
    except NotReadyError as reason:
        raise SystemExit(f"release: {reason}") from None
    print((arguments.out / SUMS).read_text(encoding="utf-8"), end="")
    print(f"next: git commit --all --message 'Release {version}' && git tag v{version}")


if __name__ == "__main__":
    main()
