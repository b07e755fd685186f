"""An older file is migrated step by step, and saved in the newest format with its comments."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.state import Change
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.migrations import FileFormat

OLD = """\
format = 0
system = "a5e" # ours
[creatures.raider]
name = "Raider"
[roster.raiders] # three of them
creature = "raider"
number = 3
[mine]
kept = true
"""


def count_was_called_number(tables):
    roster = {
        id: {("count" if key == "number" else key): value for key, value in entry.items()}
        for id, entry in tables["roster"].items()
    }
    return {**tables, "roster": roster}


FORMAT = FileFormat(1, {0: count_was_called_number})


def test_an_old_file_is_read_and_saved_in_the_newest_format():
    loaded = parse_encounter(OLD.encode(), Path("x.toml"), {"a5e"}, FORMAT)
    raiders = loaded.encounter.need(RosterEntry, "raiders")
    assert raiders.count == 3
    change = Change(("roster", "raiders"), raiders, replace(raiders, count=4))
    text = EncounterFile(OLD, FORMAT).render(loaded.encounter.with_changes([change]))
    assert text == OLD.replace("format = 0", "format = 1").replace("number = 3", "count = 4")


def test_steps_follow_one_another_and_change_nothing_they_are_given():
    steps = {0: lambda tables: {**tables, "a": 1}, 1: lambda tables: {**tables, "b": tables["a"] + 1}}
    tables = {"format": 0}
    assert FileFormat(2, steps).migrate(tables, FindingCollector()) == {"format": 2, "a": 1, "b": 2}
    assert tables == {"format": 0}


@pytest.mark.parametrize("found", [0, 2, -1, "1", True, 1.0])
def test_a_format_that_nothing_leads_from_is_an_error(found):
    notes = FindingCollector()
    assert FileFormat(1, {}).migrate({"format": found}, notes) is None
    assert notes.has_errors
