"""Collects the licences of everything that is shipped, into `resources/licences/`, for *Help › About*.

They come from the metadata of the installed packages that the program depends on, and from `licences.toml`.
Run it with the pinned versions; tests/packaging/test_licences.py fails if the result is out of date.
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
# The licences of libraries compiled into a package, for packages with a bill of materials.
CRATE_TEXTS = ("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "MPL-2.0", "Unicode-3.0", "CC0-1.0")


def normal(name: str) -> str:
    """Return a package's name in the normalised form of package registries."""
    return re.sub(r"[-_.]+", "-", name).lower()


def runtime_packages() -> dict[str, Distribution]:
    """Return all installed packages that the program depends on, directly or indirectly, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages: dict[str, Distribution] = {}
    waiting = [Requirement(text) for text in project["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        if normal(requirement.name) in packages or (
            requirement.marker and not requirement.marker.evaluate({"extra": ""})
        ):
            continue
        packages[normal(requirement.name)] = package = distribution(requirement.name)
        waiting += [Requirement(text) for text in package.requires or ()]
    return packages


def licence_text(package: Distribution) -> str:
    """Return the licence files of a package, each under its name, or an empty string if there are none."""
    files = [file for file in package.files or () if ".dist-info/" in str(file) and LICENCE_FILE.search(str(file))]
    parts = []
    for file in sorted(files, key=str):
        name = str(file).partition(".dist-info/")[2].removeprefix("licenses/")
        lines = file.read_text(encoding="utf-8").replace("\f", "\n").splitlines()
        parts.append(f"{name}\n{'-' * len(name)}\n\n" + "\n".join(line.rstrip() for line in lines).strip("\n"))
    return "\n\n\n".join(parts)


def crates(package: Distribution) -> str:
    """Return the libraries compiled into a package, from its bill of materials: name, version, licence and authors."""
    bills = [file for file in package.files or () if str(file).endswith(".cyclonedx.json")]
    lines = set()
    for bill in bills:
        for part in json.loads(bill.read_text(encoding="utf-8"))["components"]:
            if part.get("scope") != "excluded":
                licence = " AND ".join(data.get("expression") or data["license"]["id"] for data in part["licenses"])
                authors = re.sub(r"\s*<[^>]*>", "", part.get("author", ""))
                by = f": {authors}" if authors else ""
                lines.add(f"{part['name']} {part['version']} ({licence}){by}")
    return "\n".join(sorted(lines))


def licence_name(package: Distribution) -> str:
    """Return the licence of a package, from its metadata."""
    data = package.metadata
    named = data.get("License-Expression") or data.get("License")
    if named:
        return str(named)
    marks = [mark for mark in data.get_all("Classifier") or () if mark.startswith("License")]
    return marks[0].rpartition("::")[2].strip() if marks else "see the licence text"


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
    """Return the resource paths of texts that several components share."""
    return [f"licences/common/{name}.txt" for name in names]


def collect() -> dict[str, str]:
    """Return the contents of `resources/licences/` except the common texts, by path."""
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
