"""Phases are read from traits: hit points anew at 0, what comes once a creature is bloodied; anything else is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.encounter.prepared import Creature, CreaturePhase, Feature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord
from turnwright.importers.statblock_text.features import ONLY_MYTHIC, with_phases

BREATH = Feature("fire-breath", "Fire Breath", "action", recharge=5)
RESISTANCE = Feature("legendary-resistance", "Legendary Resistance", uses=3)
LASH = Feature("lash", "Lash", "legendary", only=ONLY_MYTHIC)


def read(text: str, *more: Feature, name: str = "Second Dawn (Mythic Trait; Recharges after a Long Rest)") -> Creature:
    return with_phases(Creature("foe", "Foe", features=(Feature("dawn", name, text=text), *more)))


def test_hit_points_anew_at_0_are_a_mythic_phase_with_its_actions() -> None:
    found = read(
        "If the queen is reduced to 0 hit points, she doesn’t die or fall unconscious. Instead, she regains 199 hit points."
        " In addition, she regains all expended uses of Legendary Resistance, and her fire breath recharges.",
        RESISTANCE,
        BREATH,
        LASH,
    )
    ready = ("legendary-resistance", "fire-breath")
    assert found.phases == (CreaturePhase("mythic", "Second Dawn", at=0, hp=199, recharges=ready),)
    assert found.features[-1].only == ONLY_MYTHIC
    assert found.read == ("phases",)


def test_all_hit_points_are_as_many_as_it_had() -> None:
    found = read("When the knight would be reduced to 0 hit points, it instead regains all of its hit points.")
    assert [(one.at, one.hp) for one in found.phases] == [(0, 0)]


@pytest.mark.parametrize(
    "text",
    [
        "If damage reduces the zombie to 0 hit points, it must make a Constitution save.",
        "When the boar is reduced to 0 hit points, it is reduced to 1 hit point instead.",
        "When an enemy within 30 feet of it is reduced to 0 hit points, the ghoul regains 10 hit points.",
        "If the fiend is reduced to 0 hit points, it dies. Instead of a corpse its ring is left; it regains 10 hit points.",
    ],
)
def test_what_is_no_second_life_is_none(text: str) -> None:
    found = read(text, LASH)
    assert found.phases == ()
    assert found.features[-1].only == ""


def test_what_comes_once_bloodied_is_a_phase_at_half() -> None:
    rage = (
        "When the dragon is first bloodied, it immediately recharges its breath weapon, if its not already available."
    )
    found = read(rage + " Its inner flame erupts.", BREATH, name="Seething Rage")
    assert found.phases == (CreaturePhase("bloodied", "Seething Rage", recharges=("fire-breath",)),)
    frenzy = "While bloodied, the vampire can take 3 legendary actions instead of 1."
    found = read(frenzy, name="Blood Frenzy")
    assert found.phases == (CreaturePhase("bloodied-frenzy", "Blood Frenzy", legendary=3, reverts=True),)


PASTED = """\
Ash Matron
Huge dragon, chaotic evil
Armor Class 18 (natural armor)
Hit Points 200 (16d12 + 96)
Speed 40 ft., fly 80 ft.
STR DEX CON INT WIS CHA
24 (+7) 14 (+2) 22 (+6) 16 (+3) 17 (+3) 19 (+4)
Challenge 11 (7,200 XP)
Rising Ash (Mythic Trait; Recharges after a Short or Long Rest). If the matron is reduced to 0 hit points, she doesn't die. \
Instead, she regains 150 hit points.
Actions
Claw. Melee Weapon Attack: +11 to hit, reach 10 ft., one target. Hit: 14 (2d6 + 7) slashing damage.
Legendary Actions
The matron can take 3 legendary actions.
Claw Attack. The matron makes one claw attack.
Mythic Actions
If her mythic trait is active, she can use the options below as legendary actions.
Ash Storm. The matron makes two claw attacks.
"""


def test_mythic_actions_of_a_pasted_stat_block_come_with_their_phase(tmp_path: Path) -> None:
    file = tmp_path / "matron.txt"
    file.write_text(PASTED, encoding="utf-8")
    (found,) = (one for _, one in read_paths([file]) if isinstance(one, ImportedRecord))
    matron = found.record
    assert isinstance(matron, Creature)
    assert [(one.id, one.at, one.hp) for one in matron.phases] == [("mythic", 0, 150)]
    only = {one.name: one.only for one in matron.features if one.cost == "legendary"}
    assert only == {"Claw Attack": "", "Ash Storm": ONLY_MYTHIC}
