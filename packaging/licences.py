"""Collects the licences of all that is shipped into `resources/licences/`, where *Help > About* reads them.

They are those of the installed packages that the program depends on, by their metadata, and what `licences.toml` adds.
Run it with the pinned versions; tests/packaging/test_licences.py fails where that was forgotten.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import rtoml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "licences"
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)
# The texts of what is compiled into a package, for those that say so in a bill of materials.
CRATE_TEXTS = ("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "MPL-2.0", "Unicode-3.0", "CC0-1.0")


def normal(name: str) -> str:
    """Return a package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def runtime_packages() -> dict[str, Distribution]:
    """Return the installed packages that the program depends on, directly or not, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Distribution] = {}
    waiting = [Requirement(text) for text in project["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        if normal(wanted.name) in found or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found[normal(wanted.name)] = package = distribution(wanted.name)
        waiting += [Requirement(text) for text in package.requires or ()]
    return found


def licence_text(package: Distribution) -> str:
    """Return the licence files of a package under their names, empty where it ships none."""
    files = [file for file in package.files or () if ".dist-info/" in str(file) and LICENCE_FILE.search(str(file))]
    parts = []
    for file in sorted(files, key=str):
        name = str(file).partition(".dist-info/")[2].removeprefix("licenses/")
        lines = file.read_text(encoding="utf-8").replace("\f", "\n").splitlines()
        parts.append(f"{name}\n{'-' * len(name)}\n\n" + "\n".join(line.rstrip() for line in lines).strip("\n"))
    return "\n\n\n".join(parts)


def crates(package: Distribution) -> str:
    """Return the libraries that are compiled into a package, by its bill of materials: name, version, licence, authors."""
    bills = [file for file in package.files or () if str(file).endswith(".cyclonedx.json")]
    lines = set()
    for bill in bills:
        for part in json.loads(bill.read_text(encoding="utf-8"))["components"]:
            if part.get("scope") != "excluded":
                licence = " AND ".join(each.get("expression") or each["license"]["id"] for each in part["licenses"])
                authors = re.sub(r"\s*<[^>]*>", "", part.get("author", ""))
                by = f": {authors}" if authors else ""
                lines.add(f"{part['name']} {part['version']} ({licence}){by}")
    return "\n".join(sorted(lines))


def licence_name(package: Distribution) -> str:
    """Return the licence that a package's metadata name."""
    data = package.metadata
    named = data.get("License-Expression") or data.get("License")
    if named:
        return str(named)
    marks = [mark for mark in data.get_all("Classifier") or () if mark.startswith("License")]
    return marks[0].rpartition("::")[2].strip() if marks else "see its text"


def site(package: Distribution) -> str:
    """Return a package's home page."""
    urls = dict(line.split(", ", 1) for line in package.metadata.get_all("Project-URL") or ())
    by_name = {name.lower(): url for name, url in urls.items()}
    known = [by_name[name] for name in ("homepage", "source", "repository", "source code", "github") if name in by_name]
    home = package.metadata.get("Home-page")
    return str(known[0] if known else home or next(iter(urls.values()), ""))


def written_rows() -> list[dict[str, Any]]:
    """Return the rows of `licences.toml`."""
    rows: list[dict[str, Any]] = tomllib.loads((ROOT / "packaging" / "licences.toml").read_text(encoding="utf-8"))[
        "components"
    ]
    return rows


def common(names: Iterable[str]) -> list[str]:
    """Return the paths of texts that several components share, in the resources."""
    return [f"licences/common/{name}.txt" for name in names]


def collect() -> dict[str, str]:
    """Return what `resources/licences/` is to hold besides the common texts, by path."""
    packages, files = runtime_packages(), {"packages/turnwright.txt": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    rows: list[dict[str, Any]] = [
        {"name": "Turnwright", "licence": "MIT", "texts": ["licences/packages/turnwright.txt"]}
    ]
    for row in written_rows():
        if of := row.pop("version-of", row.get("package")):
            row["version"] = packages[normal(of)].version
        files_of = row.pop("files", ())
        rows.append({**row, "texts": [*common(row.get("texts", ())), *files_of]})
    by_hand = {normal(row["package"]) for row in rows if "package" in row}
    for name, package in sorted(packages.items()):
        if name in by_hand:
            continue
        row = {"name": package.metadata["Name"], "package": name, "version": package.version}
        rows.append(
            {**row, "licence": licence_name(package), "site": site(package), "texts": [f"licences/packages/{name}.txt"]}
        )
        files[f"packages/{name}.txt"] = licence_text(package) + "\n"
        if inside := crates(package):
            files[f"packages/{name}-inside.txt"] = f"Compiled into it:\n\n{inside}\n"
            rows[-1]["texts"] += [f"licences/packages/{name}-inside.txt", *common(CRATE_TEXTS)]
    return {**files, "index.toml": rtoml.dumps({"components": rows})}


def main() -> None:
    """Write the files, and remove those of packages that are no longer needed."""
    files = collect()
    (FOLDER / "packages").mkdir(exist_ok=True)
    for path, text in files.items():
        (FOLDER / path).write_text(text, encoding="utf-8", newline="\n")
    for old in (FOLDER / "packages").iterdir():
        if f"packages/{old.name}" not in files:
            old.unlink()


if __name__ == "__main__":
    main()
