"""Generates docs/reference/ids.md: the ids of each rule system that encounter files may use, by kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from turnwright.bootstrap import SHIPPED
from turnwright.rules.system_data import SystemData
from turnwright.storage.resources import habitats
from turnwright.storage.system_data import read_system_data

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "ids.md"
_TOP: Final = """\
# Ids of the rule systems

[Encounter files](encounter-file.md) and [stat blocks](creature.md) refer to parts of the rule system by their ids. The
tables below list them. `make documents` generates this page.
"""
# The kinds of ids as the reference calls them, and the tables of a rule system that define them.
_KINDS: Final = (
    ("ability id", "abilities"),
    ("skill id", "skills"),
    ("size id", "sizes"),
    ("speed id", "speeds"),
    ("sense id", "senses"),
    ("damage type id", "damage_types"),
    ("other resistance", "damage_traits"),
    ("condition id", "conditions"),
    ("resource id", "resources"),
    ("action id", "actions"),
    ("gear id", "gear"),
    ("specialty id", "specialties"),
    ("adjustment id", "adjustments"),
    ("house rule id", "options"),
    ("type of terrain", "terrains"),
    ("environment id", "environments"),
    ("spawned creature", "spawns"),
    ("spell id", "spells"),
)


def page() -> str:
    """Return the text of the page."""
    places = f"\nAll games have the same habitat ids: {', '.join(f'`{id}`' for id in habitats())}.\n"
    systems = sorted(map(read_system_data, SHIPPED), key=lambda data: data.name)
    return (
        _TOP
        + places
        + "".join(f"\n## {data.name}\n\n| Kind | Ids |\n|---|---|\n{''.join(_rows(data))}" for data in systems)
    )


def _rows(data: SystemData) -> Iterator[str]:
    saves = ", ".join(f"`{ability}` ({name})" for ability, name in data.presentation.saves)
    for kind, table in _KINDS:
        ids = [getattr(entry, "id", entry) for entry in getattr(data, table) if getattr(entry, "printed", True)]
        if ids:
            yield f"| {kind} | {', '.join(f'`{id}`' for id in ids)} |\n"
        if kind == "ability id" and saves:
            yield f"| ability id of saves | {saves} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
