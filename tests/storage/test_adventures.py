"""Adventures: the plan and what was played of it, as a person wrote them, and what is wrong with them."""

from __future__ import annotations

import difflib

import msgspec
import pytest

from turnwright.bootstrap import SHIPPED, RuleSystems
from turnwright.cli.check import checked_file
from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done, without_done
from turnwright.storage.adventures import (
    PLAN,
    RUN,
    adventure_from,
    adventure_text,
    encounter_files,
    found_adventures,
    plan_of,
    read_adventure,
    read_run,
    write_adventure,
)

WRITTEN = """\
# For four characters of level 3.
format = 3
kind = "adventure"
system = "dnd5e"            # proposed for new encounters
title = "The tollhouse"
party = "us"
colour = "green"

[[steps]]
part = "Saturday"           # a heading

[[steps]]
scene = "The keeper's letter"
read_aloud = "The ink is still wet."

[[steps]]
encounter = "bridge.toml"   # a file in this folder
notes = "He knows."

[[steps]]
rest = "short"

[[steps]]
encounter = "below/cellar.toml"
optional = true

[[steps]]
rest = "long"
scene = "At the ferry"
hours = 8
"""
PLAYED = """\
# Written while it is played.
format = 3
kind = "adventure-run"
at = "rest:short"     # now
absent = ["fenn"]

[known]
"Bandit captain" = "Grak"

[done."encounter:bridge.toml"]
at = 2026-11-28T20:31:00
rounds = 3
xp = 175
"""
ENCOUNTER = 'format = 3\nsystem = "dnd5e"\ntitle = "X"\n'
KEYS = (
    "part:saturday",
    "scene:the-keepers-letter",
    "encounter:bridge.toml",
    "rest:short",
    "encounter:below/cellar.toml",
    "rest:at-the-ferry",
)


@pytest.fixture
def folder(tmp_path):
    tmp_path /= "toll"
    (tmp_path / "below").mkdir(parents=True)
    for name, text in {
        PLAN: WRITTEN,
        RUN: PLAYED,
        "bridge.toml": ENCOUNTER,
        "below/cellar.toml": ENCOUNTER,
        "spare.toml": ENCOUNTER,
        "bridge.fight.toml": "format = 3\n",
        "creature.toml": 'format = 3\nkind = "creature"\nsystem = "dnd5e"\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_plan_is_read_with_its_steps_in_order(folder):
    loaded = read_adventure(folder / PLAN, SHIPPED)
    assert [finding.message for finding in loaded.findings] == ["unknown key; kept"]
    adventure = loaded.adventure
    assert adventure.keys == KEYS
    assert [step.kind for step in adventure.steps] == ["part", "scene", "encounter", "rest", "encounter", "rest"]
    assert [step.text for step in adventure.steps][2:] == ["bridge.toml", "short", "below/cellar.toml", "At the ferry"]


def test_next_and_previous_pass_over_headings(folder):
    adventure = read_adventure(folder / PLAN, SHIPPED).adventure
    order = [""]
    while key := adventure.beside(order[-1], 1):
        order.append(key)
    assert tuple(order[1:]) == KEYS[1:]
    assert adventure.beside(KEYS[1], -1) == ""
    assert adventure.beside(KEYS[3], -1) == KEYS[2]


def test_two_steps_of_one_name_have_keys_of_their_own():
    adventure = Adventure(
        "dnd5e",
        steps=(
            AdventureStep(rest="short"),
            AdventureStep(rest="short"),
            AdventureStep(scene="Short"),
            AdventureStep(rest="short"),
        ),
    )
    assert adventure.keys == ("rest:short", "rest:short-2", "scene:short", "rest:short-3")


def test_writing_an_unchanged_plan_changes_nothing(folder):
    before = (folder / PLAN).read_bytes(), (folder / RUN).read_bytes()
    write_adventure(folder / PLAN, read_adventure(folder / PLAN, SHIPPED).adventure)
    write_adventure(folder / RUN, read_run(folder / RUN)[0])
    assert before == ((folder / PLAN).read_bytes(), (folder / RUN).read_bytes())


def test_a_moved_step_takes_its_comments_along(folder):
    adventure = read_adventure(folder / PLAN, SHIPPED).adventure
    heading, letter, bridge, *rest = adventure.steps
    moved = msgspec.structs.replace(adventure, steps=(bridge, heading, letter, *rest, AdventureStep(scene="Home")))
    write_adventure(folder / PLAN, moved, folder / "backups")
    text = (folder / PLAN).read_text(encoding="utf-8")
    assert 'encounter = "bridge.toml"   # a file in this folder\nnotes = "He knows."' in text
    assert 'colour = "green"' in text
    gone = [
        line for line in difflib.ndiff(WRITTEN.splitlines(), text.splitlines()) if line.startswith("- ") and "#" in line
    ]
    assert not [line for line in gone if line[2:] not in text]
    assert read_adventure(folder / PLAN, SHIPPED).adventure == moved
    assert [path.read_text(encoding="utf-8") for path in (folder / "backups").rglob("*.toml")] == [WRITTEN]


def test_a_new_plan_and_run_are_read_as_written(tmp_path):
    adventure = Adventure(
        "pf2e",
        'It\'s "new"',
        steps=(AdventureStep(scene="A", read_aloud="One\ntwo"), AdventureStep(rest="haven", hours=8)),
    )
    run = AdventureRun(
        "rest:haven", "", ("ann",), 60, (("Bandit", "Grak"),), (StepDone("scene:a", "2026-01-01T20:00:00"),)
    )
    write_adventure(tmp_path / "new" / PLAN, adventure)
    write_adventure(tmp_path / "new" / RUN, run)
    assert read_adventure(tmp_path / "new" / PLAN, SHIPPED).adventure == adventure
    assert read_run(tmp_path / "new" / RUN) == (run, ())


def test_what_was_played_is_read_and_changed(folder):
    run, findings = read_run(folder / RUN)
    assert (run.at, run.absent, run.known, findings) == ("rest:short", ("fenn",), (("Bandit captain", "Grak"),), ())
    assert run.by_key["encounter:bridge.toml"] == StepDone("encounter:bridge.toml", "2026-11-28T20:31:00", 3, xp=175)
    again = with_done(run, StepDone("encounter:bridge.toml", "2026-11-29T20:00:00", 5))
    assert [done.rounds for done in again.done] == [5]
    assert without_done(again, "encounter:bridge.toml").done == ()
    text = adventure_text(again, PLAYED)
    assert "# Written while it is played." in text
    assert "rounds = 5" in text
    (folder / RUN).unlink()
    assert read_run(folder / RUN) == (AdventureRun(), ())


BROKEN = {
    "missing file": ('encounter = "gone.toml"', 'no file "gone.toml" in the adventure\'s folder'),
    "misspelt file": ('encounter = "brigde.toml"', "did you mean 'bridge.toml'"),
    "above": ('encounter = "../bridge.toml"', "must be a file in the adventure's folder or below it"),
    "absolute": ('encounter = "/etc/hosts.toml"', "must be a file in the adventure's folder or below it"),
    "backslash": ('encounter = "below\\\\cellar.toml"', "must be a file in the adventure's folder or below it"),
    "drive": ('encounter = "c:bridge.toml"', "must be a file in the adventure's folder or below it"),
    "fight": ('encounter = "bridge.fight.toml"', "expected the name of an encounter file"),
    "twice": ('encounter = "bridge.toml"\n[[steps]]\nencounter = "Bridge.toml"', "is already a step"),
    "two kinds": ('encounter = "bridge.toml"\nscene = "X"', "can't have both `scene` and `encounter`"),
    "no kind": ('notes = "X"', "expected one of the keys `part`, `scene`, `encounter` and `rest`"),
    "rest": ('rest = "shrot"', "short"),
    "picture": ('scene = "X"\nhandouts = ["no.png"]', 'no file "no.png"'),
    "type": ("scene = 5", "expected text, found the number 5"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_step_is_told_with_its_line_and_key(folder, case):
    step, message = BROKEN[case]
    (folder / PLAN).write_text(
        f'format = 3\nkind = "adventure"\nsystem = "dnd5e"\n\n[[steps]]\n{step}\n', encoding="utf-8"
    )
    finding = read_adventure(folder / PLAN, SHIPPED).findings[0]
    assert message in finding.message
    assert finding.line >= 5
    assert finding.key.startswith("steps[")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('format = 99\nsystem = "dnd5e"', "newer than this version"),
        ('format = 3\nsystem = "dnd5f"', "did you mean 'dnd5e'"),
        ("format = 3", "missing key `system`"),
        ('format = 3\nsystem = "dnd5e"\nsteps = 5', "expected a list"),
        ('format = 3\nsystem = "dnd5e"\nsteps = [', "value"),
    ],
)
def test_a_plan_that_cant_be_read_says_why(tmp_path, head, message):
    (tmp_path / PLAN).write_text(f'kind = "adventure"\n{head}\n', encoding="utf-8")
    loaded = read_adventure(tmp_path / PLAN, SHIPPED)
    assert loaded.adventure is None
    assert message in str(loaded.findings[0])


def test_check_reads_the_plan_and_each_encounter(folder):
    (folder / "bridge.toml").write_text('format = 3\nsystem = "dnd5e"\n[creatures.x]\nname = 5\n', encoding="utf-8")
    (folder / RUN).write_text('format = 3\nkind = "adventure-run"\nat = 5\n', encoding="utf-8")
    files = {finding.file.rpartition("/")[2] for finding in checked_file(folder / PLAN, RuleSystems()).findings}
    assert files == {PLAN, RUN, "bridge.toml"}


def test_an_encounter_finds_its_adventure(folder):
    assert plan_of(folder / "bridge.toml") == folder / PLAN
    assert plan_of(folder / "below" / "cellar.toml") == folder / PLAN
    assert plan_of(folder / "spare.toml") is None


def test_a_folder_is_adopted_with_its_encounters(folder):
    assert encounter_files(folder) == ("below/cellar.toml", "bridge.toml", "spare.toml")
    assert [step.encounter for step in adventure_from(folder, "New", "dnd5e").steps] == [*encounter_files(folder)]
    assert found_adventures(folder.parent) == ((folder / PLAN, "The tollhouse"),)
