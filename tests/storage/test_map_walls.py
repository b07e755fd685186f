"""Pictures, barriers, doors and lights of a map in an encounter's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.encounter.prepared import Door, Map, MapBarrier, MapLight, MapPicture
from turnwright.storage.encounters import EncounterFile, parse_encounter, read_encounter

TEXT = """\
format = 3
system = "a5e"

[map]
columns = 12
rows = 8
picture = { file = "tomb.map.png", size = [12.0, 8.0] }  # drawn elsewhere
barriers = [
    { kind = "wall", points = [[1.5, 2], [3.25, 4.0], [3.25, 6.5]] },
    { kind = "object", points = [[8.0, 1.0], [9.0, 1.0], [9.0, 2.0]] },
]
lights = [{ at = [2.5, 2.5], bright = 30, colour = "#eccd8b" }]

[map.doors.north-gate]
at = [6.0, 1.5, 6.0, 2.5]
kind = "secret"
"""


def read(text: str):
    return parse_encounter(text.encode(), Path("tomb.toml"), ("a5e",))


def test_every_part_is_read() -> None:
    loaded = read(TEXT)
    assert loaded.encounter is not None
    assert not loaded.findings
    battle_map = loaded.encounter.need(Map, "map")
    assert battle_map.picture == MapPicture("tomb.map.png", size=(12.0, 8.0))
    assert battle_map.barriers[0] == MapBarrier("wall", ((1.5, 2.0), (3.25, 4.0), (3.25, 6.5)))
    assert battle_map.doors == (Door("north-gate", (6.0, 1.5, 6.0, 2.5), "secret"),)
    assert battle_map.lights == (MapLight((2.5, 2.5), 30, colour="#eccd8b"),)


def test_the_text_stays_as_it_was_written() -> None:
    loaded = read(TEXT)
    assert loaded.encounter is not None
    assert EncounterFile(TEXT).render(loaded.encounter) == TEXT
    again = read(EncounterFile().render(loaded.encounter))
    assert again.encounter == loaded.encounter
    assert not again.findings


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[3.25, 6.5]]", "[3.25, 8.5]]", 9, "outside the map (12 columns, 8 rows)"),
        ("[[1.5, 2], [3.25, 4.0], [3.25, 6.5]]", "[[1.5, 2]]", 9, "a line needs at least two points"),
        ("[6.0, 1.5, 6.0, 2.5]", "[6.0, 1.5, 6.0, 1.5]", 15, "must have two different ends"),
        ('kind = "secret"', 'kind = "secre"', 16, "did you mean 'secret'"),
        ('"#eccd8b"', '"beige"', 12, "expected a colour such as #eccd8b"),
        ("[2.5, 2.5]", "[2.5, nan]", 12, "expected a finite number"),
        ("size = [12.0, 8.0] }", "size = [12.0, -8.0] }", 7, "must not be below 0"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in TEXT
    findings = read(TEXT.replace(old, new)).findings
    assert [finding.line for finding in findings] == [line]
    assert message in findings[0].message


def test_a_missing_picture_is_told_and_the_encounter_opens(tmp_path: Path) -> None:
    file = tmp_path / "tomb.toml"
    file.write_text(TEXT)
    loaded = read_encounter(file, ("a5e",))
    assert loaded.encounter is not None
    assert [finding.line for finding in loaded.findings] == [7]
    assert 'no file "tomb.map.png"' in loaded.findings[0].message
    (tmp_path / "tomb.map.png").write_bytes(b"\x89PNG\r\n\x1a\n....")
    assert not read_encounter(file, ("a5e",)).findings
