"""Creatures and encounters for Improved Initiative: a round trip keeps all numbers, and losses are reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Feature,
    InflictedCondition,
    RosterEntry,
    Scene,
)
from turnwright.encounter.state import Encounter
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.exporters.export import creatures_folder, write_creatures, write_encounter
from turnwright.importers.exporters.improved_initiative import creatures_text, default_modifier, encounter_text
from turnwright.importers.improved_initiative import FORMAT
from turnwright.importers.results import ImportedRecord
from turnwright.storage.library.entries import read_library_file

HEAD = (
    "name", "size", "type", "tags", "rating", "ac", "ac_note", "hp", "hit_dice", "speeds", "hovers", "abilities", "saves",
    "skills", "senses", "passives", "languages", "initiative", "vulnerabilities", "immunities", "condition_immunities",
    "mundane_immunity", "alignment", "legendary", "description",
)  # fmt: skip
BODY = (
    "name", "cost", "attack", "reach", "range", "damage", "save", "dc", "half", "save_damage", "area", "afflictions",
    "recharge", "uses", "per", "price",
)  # fmt: skip


def read_again(text: str) -> list[Any]:
    document = parse_document(text.encode(), Path("x.json"))
    assert isinstance(document, ParsedDocument)
    found = list(FORMAT.read([document], ""))
    assert all(isinstance(one, ImportedRecord) for one in found)
    return [one.record for one in found if isinstance(one, ImportedRecord)]


def same(one: Any, other: Any, fields: tuple[str, ...]) -> dict[str, tuple[Any, Any]]:
    return {
        name: (getattr(one, name), getattr(other, name))
        for name in fields
        if getattr(one, name) != getattr(other, name)
    }


WYRM = Creature(
    id="wyrm",
    name="Fen wyrm",
    size="huge",
    type="dragon",
    tags=("swamp",),
    rating="8",
    ac=17,
    ac_note="scales",
    hp=136,
    hit_dice="13d12+52",
    speeds=(("walk", 40), ("swim", 60), ("fly", 30)),
    hovers=True,
    abilities=(("str", 21), ("dex", 9), ("con", 18), ("int", 8), ("wis", 12), ("cha", 14)),
    saves=(("dex", 2), ("con", 7)),
    skills=(("perception", 4), ("animal-handling", 3)),
    senses=(("darkvision", 60), ("blindsight", 10)),
    passives=(("perception", 14),),
    languages="Common, Draconic",
    initiative=3,
    resistances=("acid",),
    immunities=("poison",),
    mundane_immunity=True,
    condition_immunities=("poisoned",),
    alignment="neutral evil",
    legendary=3,
    description="It waits.",
    features=(
        Feature("bite", "Bite", "action", attack=8, reach=10, damage="2d8+5 piercing + 1d6 acid"),
        Feature("spit", "Spit", "action", attack=5, range="30/60", damage="3d6 acid", text="A sour jet."),
        Feature("coil", "Coil", "action", attack=8, reach=5, damage="2d6+5 bludgeoning",
                afflictions=(InflictedCondition("grappled", escape_dc=15),)),
        Feature("sting", "Sting", "action", attack=8, reach=5, damage="1 piercing", save="con", dc=15,
                save_damage="4d6 poison"),
        Feature("breath", "Breath", "action", save="con", dc=15, half=True, damage="10d6 poison", area="40-foot cone",
                recharge=5),
        Feature("gaze", "Gaze", "bonus", save="wis", dc=13, afflictions=(InflictedCondition("frightened", "turn-end"),), uses=3),
        Feature("roll", "Roll", "reaction", text="It rolls over.", recharge=6),
        Feature("tail", "Tail", "legendary", attack=8, reach=15, damage="2d8+5 bludgeoning", price=2),
        Feature("mud", "Mud", "trait", text="Difficult ground all about it.", uses=1, per="rest"),
    ),
)  # fmt: skip


def test_every_figure_of_a_creature_of_our_own_comes_back() -> None:
    made = creatures_text([WYRM])
    (back,) = read_again(made.text)
    assert same(back, WYRM, tuple(name for name in HEAD if name != "description")) == {}
    assert back.description.startswith("It waits.")
    assert [same(one, other, BODY) for one, other in zip(_by_name(back), _by_name(WYRM), strict=True)] == [{}] * 9
    assert {note.field for note in made.reports} <= {"description", "text", "automation"}


def test_every_figure_of_other_people_s_creatures_comes_back(real_data: Path) -> None:
    source = real_data / "improved-initiative" / "ogl_creatures.json"
    creatures = read_again(source.read_text(encoding="utf-8"))
    assert len(creatures) > 150
    back = read_again(creatures_text(creatures).text)
    for creature, again in zip(creatures, back, strict=True):
        assert isinstance(creature, Creature)
        assert same(again, creature, HEAD) == {}, creature.name
        assert [each.text for each in again.features] == [each.text for each in creature.features]
        for one, other in zip(again.features, creature.features, strict=True):
            assert same(one, other, (*BODY, "multiattack", "attacks", "properties")) == {}, (creature.name, other.name)


def test_the_shipped_creatures_come_back_or_say_what_does_not(repository: Path) -> None:
    for path in sorted((repository / "resources" / "library" / "dnd5e").glob("*.toml")):
        creature, _ = read_library_file(path)
        assert isinstance(creature, Creature)
        made = creatures_text([creature])
        (back,) = read_again(made.text)
        told = {report.field for report in made.reports}
        assert same(back, creature, ("name", "size", "ac", "hp", "hit_dice", "speeds", "abilities", "saves")) == {}
        for one, other in zip(_by_name(back), _by_name(creature), strict=True):
            lost = {field for field in same(one, other, BODY) if field not in told}
            assert {field for field in lost if getattr(other, field) not in ("", 0, (), None, False)} == set(), (
                path.name
            )


def _by_name(creature: Creature) -> list[Feature]:
    return sorted(creature.features, key=lambda each: each.name)


def test_scores_are_what_adds_as_much_there() -> None:
    creature = Creature(id="x", name="X", abilities=(("str", 4), ("dex", -1)))
    block = json.loads(creatures_text([creature], lambda score: score).text)["Creatures.x"]
    assert (block["Abilities"]["Str"], block["Abilities"]["Dex"], block["Abilities"]["Con"]) == (18, 8, 10)
    assert default_modifier(9) == -1


def test_an_encounter_comes_back_with_who_is_there() -> None:
    encounter = Encounter((
        Scene(title="At the ford", system="dnd5e", notes="Cold."),
        WYRM,
        Creature(id="mira", name="Mira", hp=40, tags=("player",), level=5),
        Environment(id="frigid", name="Frozen ford"),
        Countdown(id="ice", name="The ice"),
        RosterEntry(id="wyrm", creature="wyrm", name="Old Sour", count=3, hp=99, initiative=12, hidden=True),
        RosterEntry(id="mira", creature="mira", side="party", player="Ann", level=5),
        RosterEntry(id="late", creature="wyrm", side="allies", wave="late", ac=20),
    ))  # fmt: skip
    made = encounter_text(encounter)
    data = json.loads(made.text)
    assert data["SavedEncounters"] == ["at-the-ford"]
    assert [data[f"Creatures.{id}"]["Name"] for id in data["Creatures"]] == ["Fen wyrm", "Mira"]
    (back,) = [one for one in read_again(made.text) if isinstance(one, Encounter)]
    assert back.need(Scene, "scene").title == "At the ford"
    entries = {entry.name or entry.creature: entry for entry in back.all(RosterEntry)}
    first = entries["Old Sour"]
    assert (first.count, first.initiative, first.hidden, first.side) == (3, 12, True, "enemies")
    assert (first.hp or back.need(Creature, first.creature).hp) == 99
    assert entries["mira"].side == "party"
    assert entries["mira"].player == "Ann"
    assert {report.field for report in made.reports} >= {"environments", "countdowns", "notes", "side", "wave"}


def test_what_has_no_place_is_told_in_words() -> None:
    spell = Feature("veil", "Veil", "action", level=2, concentration=True)
    mage = Creature(id="mage", name="Mage", gear=("shield", "cord"), slots=(("1", 4), ("2", 3)), features=(spell,))
    told = {report.field: report.text for report in creatures_text([mage]).reports}
    assert (told["gear"], told["slots"]) == ("shield, cord", "1: 4, 2: 3")
    assert (told["level"], told["concentration"]) == ("Veil", "Veil")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.json"
    out.write_text("mine", encoding="utf-8")

    def full(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space"):
            write_creatures([WYRM], out, default_modifier)
    assert out.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    write_encounter(Encounter((WYRM,)), out, "improved-initiative", default_modifier)
    assert json.loads(out.read_text(encoding="utf-8"))["Creatures"] == ["wyrm"]


def test_creatures_go_into_a_new_folder_as_library_files(tmp_path: Path) -> None:
    folders = [creatures_folder([WYRM], "a5e", tmp_path, "At the ford") for _ in range(2)]
    assert [folder.name for folder in folders] == ["at-the-ford", "at-the-ford-2"]
    assert read_library_file(folders[0] / "wyrm.toml") == (WYRM, ())
    with pytest.raises(ValueError, match="no creatures"):
        creatures_folder([], "a5e", tmp_path, "x")
