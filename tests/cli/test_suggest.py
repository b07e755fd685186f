"""`turnwright suggest`: suggestions as text, as JSON and as an encounter, and its exit codes."""

from __future__ import annotations

import json

import pytest

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import RosterEntry
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters

FILES = {file.stem: file for file in sample_encounters()}
POINTS = ("suggest", "--party", "4x3", "--system", "action_points", "--aim", "hard", "--forecast", 20)
PLAIN = ("suggest", "--party", "4x5", "--system", "a5e", "--aim", "hard")


def test_it_prints_suggestions_with_their_arithmetic_and_forecast(run):
    ran = run(*POINTS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0].startswith("These rules have no encounter budget")
    assert [line[:3] for line in ran.lines if line[:1].isdigit()] == ["1. ", "2. ", "3. "]
    assert sum("levels: hard (easy 7" in line for line in ran.lines) == 3
    assert sum(line.startswith("   Won ") for line in ran.lines) == 3


def test_the_same_seed_gives_the_same_suggestions(run):
    first = run(*PLAIN)
    assert [line[:3] for line in first.lines if line[:1].isdigit()] == ["1. ", "2. ", "3. "]
    assert not any("Won" in line for line in first.lines)
    assert run(*PLAIN).out == first.out
    assert run(*PLAIN, "--seed", 2).out != first.out


def test_a_word_can_stand_for_a_family_of_names(run):
    options = ("suggest", "--party", "4x4", "--aim", "hard", "--type", "lycanthrope", "--system")
    out = run(*options, "dnd5e").out
    assert "Werewolf" in out


def test_json_has_every_slot(run):
    found = json.loads(run(*POINTS, "--count", 2, "--with", "reed child=2", "--json").out)
    assert len(found["suggestions"]) == 2
    for suggestion in found["suggestions"]:
        slots = {slot["creature"]["id"]: slot["count"] for slot in suggestion["slots"]}
        assert slots["reed-child"] == 2
        assert 0 <= suggestion["forecast"]["won"]["value"] <= 1


def test_it_writes_an_encounter_and_no_file_that_exists(run, tmp_path):
    out = tmp_path / "new.toml"
    assert run(*PLAIN, "-o", out).code == 0
    read = read_encounter(out, RuleSystems().ids)
    assert read.encounter is not None
    assert sum(entry.count for entry in read.encounter.all(RosterEntry)) >= 2
    again = run(*PLAIN, "-o", out)
    assert again.code == 1
    assert "File exists" in again.err


def test_it_fills_up_an_encounter(run, tmp_path):
    out = tmp_path / "full.toml"
    bridge = FILES["cold-ford-bridge"]
    ran = run("suggest", "--fill", bridge, "--aim", "hard", "--foes", "2-14", "-o", out)
    assert ran.code == 0, ran.err
    before, after = (
        {entry.id: entry.count for entry in read_encounter(file, RuleSystems().ids).encounter.all(RosterEntry)}
        for file in (bridge, out)
    )
    assert before.items() <= after.items()
    assert len(after) > len(before)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--party", "4x3", "--aim", "gruesome"), 2, "expected one of easy, medium, hard, deadly, impossible"),
        (("--party", "4x3", "--aim", "hard", "--system", "nethack"), 2, "unknown rule system 'nethack'"),
        (("--party", "4y3", "--aim", "hard"), 2, "such as 4x5 or 3x6,1x7"),
        (("--party", "4x3", "--aim", "hard", "--foes", "9-2"), 2, "such as 2-8"),
        (("--party", "4x3", "--aim", "hard", "--habitat", "forst"), 2, "(did you mean 'forest'?)"),
        (("--party", "4x3", "--aim", "hard", "--type", "undaed"), 2, "(did you mean 'undead'?)"),
        (("--party", "4x3", "--aim", "hard", "--with", "rivver raider"), 2, "(did you mean 'river raider'?)"),
        (("--party", "4x30", "--aim", "hard", "--system", "dnd5e"), 2, "expected levels up to 20"),
        (("--aim", "hard"), 2, "one of the arguments --party --fill is required"),
        (("--fill", "nothing.toml", "--aim", "hard"), 1, "nothing.toml can't be read"),
        (("--party", "4x3", "--aim", "easy", "--with", "river raider=40"), 1, "Without the creatures that it must have"),
    ],
)  # fmt: skip
def test_wrong_options_and_requests_that_nothing_fits(run, capsys, options, code, message):
    try:
        ran = run("suggest", *options)
        found, said = ran.code, ran.err
    except SystemExit as ended:
        found, said = ended.code, capsys.readouterr().err
    assert found == code
    assert message in said
