"""The same book from Open5e's older and newer database: equal creatures, but for listed differences.

Each difference has a reason in the files themselves: one of the two lacks a figure, or holds another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.importers.documents import read_document
from turnwright.importers.open5e import v1, v2
from turnwright.importers.results import ImportedRecord, postprocessed
from turnwright.storage.fights import ConversionNote

Found = dict[str, tuple[Creature, tuple[ConversionNote, ...]]]
PLAIN: Final = (
    "hp",
    "ac",
    "hit_dice",
    "rating",
    "size",
    "type",
    "hovers",
    "abilities",
    "languages",
    "mundane_immunity",
    "mundane_resistance",
    "condition_immunities",
    "ac_note",
)
SORTED: Final = ("speeds", "saves", "skills", "senses", "passives", "resistances", "immunities", "vulnerabilities")
ROLLS: Final = ("attack", "reach", "range", "damage", "save", "dc")

NO_WALK = "the newer one has a walking speed of 0, the older one none at all"
ROWS_ASTRAY = "the row of an attack hangs on another action that is called the same"
TWO_GLUED = "the newer one has glued two numbers together (14120, 3010); how far is left open"
LATER = "the older one has dice of something that comes later, or at times, in a field of its own; the newer one has no row for it"
NO_COLUMN = "the newer one has no column for engineering"
OTHER_FIGURE = "the older one's own field says otherwise than its prose; its field stands, and that is told"
LOST_BONUS = "the newer row lacks the bonus of the second dice; the row stands, and that is told"
RANGE = "the range is read from the text of the older one alone"
SHORTER = "the newer one's prose is cut off before it says the bonus"
ELSEWHERE = "the newer one has it in another column"
ASTRAY = "the newer one has the wall's last sentence after another action"
MORE = "the newer one has more than the older one"

MENAGERIE: Final = {
    ("Merclops", "speeds"): NO_WALK,
    ("Shadow Elf Mage", "senses"): TWO_GLUED,
    ("Grimlock", "skills"): NO_COLUMN,
    ("Hobgoblin Captain", "skills"): NO_COLUMN,
    ("Gelatinous Wall", "Pseudopod"): LOST_BONUS,
    **dict.fromkeys([
        ("Dragon Turtle", "Tail"), ("Dread Knight", "Cursed Greatsword"), ("Elder Vampire", "Grab"), ("Kraken", "Tentacle"),
        ("Medusa Queen", "Snake Hair"), ("Mirage Monster", "Bite"), ("Titanic Dragon Turtle", "Tail"), ("Titanic Kraken", "Tentacle"),
        ("Ur-Otyugh", "Tentacle"),
    ], ROWS_ASTRAY),
    **dict.fromkeys([
        ("Druid", "Spellcasting"), ("Orcish Wildling Minstrel", "Spellcasting"), ("Trickster Priest", "Spellcasting"),
        ("Warhordling Orc Eye", "Spellcasting"),
    ], SHORTER),
    **dict.fromkeys([("Accursed Guardian Naga", "Command"), ("Accursed Spirit Naga", "Blight"), ("Spirit Naga", "Blight")], RANGE),
}  # fmt: skip
SRD: Final = {
    **dict.fromkeys([("Hunter Shark", "speeds"), ("Killer Whale", "speeds"), ("Quipper", "speeds"), ("Reef Shark", "speeds"), ("Sea Horse", "speeds")], NO_WALK),
    **dict.fromkeys([
        ("Azer", "Heated Body"), ("Balor", "Fire Aura"), ("Barbed Devil", "Barbed Hide"), ("Behir", "Swallow"), ("Black Pudding", "Corrosive Form"),
        ("Bugbear", "Surprise Attack"), ("Giant Boar", "Charge"), ("Giant Elk", "Charge"), ("Giant Sea Horse", "Charge"), ("Goat", "Charge"),
        ("Minotaur Skeleton", "Charge"), ("Remorhaz", "Heated Body"), ("Rhinoceros", "Charge"), ("Rug of Smothering", "Smother"),
        ("Salamander", "Heated Body"), ("Spy", "Sneak Attack"), ("Wereboar", "Charge"),
    ], LATER),
    **dict.fromkeys([
        ("Ancient Bronze Dragon", "Claw"), ("Ancient Green Dragon", "Bite"), ("Green Dragon Wyrmling", "Bite"), ("Grimlock", "Spiked Bone Club"),
        ("Werewolf", "Spear"),
    ], OTHER_FIGURE),
    ("Grimlock", "senses"): TWO_GLUED,
    ("Skeleton", "immunities"): ELSEWHERE,
    ("Skeleton", "resistances"): ELSEWHERE,
    ("Chain Devil", "saves"): MORE,
    ("Half-Red Dragon Veteran", "skills"): MORE,
    ("Werewolf", "skills"): MORE,
}  # fmt: skip


def creatures(module: Any, folder: Path) -> Found:
    results = module.read([read_document(path) for path in sorted(folder.glob("*.json"))], "")
    return {
        each.name: (each.record, each.reports)
        for each in results
        if isinstance(each, ImportedRecord) and isinstance(each.record, Creature)
    }


def rolls(creature: Creature) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Return what is thrown, by kind and plain name: the newer one drops most of what stands in brackets behind that."""
    return {
        (each.cost, each.name.partition(" (")[0]): tuple(getattr(each, field) for field in ROLLS)
        for each in creature.features
    }


def differences(older: Creature, newer: Creature) -> set[tuple[str, str]]:
    found = {(older.name, field) for field in PLAIN if getattr(older, field) != getattr(newer, field)}
    found |= {(older.name, field) for field in SORTED if sorted(getattr(older, field)) != sorted(getattr(newer, field))}
    here, there = rolls(older), rolls(newer)
    return found | {
        (older.name, name) for cost, name in here.keys() & there.keys() if here[cost, name] != there[cost, name]
    }


@pytest.mark.parametrize(("older", "newer", "only_newer", "named"), [
    ("v1-menagerie", "v2-a5e-mm", set(), MENAGERIE), ("v1-wotc-srd", "v2-srd-2014", {"Donkey", "Elf, Drow"}, SRD),
])  # fmt: skip
def test_the_two_databases_agree_but_for_what_is_named(
    older: str, newer: str, only_newer: set[str], named: dict[tuple[str, str], str], real_data: Path
) -> None:
    first, second = (
        creatures(v1, real_data / "open5e" / older),
        creatures(v2, real_data / "open5e" / newer),
    )
    assert second.keys() - first.keys() == only_newer
    assert first.keys() <= second.keys()
    found = {each for name in first for each in differences(first[name][0], second[name][0])}
    assert found == set(named)
    for (name, field), why in named.items():
        if why in (OTHER_FIGURE, LOST_BONUS, TWO_GLUED):
            reports = first[name][1] if why == OTHER_FIGURE else second[name][1]
            assert any(field in report.field or f"{field[:-1]}" in report.why for report in reports), (name, field)


def test_what_only_the_newer_one_lacks_is_told(real_data: Path) -> None:
    """How many legendary actions there are a round stands nowhere in its SRDs: it is the game's usual number."""
    for folder in ("v2-srd-2014", "v2-srd-2024"):
        for creature, _ in creatures(v2, real_data / "open5e" / folder).values():
            has = any(each.cost == "legendary" for each in creature.features)
            finished = postprocessed(ImportedRecord(creature.name, creature, "dnd5e")).record
            assert isinstance(finished, Creature)
            assert has == ("legendary" in finished.read) == (finished.legendary == 3)
