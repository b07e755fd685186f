"""Where the shipped data is: systems, environments, the starter library, words, themes and sample encounters.

Everything that reads shipped data asks here, so that a checkout and an installed wheel differ in this one place.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def resource_root() -> Path:
    """The folder of shipped data: inside the package when installed, at the top of the repository in a checkout."""
    bundled = _PACKAGE / "_resources"
    return bundled if bundled.is_dir() else _PACKAGE.parents[1] / "resources"


def resource_path(relative: str) -> Path:
    """The path of a piece of shipped data, such as `systems/a5e/conditions.toml`; it need not exist."""
    return resource_root() / relative


def read_text(relative: str) -> str:
    """The text of a shipped file; FileNotFoundError where there is none."""
    return resource_path(relative).read_text(encoding="utf-8")


def sample_encounters() -> list[Path]:
    """The sample encounters, by file name."""
    root = resource_root()
    folder = root / "encounters" if root.parent == _PACKAGE else root.parent / "encounters"
    return sorted(path for path in folder.glob("*.toml") if not path.name.endswith(".fight.toml"))
