"""Whole and sound files of every format that is read: the repository's own, and other programs' where they are at hand."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from tests.conftest import REAL_DATA, ROOT
from tests.importers import (
    test_fight_club,
    test_kobold,
    test_pf2_yaml,
    test_pf2e_tools,
    test_roll20,
    test_tetra_cube,
    test_universal_vtt,
)
from tests.importers import test_five_e_bits as five_e_bits
from tests.importers import test_improved_initiative as improved_initiative
from tests.importers.fantasy_statblocks import test_format as fantasy_statblocks
from tests.importers.five_e_tools import test_format as five_e_tools
from tests.importers.foundry import test_a5e, test_dnd5e, test_pf2e
from tests.importers.open5e import test_api, test_v1, test_v2
from tests.importers.pasted_text import test_reading

Files = dict[str, bytes]  # by their names: some formats spread a creature over several
MAX_ROWS: Final = 3
MAX_MAP: Final = 1_000_000  # bytes
_GOOD: Final = {".json", ".yaml", ".yml", ".json5", ".md", ".db", ".csv", ".xml"}


def foreign() -> dict[str, list[Files]]:
    """Return the files of other programs, by format."""
    found = {name: [{f"{name}.txt": _bytes(each)} for each in samples] for name, samples in _written_here().items()}
    found["open5e v2"] = [
        {
            "Creature.json": _bytes([test_v2.creature()]),
            "CreatureAction.json": _bytes([test_v2.action()]),
            "CreatureActionAttack.json": _bytes([test_v2.attack()]),
        }
    ]
    if REAL_DATA.is_dir():
        for path in sorted(REAL_DATA.rglob("*")):
            if path.suffix in _GOOD and path.is_file() and "uvtt" not in path.parts and path.name != "README.md":
                found.setdefault(path.relative_to(REAL_DATA).parts[0], []).append({path.name: path.read_bytes()})
    return found


def _bytes(sample: Any) -> bytes:
    return (sample if isinstance(sample, str) else json.dumps(sample)).encode()


def _written_here() -> dict[str, list[Any]]:
    return {
        "fight club": [f"<compendium>{test_fight_club.MOTH}</compendium>"],
        "kobold": [[test_kobold.ROW], f"{test_kobold.HEADINGS}\nOgre,2,Large,giant,,,,,11,59,-1,,,,Book: 3\n"],
        "pf2 yaml": [yaml.safe_dump(test_pf2_yaml.record())],
        "pf2etools": [{"creature": [test_pf2e_tools.STALKER]}],
        "roll20": list(test_roll20.SHAPES),
        "tetra-cube": [test_tetra_cube.MOTH],
        "fantasy statblocks": [[dict(fantasy_statblocks.STALKER)], fantasy_statblocks.DRAKE, fantasy_statblocks.COMMUNITY, fantasy_statblocks.block(json.dumps(fantasy_statblocks.STALKER))],
        "5e-bits": [[five_e_bits.record()]],
        "5etools": [{"monster": [five_e_tools.BOG_LORD], "legendaryGroup": [five_e_tools.GROUP]}],
        "foundry": [test_a5e.actor(), test_dnd5e.actor(), test_pf2e.later(), test_pf2e.earlier(), test_pf2e.hazard()],
        "improved initiative": [[improved_initiative.WEREBEAR]],
        "open5e": [[test_v1.monster()], {"results": [test_api.older()]}, {"results": [test_api.newer()]}],
        "pasted text": [test_reading.plain(), test_reading.pdf(), test_reading.homebrewery(), test_reading.html(), test_reading.copied_from_the_web(), test_reading.PATHFINDER],
    }  # fmt: skip


def shortened(data: bytes, random: Random) -> bytes:
    """Return a long list of JSON as a few of its rows, so that a thousand cases take no hour."""
    if len(data) < 100_000 or not data.lstrip().startswith(b"["):
        return data
    try:
        rows = json.loads(data)
    except ValueError:  # JSON5
        return data[: data.index(b"},", 30_000)] + b"}]"
    return json.dumps(random.sample(rows, min(len(rows), MAX_ROWS))).encode()


def maps() -> Iterator[bytes]:
    """Yield Universal VTT maps: two made here, and the smaller ones of other programs where they are at hand."""
    line, portal = test_universal_vtt.line, test_universal_vtt.portal
    yield test_universal_vtt.written(
        line_of_sight=[line((1, 1), (5, 1), (5, 4.5), (6.25, 6)), line((2, 1.01), (8, 0.99))],
        objects_line_of_sight=[line((2, 2), (4, 2), (4, 4), (2, 2))],
        portals=[portal((3, 1.5), (3, 2.5), closed=False), portal((5, 2), (5, 3))],
        lights=[{"position": {"x": 8, "y": 4}, "range": 8, "color": "ffeccd8b"}],
        image=b64encode(test_universal_vtt.PNG).decode(),
    )
    yield test_universal_vtt.written(origin=(2, 12), size=(4, 3.5), line_of_sight=[line((0, 12), (5, 14), (6, 20))])
    if REAL_DATA.is_dir():
        for path in sorted((REAL_DATA / "uvtt").rglob("*")):
            if path.suffix in (".dd2vtt", ".uvtt", ".json") and path.stat().st_size < MAX_MAP:
                yield path.read_bytes()


def encounters() -> Iterator[bytes]:
    """Yield the encounters of the repository."""
    for path in (*(ROOT / "encounters").glob("*.toml"), *(ROOT / "tests" / "playthroughs").glob("*.toml")):
        yield path.read_bytes()


def fights() -> Iterator[tuple[bytes, bytes]]:
    """Yield encounters, each with the fight beside it."""
    for path in (ROOT / "tests" / "storage" / "samples").rglob("encounter.toml"):
        beside = path.with_name("encounter.fight.toml")
        if beside.exists():
            yield path.read_bytes(), beside.read_bytes()


def logs() -> Iterator[bytes]:
    """Yield recovery logs."""
    for path in (ROOT / "tests" / "storage" / "samples").rglob("*.log"):
        yield path.read_bytes()


def library_files() -> Iterator[Path]:
    """Yield the files of the shipped libraries."""
    yield from sorted((ROOT / "resources" / "library").rglob("*.toml"))
    yield from sorted((ROOT / "resources" / "environments").rglob("*.toml"))
