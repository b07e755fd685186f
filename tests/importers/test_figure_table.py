"""Every figure of the real files of every format is right or told; what differs in silence is a fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.figure_table import COLUMNS, FORMATS, Facts, Strike, compared, table
from tests.importers.written_files import NAMES, WRITERS


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_right_is_told(name: str, real_data: Path) -> None:
    folder = real_data / name
    if not folder.is_dir():
        pytest.skip(f"no real data of {name}")
    tally = compared(folder, FORMATS[name](folder))
    assert tally.creatures > 30
    assert [what for column in COLUMNS for what in tally.silent[column]] == []
    for column in COLUMNS:
        assert tally.right[column] >= 0.985 * tally.count(column)


@pytest.mark.parametrize("name", WRITERS)
def test_written_files_of_other_programs_are_right(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path)
    tally = compared(tmp_path, FORMATS[name](tmp_path))
    assert tally.creatures == len(NAMES)
    assert [what for column in COLUMNS for what in tally.silent[column]] == []
    for column in COLUMNS:
        assert tally.right[column] >= 0.995 * tally.count(column), (column, tally.told[column])


def test_a_figure_that_differs_is_counted_in_its_column(tmp_path: Path) -> None:
    record = {
        "name": "Wolf", "ac": 13, "hp": 11, "stats": [12, 15, 12, 3, 12, 6], "speed": "40 ft.",
        "actions": [{"name": "Bite", "desc": "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 7 (2d4 + 2) piercing damage."}],
    }  # fmt: skip
    (tmp_path / "wolf.json").write_text(json.dumps(record))
    bite = Strike("Bite", 5, 10, None, ("2d6",))
    wrong = Facts(
        "Wolf", {"hp": 12, "ac": 13}, (bite,), (("Bite", "str", 11),), (("Bite", "recharge 5"),), (), ("Howl",)
    )
    tally = compared(tmp_path, [wrong, Facts("Fox", {})])
    assert {column: len(tally.silent[column]) for column in COLUMNS if tally.silent[column]} == {
        "core": 1, "to hit": 1, "reach": 1, "damage": 1, "save DC": 1, "limits": 1, "features": 2,
    }  # fmt: skip
    assert tally.right["core"] == 1
    assert "1/2 **1 S**" in table({"own": tally})
