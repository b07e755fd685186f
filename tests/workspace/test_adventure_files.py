"""File work in an adventure: nothing is lost, and a file that a window has open stays where it is."""

from __future__ import annotations

import msgspec
import pytest

from tests.handouts.samples import png
from turnwright.bootstrap import SHIPPED, RuleSystems
from turnwright.encounter.adventure import Adventure, AdventureStep, StepDone, with_done
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import fight_path
from turnwright.workspace.adventure import OpenAdventure, new_adventure
from turnwright.workspace.adventure_files import copy_encounter, find_in_all, rename_encounter, take_in
from turnwright.workspace.document import DocumentInUseError, open_document

ENCOUNTER = """\
format = 3
system = "dnd5e"   # ours
title = "The bridge"

[creatures.captain]
name = "Captain"
hp = 20
notes = "The abbess pays him."
portrait = "captain.png"

[roster.captain]
creature = "captain"
"""
BRIDGE = "encounter:bridge.toml"


@pytest.fixture
def adventure(tmp_path) -> OpenAdventure:
    folder = tmp_path / "toll"
    folder.mkdir()
    (folder / "bridge.toml").write_text(ENCOUNTER, encoding="utf-8")
    (folder / "captain.png").write_bytes(png(2, 2))
    steps = (
        AdventureStep(scene="The letter", read_aloud="From the Abbess."),
        AdventureStep(encounter="bridge.toml", title="Toll"),
    )
    plan = Adventure("dnd5e", "Toll", steps=(*steps, AdventureStep(rest="short")))
    opened = new_adventure(folder / "adventure.toml", plan, SHIPPED, tmp_path / "state")
    opened.change_run(lambda run: with_done(msgspec.structs.replace(run, at=BRIDGE), StepDone(BRIDGE, xp=50)))
    return opened


def test_a_word_is_found_in_steps_and_records(adventure):
    hits = find_in_all(adventure, "abbess")
    assert [(hit.step, hit.table, hit.id, hit.excerpt) for hit in hits] == [
        ("scene:the-letter", "", "", "From the Abbess."),
        (BRIDGE, "creatures", "captain", "The abbess pays him."),
    ]
    assert [hit.name for hit in find_in_all(adventure, "pays captain")] == ["Captain"]
    long = "Nobody in the whole village has ever said aloud what the abbess wants with a bridge."
    adventure.change_plan(msgspec.structs.replace(adventure.adventure, steps=(AdventureStep(scene="X", notes=long),)))
    ellipsis = "\N{HORIZONTAL ELLIPSIS}"
    assert find_in_all(adventure, "abbess")[0].excerpt == f"{ellipsis}said aloud what the abbess wants with a bridge."
    assert find_in_all(adventure, "portrait") == find_in_all(adventure, " ") == ()


def test_a_copy_has_its_own_title_and_no_fight(adventure):
    fight_path(adventure.folder / "bridge.toml").write_text("format = 3\n", encoding="utf-8")
    key = copy_encounter(adventure, BRIDGE, "The second bridge")
    assert adventure.adventure.keys[1:3] == (BRIDGE, key) == (BRIDGE, "encounter:the-second-bridge.toml")
    path = adventure.folder / "the-second-bridge.toml"
    assert path.read_text(encoding="utf-8") == ENCOUNTER.replace("The bridge", "The second bridge")
    assert not fight_path(path).exists()
    assert copy_encounter(adventure, BRIDGE, "The second bridge") == "encounter:the-second-bridge-2.toml"


def test_an_encounter_is_renamed_with_its_fight_its_history_and_its_progress(adventure):
    old, new = adventure.folder / "bridge.toml", adventure.folder / "ford.toml"
    fight_path(old).write_text("format = 3\n", encoding="utf-8")
    assert rename_encounter(adventure, BRIDGE, "ford") == "encounter:ford.toml"
    assert (old.exists(), fight_path(old).exists(), fight_path(new).exists()) == (False, False, True)
    assert new.read_text(encoding="utf-8") == ENCOUNTER
    assert adventure.run.at == "encounter:ford.toml"
    assert [done.id for done in adventure.run.done] == ["encounter:ford.toml"]
    assert adventure.step("encounter:ford.toml").title == "Toll"


@pytest.mark.parametrize(
    ("name", "error"),
    [("taken", FileExistsError), ("adventure", ValueError), ("x.fight", ValueError), ("a/../../b", ValueError)],
)
def test_a_name_that_is_taken_or_unusable_changes_nothing(adventure, name, error):
    (adventure.folder / "taken.toml").write_text(ENCOUNTER, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in adventure.folder.iterdir()}
    with pytest.raises(error):
        rename_encounter(adventure, BRIDGE, name)
    assert before == {path.name: path.read_bytes() for path in adventure.folder.iterdir()}


def test_a_file_that_a_window_has_open_isnt_renamed(adventure, tmp_path):
    document = open_document(adventure.folder / "bridge.toml", RuleSystems(), tmp_path / "state")
    with pytest.raises(DocumentInUseError):
        rename_encounter(adventure, BRIDGE, "ford")
    document.close()
    assert rename_encounter(adventure, BRIDGE, "ford") == "encounter:ford.toml"


def test_an_encounter_is_taken_in_with_its_pictures_and_its_fight(adventure, tmp_path):
    elsewhere = tmp_path / "old" / "bridge.toml"
    elsewhere.parent.mkdir()
    elsewhere.write_text(ENCOUNTER.replace("captain.png", "other.png"), encoding="utf-8")
    (elsewhere.parent / "other.png").write_bytes(png(3, 3))
    fight_path(elsewhere).write_text("format = 3\n", encoding="utf-8")
    key = take_in(adventure, elsewhere, "scene:the-letter")
    assert adventure.adventure.keys[1] == key == "encounter:bridge-2.toml"
    assert (adventure.folder / "other.png").read_bytes() == png(3, 3)
    assert fight_path(adventure.folder / "bridge-2.toml").exists()
    assert read_encounter(adventure.folder / "bridge-2.toml", SHIPPED).findings == ()
    (adventure.folder / "below").mkdir()
    (adventure.folder / "below" / "own.toml").write_text(ENCOUNTER, encoding="utf-8")
    assert take_in(adventure, adventure.folder / "below" / "own.toml") == "encounter:below/own.toml"
