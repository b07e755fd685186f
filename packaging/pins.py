"""Looks after the pinned versions: `pins.py newest` shows newer ones and tries them, `pins.py hashes` lists their files.

`newest` asks pip for the newest versions that pyproject.toml allows, and prints what changes, licences included. `--test`
runs the tests with them in an environment in `build/newest`, and `--write` pins them. `hashes` writes the SHA-256 of every
file of each pinned version to `hashes.txt`: a release is built from these files only.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Callable, Iterable, Mapping
from email.parser import HeaderParser
from io import BytesIO
from pathlib import Path
from typing import Any

from pip._internal.models.index import PyPI

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
HASHES = ROOT / "packaging" / "hashes.txt"
_JSON = "application/vnd.pypi.simple.v1+json"
_HEAD = "# The files of the versions in constraints.txt, by their SHA-256: python packaging/pins.py hashes\n"


def normal(name: str) -> str:
    """Return a package's name in the normalised form of package registries."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, tuple[str, str]]:
    """Return each pinned package's name as it is written, and its version, by normalised name."""
    lines = [line.split("==") for line in text.splitlines() if line and not line.startswith("#")]
    return {normal(name): (name, version) for name, version in lines}


def pip(python: Path | str, *words: str | Path) -> str:
    """Run pip, and return what it prints. Raise SystemExit if it fails."""
    command = [str(python), "-m", "pip", *map(str, words), "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pins: pip {words[0]} failed; its messages are above")
    return done.stdout


def resolved(extra: str, *, pinned: bool) -> dict[str, tuple[str, str]]:
    """Return the name and version of everything that the project with an extra needs here, by normalised name.

    The versions are those of constraints.txt if `pinned`, or else the newest that are allowed.
    """
    limits = ("--constraint", CONSTRAINTS) if pinned else ()
    asked = (f".[{extra}]", "--dry-run", "--ignore-installed", "--report", "-")
    report = json.loads(pip(sys.executable, "install", *limits, *asked))
    found = [entry["metadata"] for entry in report["install"]]
    return {
        normal(entry["name"]): (entry["name"], entry["version"]) for entry in found if entry["name"] != "turnwright"
    }


def files_of(name: str, version: str) -> list[Mapping[str, Any]]:
    """Return what the index says of each file of a version. Raise OSError, or SystemExit if there is none."""
    request = urllib.request.Request(f"{PyPI.simple_url}/{normal(name)}/", headers={"Accept": _JSON})
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    ours = re.compile(rf"{re.escape(normal(name))}-{re.escape(version)}(-|\.tar\.gz|\.zip)")
    found = [file for file in files if ours.match(normal(name) + file["filename"][len(name) :])]
    if not found:
        raise SystemExit(f"pins: the index has no file of {name} {version}")
    return found


def licence(name: str, version: str) -> str:
    """Return the licence in the metadata of a version: the expression, or else its classifiers or its first line."""
    wheel = next((file for file in files_of(name, version) if file["filename"].endswith(".whl")), None)
    if wheel is None:
        return "unknown"
    metadata = HeaderParser().parsestr(metadata_of(wheel))
    classifiers = [text.rpartition(" :: ")[2] for text in metadata.get_all("Classifier", ()) if "License ::" in text]
    first_line = metadata.get("License", "").strip().partition("\n")[0]
    return metadata.get("License-Expression") or " AND ".join(classifiers) or first_line or "unknown"


def metadata_of(wheel: Mapping[str, Any]) -> str:
    """Return the metadata of a wheel: from the index if it has it, or else from the wheel. Raise OSError."""
    has_metadata = wheel.get("core-metadata")
    with urllib.request.urlopen(wheel["url"] + (".metadata" if has_metadata else ""), timeout=600) as answer:
        content = answer.read()
    if not has_metadata:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            content = archive.read(next(file for file in archive.namelist() if file.endswith(".dist-info/METADATA")))
    return str(content, "utf-8")


def changes(
    old: Mapping[str, tuple[str, str]], new: Mapping[str, tuple[str, str]], licence: Callable[[str, str], str]
) -> list[str]:
    """Return a line for each package that is new, gone, or of another version, with its licence."""
    lines = []
    for name in sorted({*old, *new}):
        if name not in new:
            lines.append(f"{name} {old[name][1]}: no longer needed")
        elif name not in old:
            lines.append(f"{name} {new[name][1]}: new; {licence(*new[name])}")
        elif old[name] != new[name]:
            before, after = licence(*old[name]), licence(*new[name])
            terms = after if before == after else f"licence {before} -> {after}"
            lines.append(f"{name} {old[name][1]} -> {new[name][1]}; {terms}")
    return lines


def newest(*, test: bool, write: bool) -> int:
    """Print what the newest allowed versions change. Return 1 if the tests fail with them."""
    old, new = resolved("dev", pinned=True), resolved("dev", pinned=False)
    lines = changes(old, new, licence)
    print("\n".join(lines) or "the pinned versions are the newest that are allowed")
    if test and lines and not passes(new):
        return 1
    if write and lines:
        CONSTRAINTS.write_text(with_versions(CONSTRAINTS.read_text("utf-8"), old, new), "utf-8")
    return 0


def with_versions(text: str, old: Iterable[str], new: Mapping[str, tuple[str, str]]) -> str:
    """Return the text of constraints.txt with new versions. Pins for other platforms and extras are kept."""
    head = [line for line in text.splitlines() if line.startswith("#")]
    before, gone = pins(text), {*old} - {*new}
    after = {name: (before.get(name, pin)[0], pin[1]) for name, pin in new.items()}
    rows = {name: pin for name, pin in (before | after).items() if name not in gone}
    return "\n".join([*head, *(f"{name}=={version}" for _, (name, version) in sorted(rows.items()))]) + "\n"


def passes(versions: Mapping[str, tuple[str, str]]) -> bool:
    """Whether all tests pass with these versions, in an environment in `build/newest`."""
    folder = ROOT / "build" / "newest"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    venv.create(folder, clear=True, with_pip=True)
    pip(python, "install", *(f"{name}=={version}" for name, version in versions.values()))
    pip(python, "install", "--no-deps", "--no-build-isolation", "--editable", ".")
    done = subprocess.run([str(python), "-m", "pytest", "-q", "-n", "auto", "--maxprocesses=4"], cwd=ROOT, check=False)
    return done.returncode == 0


def hash_lines(name: str, version: str) -> list[str]:
    """Return a requirement of a version with the hash of each of its files. Raise OSError."""
    hashes = sorted({file["hashes"]["sha256"] for file in files_of(name, version)})
    return " \\\n".join([f"{name}=={version}", *(f"    --hash=sha256:{digest}" for digest in hashes)]).split("\n")


def write_hashes() -> int:
    """Write hashes.txt for all pins. Raise OSError."""
    lines = [line for pin in pins(CONSTRAINTS.read_text("utf-8")).values() for line in hash_lines(*pin)]
    HASHES.write_text(_HEAD + "\n".join(lines) + "\n", "utf-8")
    return 0


def hashed(names: Iterable[str]) -> str:
    """Return the requirements in hashes.txt for packages, by their normalised names."""
    entries = HASHES.read_text("utf-8").removeprefix(_HEAD).replace("\\\n", "").splitlines()
    known = {normal(entry.partition("==")[0]): entry for entry in entries}
    return "\n".join(known[name] for name in sorted(names)) + "\n"


def main() -> int:
    """Run one of the two tasks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("task", choices=("newest", "hashes"))
    parser.add_argument("--test", action="store_true", help="run the tests with the newest versions")
    parser.add_argument("--write", action="store_true", help="pin the newest versions")
    arguments = parser.parse_args()
    return write_hashes() if arguments.task == "hashes" else newest(test=arguments.test, write=arguments.write)


if __name__ == "__main__":
    raise SystemExit(main())
