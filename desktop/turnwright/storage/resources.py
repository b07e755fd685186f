"""Locates shipped data: systems, environments, the starter library, texts, themes and sample encounters.

Everything that reads shipped data asks here, so that a checkout, an installed wheel and a program that PyInstaller froze
differ in this one place.
"""

from __future__ import annotations

import sys
from pathlib import Path

_FROZEN: str | None = getattr(sys, "_MEIPASS", None)  # where PyInstaller has put the packages and their data
_PACKAGE = Path(_FROZEN, "turnwright") if _FROZEN else Path(__file__).resolve().parents[1]


def resource_root() -> Path:
    """Return the folder of shipped data: inside an installed or frozen package, or at the top of a checkout."""
    bundled = _PACKAGE / "_resources"
    return bundled if bundled.is_dir() else _PACKAGE.parents[1] / "resources"


def resource_path(relative: str) -> Path:
    """Return the path of a shipped file, such as `systems/a5e/conditions.toml`; it need not exist."""
    return resource_root() / relative


def read_text(relative: str) -> str:
    """Return the text of a shipped file; FileNotFoundError where there is none."""
    return resource_path(relative).read_text(encoding="utf-8")


def sample_encounters() -> list[Path]:
    """Return the paths of the sample encounters, by file name."""
    root = resource_root()
    folder = root / "encounters" if root.parent == _PACKAGE else root.parent / "encounters"
    return sorted(path for path in folder.glob("*.toml") if not path.name.endswith(".fight.toml"))
