"""Finds shipped data: systems, environments, the starter library, texts, themes and sample encounters.

All access to shipped data goes through this module, because its location differs between a checkout, an installed
wheel and a program frozen by PyInstaller.
"""

import re
import sys
from functools import cache
from pathlib import Path

import rtoml

_FROZEN: str | None = getattr(sys, "_MEIPASS", None)  # the folder of packages and data in a PyInstaller program
_BASE = re.compile(r'^based_on = "([\w-]+)"', re.MULTILINE)
_PACKAGE = Path(_FROZEN, "turnwright") if _FROZEN else Path(__file__).resolve().parents[1]


def resource_root() -> Path:
    """Return the folder of shipped data: inside an installed or frozen package, or at the top of a checkout."""
    bundled = _PACKAGE / "_resources"
    return bundled if bundled.is_dir() else _PACKAGE.parents[1] / "resources"


def resource_path(relative: str) -> Path:
    """Return the path of a shipped file, such as `systems/a5e/conditions.toml`. The file may not exist."""
    return resource_root() / relative


@cache
def system_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folder of a rule system, after those of the systems that it is based on. The folder may not exist."""
    file = folder / "system.toml"
    base = _BASE.search(file.read_text(encoding="utf-8")) if file.is_file() else None
    return (*(system_folders(resource_root() / "systems" / base[1]) if base else ()), folder)


def shipped_folders(system: str, root: Path | None = None) -> tuple[Path, ...]:
    """Return the folder of a shipped rule system, after those of the systems that it is based on."""
    return system_folders((root or resource_root()) / "systems" / system)


def read_text(relative: str) -> str:
    """Return the text of a shipped file. Raise FileNotFoundError if it doesn't exist."""
    return resource_path(relative).read_text(encoding="utf-8")


@cache
def habitats() -> tuple[str, ...]:
    """Return the words for places where creatures live: those of the world, then the planes."""
    words: dict[str, list[str]] = rtoml.loads(read_text("habitats.toml"))
    return (*words["habitats"], *words["planes"])


def sample_encounters() -> list[Path]:
    """Return the paths of the sample encounters, sorted by file name."""
    return sorted(path for path in _samples().glob("*.toml") if not path.name.endswith(".fight.toml"))


def sample_adventures() -> list[Path]:
    """Return the paths of the plans of the sample adventures, sorted by the names of their folders."""
    return sorted(_samples().glob("*/adventure.toml"))


def sample_files() -> list[Path]:
    """Return the paths of the sample adventures, and then those of the sample encounters."""
    return [*sample_adventures(), *sample_encounters()]


def _samples() -> Path:
    root = resource_root()
    return root / "encounters" if root.parent == _PACKAGE else root.parent / "encounters"
