"""The neutral stat block: each field takes numbers or the words of a book, and gives the same creature."""

from __future__ import annotations

import pytest

from turnwright.importers.stat_block import PrintedFeature, StatBlock, creature_of
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport, UnreadableError
from turnwright.storage.resources import habitats

WORDS = StatBlock(
    "Reed Stalker",
    kind="Large beast (reptile), unaligned",
    ac="13 (natural armor)",
    hp="22 (4d10)",
    speeds="30 ft., swim 40 ft.",
    abilities={"str": 15, "dex": 12, "con": 10, "int": 2, "wis": 12, "cha": 5},
    saves="Dex +3",
    skills="Stealth +5",
    senses="darkvision 60 ft., passive Perception 11",
    challenge="1/2 (100 XP)",
    immunities="poison",
    condition_immunities="poisoned",
    languages="-",
    program="Reeds",
    source="page 3",
)
NUMBERS = StatBlock(
    "Reed Stalker",
    size="large",
    type="beast",
    tags=("reptile",),
    alignment="unaligned",
    ac=13,
    ac_note="natural armor",
    hp=22,
    hit_dice="4d10",
    speeds=(("walk", 30), ("swim", 40)),
    abilities=(("str", 15), ("dex", 12), ("con", 10), ("int", 2), ("wis", 12), ("cha", 5)),
    saves=(("dex", 3),),
    skills=(("stealth", 5),),
    senses=(("darkvision", 60),),
    passives=(("perception", 11),),
    rating="1/2",
    xp=100,
    immunities=(("poison",), None),
    condition_immunities=("poisoned",),
    source="Reeds: page 3",
)


def report() -> ConversionReport:
    return ConversionReport("Reed Stalker")


def test_numbers_and_words_give_the_same_creature() -> None:
    told = report()
    assert creature_of(WORDS, "reed-stalker", told) == creature_of(NUMBERS, "reed-stalker", told)
    assert told.notes == ()


def test_a_note_names_the_field_as_the_source_does() -> None:
    told = report()
    creature_of(
        StatBlock("Reed Stalker", hp=3, abilities=NUMBERS.abilities, senses="tremor", names={"senses": "Senses"}),
        "reed",
        told,
    )
    assert [(note.field, note.text) for note in told.notes] == [("Senses", "tremor")]


def test_a_printed_dc_and_typed_dice_take_precedence_over_data_which_the_report_shows() -> None:
    text = "The target makes a DC 12 Strength saving throw, taking 7 (2d6) fire damage on a failure. Recharge 5-6."
    bite = PrintedFeature("Bite", text, "action")
    told = report()
    known = PrintedFeature(bite.name, bite.text, "action", known={"dc": 13, "damage": "2d7 fire", "uses": 1})
    creature = creature_of(
        StatBlock("Reed Stalker", hp=3, abilities=NUMBERS.abilities, features=(bite, known)), "reed", told
    )
    assert [(each.dc, each.damage, each.uses) for each in creature.features] == [
        (12, "2d6 fire", 0),
        (12, "2d6 fire", 1),
    ]
    assert [note.why for note in told.notes] == [
        "text value 12 used; the data says 13",
        "text value 2d6 fire used; the data says 2d7 fire",
    ]


def test_an_unknown_size_is_medium_and_told() -> None:
    told = report()
    assert (
        creature_of(StatBlock("Reed Stalker", hp=3, abilities=NUMBERS.abilities, size="vast"), "reed", told).size
        == "medium"
    )
    assert [note.why for note in told.notes] == ["not a size; treated as Medium"]


def test_a_number_out_of_bounds_is_refused() -> None:
    with pytest.raises(UnreadableError, match="ac"):
        creature_of(StatBlock("Reed Stalker", hp=3, abilities=NUMBERS.abilities, ac=100_000), "reed", report())


def test_places_get_the_words_for_habitats_and_others_are_kept():
    places = ("Forest", "urban", "Plane Of Earth", "plane-of-earth", "Any", "Feywild", "Dragon lair")
    block = StatBlock("Elk", hp=5, environments=places)
    found = creature_of(block, "elk", report()).environments
    assert found == ("forest", "settlement", "earth plane", "fey realm", "Dragon lair")


def test_every_word_for_a_place_is_that_of_a_habitat():
    assert {*terms("habitats", "words").values()} <= {*habitats(), ""}


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (StatBlock("Reed Stalker", hp=3), ["abilities"]),
        (StatBlock("Reed Stalker", hp=3, ac=0, speeds=()), ["ac", "abilities", "speeds"]),
        (StatBlock("Reed Stalker", hp=3, ac="", speeds="", abilities={}), ["ac", "speed", "abilities"]),
        (StatBlock("Reed Boat", hp=3, ac=0, speeds=(), type="object"), []),
    ],
)
def test_no_main_number_is_a_default_that_nobody_tells(block: StatBlock, told: list[str]) -> None:
    notes = report()
    creature = creature_of(block, "reed", notes)
    assert sorted({note.field for note in notes.notes}) == sorted(told)
    assert creature.ac == (0 if creature.type == "object" else 10)
