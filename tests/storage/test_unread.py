"""Records that can't be read are left out of the encounter and stay in the file."""

from pathlib import Path

import msgspec
import pytest

from turnwright.encounter.prepared import Creature, Handout, RosterEntry, Scene
from turnwright.encounter.state import Change, Encounter
from turnwright.storage.encounters import EncounterFile, LoadedEncounter, parse_encounter

TEXT = """\
format = 3
system = "a5e"
title = "The gate"

[scene] # where
notes = "By night"

[creatures.guard]
name = "Guard"

[creatures.owl] # wise
name = "Owl"

[creatures.wolf]
name = "Wolf"

[roster.owl]
creature = "owl"

[handouts.letter]
title = "A letter"

[map]
columns = 20
rows = 20
"""
OWL = ("creatures", "owl")


def load(text: str) -> LoadedEncounter:
    return parse_encounter(text.encode(), Path("x.toml"), {"a5e"})


def readable(text: str) -> Encounter:
    loaded = load(text)
    assert loaded.encounter is None
    assert loaded.readable is not None
    return loaded.readable


def with_scene(encounter: Encounter, **fields: str) -> Encounter:
    scene = encounter.need(Scene, "scene")
    return encounter.with_changes([Change(("scene", "scene"), scene, msgspec.structs.replace(scene, **fields))])


def retitled(encounter: Encounter) -> Encounter:
    return with_scene(encounter, title="The wall")


BROKEN = {
    "a creature": ('name = "Owl"', 'name = "Owl"\nhp = "three" # hit points'),
    "a creature in a line": ("[creatures.owl] # wise\nname = ", "[creatures]\nowl.hp = "),
    "a roster entry": ('creature = "owl"', 'creature = "owl"\ncount = "two"'),
    "a handout of a newer version": ('title = "A letter"', 'title = "A letter"\nstyle = "smoke"'),
    "the map": ("rows = 20", 'rows = "many"'),
    "the scene": ('notes = "By night"', "notes = 3"),
    "all handouts": ('[handouts.letter]\ntitle = "A letter"', 'handouts = "none"'),
}


@pytest.mark.parametrize(("good", "bad"), BROKEN.values(), ids=BROKEN)
def test_a_part_with_an_error_stays_as_it_is(good: str, bad: str):
    text = TEXT.replace(good, bad)
    if "handouts = " in bad:
        text = bad + "\n" + TEXT.replace(good, "")
    rest = readable(text)
    assert EncounterFile(text).render(rest) == text
    changed = EncounterFile(text).render(retitled(rest))
    assert changed == text.replace("The gate", "The wall")
    assert readable(changed) == retitled(rest)


def test_everything_else_is_read():
    rest = readable(TEXT.replace('name = "Owl"', "name = 3").replace('notes = "By night"', "notes = 3"))
    assert list(rest.ids(Creature)) == ["guard", "wolf"]
    assert (list(rest.ids(RosterEntry)), list(rest.ids(Handout))) == (["owl"], ["letter"])
    assert (rest.need(Scene, "scene").system, rest.need(Scene, "scene").title) == ("a5e", "The gate")


@pytest.mark.parametrize("text", [TEXT.replace("a5e", "a6e"), TEXT.replace('system = "a5e"\n', ""), "format = 99"])
def test_without_a_rule_system_nothing_is_read(text: str):
    assert load(text).readable is None


def test_a_new_record_of_the_same_name_doesnt_replace_it():
    text = TEXT.replace('name = "Owl"', 'name = "Owl"\nhp = "three"')
    rest = readable(text)
    saved = EncounterFile(text).render(Encounter([*rest, Creature("owl", "Barn owl")]))
    assert list(readable(saved).ids(Creature)) == ["guard", "wolf", "owl"]
    assert 'hp = "three"' in saved
    assert "owl-unread" in saved


def test_a_new_scene_doesnt_replace_it():
    text = TEXT.replace('notes = "By night"', "notes = 3")
    rest = readable(text)
    saved = EncounterFile(text).render(with_scene(rest, notes="At dawn"))
    again = load(saved)
    assert again.encounter is not None
    assert again.encounter.need(Scene, "scene").notes == "At dawn"
    assert "scene-unread" in saved
    assert "notes = 3" in saved


def test_a_file_of_an_older_format_keeps_it_too():
    text = TEXT.replace("format = 3", "format = 1").replace('name = "Owl"', 'name = "Owl"\nhp = "three"')
    saved = EncounterFile(text).render(retitled(readable(text)))
    assert saved == text.replace("format = 1", "format = 3").replace("The gate", "The wall")
