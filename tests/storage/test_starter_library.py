"""The shipped creatures of the SRD 5.1: its numbers, our words, its notice, and each ready to be played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.play.attack_table import Fray
from tests.table import creature, dnd5e
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import Answer
from turnwright.play.queries import queries
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.preparation.creature_translation import find_unknown_ids
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

FOLDER = resource_path("library/dnd5e/srd")
NOTICE = (
    'This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards of the Coast LLC '
    "and available at https://dnd.wizards.com/resources/systems-reference-document. The SRD 5.1 is licensed under the "
    "Creative Commons Attribution 4.0 International License available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode."
)
RUN = 7  # so many words one after another are a sentence of somebody's
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
RENAMED = {"Vampire, Vampire Form": "Vampire"}
FORMS = {"Vampire, Bat Form", "Vampire, Mist Form"}  # the vampire's own trait tells them
CORRECTED_XP = {"Deep Gnome (Svirfneblin)": 100, "Riding Horse": 50}  # what their rating is worth
NO_DAMAGE = {"rug-of-smothering"}  # it only wraps; what that does comes later
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")


@cache
def shipped() -> dict[str, tuple[Path, Creature | None, tuple[Finding, ...]]]:
    """Every file's name, with what reading it gives."""
    return {file.stem: (file, *read_library_file(file)) for file in sorted(FOLDER.glob("*.toml"))}


@cache
def creatures() -> tuple[Creature, ...]:
    return tuple(one for _file, one, _findings in shipped().values() if isinstance(one, Creature))


def test_all_of_them_are_there_and_each_reads_without_a_finding() -> None:
    assert len(creatures()) >= 330
    assert {stem: findings for stem, (_file, one, findings) in shipped().items() if findings or one is None} == {}
    assert [stem for stem, (_file, one, _findings) in shipped().items() if one is None or one.id != stem] == []


def test_each_has_the_figures_of_a_stat_block() -> None:
    bare = [one.id for one in creatures() if not (one.hit_dice and one.rating and one.alignment and one.passives)]
    assert bare == []
    assert [one.id for one in creatures() if [name for name, _ in one.abilities] != [*map(_short, ABILITIES)]] == []
    assert [
        one.id
        for one in creatures()
        if any(feature.cost == "legendary" for feature in one.features) != bool(one.legendary)
    ] == []


def test_every_condition_damage_type_and_skill_is_one_of_the_game() -> None:
    assert find_unknown_ids(Encounter(list(creatures())), dnd5e()) == ()


def test_every_feature_says_in_figures_or_words_what_it_does() -> None:
    silent = [
        (one.id, feature.id)
        for one in creatures()
        for feature in one.features
        if not (feature.text or feature.damage or feature.save or feature.multiattack or feature.does)
        and "spell" not in feature.properties
    ]
    assert silent == []


def test_a_multiattack_is_made_of_features_that_are_there() -> None:
    for one in creatures():
        ids = {feature.id for feature in one.features}
        named = {id for feature in one.features for way in feature.multiattack for id, _ in way}
        assert named <= ids, one.id


def test_each_can_be_played_and_its_first_attack_hits_and_hurts() -> None:
    first = {one: next(filter(_is_first, one.features), None) for one in creatures()}
    gone = {one.id: _attacked(one, means) for one, means in first.items() if means is not None}
    assert len(gone) >= 320
    bonuses = {one.id: means.attack for one, means in first.items() if means is not None}
    assert {id: bonus for id, (bonus, _hurt) in gone.items()} == bonuses
    assert {id for id, (_bonus, hurt) in gone.items() if not hurt} == NO_DAMAGE


def test_what_its_words_halve_or_give_back_stands_in_figures_too() -> None:
    """For the creatures of all games, whose words are ours."""
    files = sorted(resource_path("library").rglob("*.toml"))
    read = [one for one, _ in map(read_library_file, files) if isinstance(one, Creature)]
    assert len(read) > 400
    features = [(one.id, feature) for one in read for feature in one.features]
    saved = [
        (id, each) for id, each in features if each.damage and each.save and re.search(r"\bhal(f|ves)\b", each.text)
    ]
    assert len(saved) >= 15
    assert [(id, each.id) for id, each in saved if not each.half and not _halves_no_damage(each)] == []
    regains = [(id, each) for id, each in features if re.search(r"^[^.]*\b(regains|Gives another) \d", each.text)]
    assert len(regains) >= 9
    assert [(id, each.id) for id, each in regains if not each.heals] == []


def _halves_no_damage(feature: Feature) -> bool:
    """Whether what a feature's words halve is a speed."""
    return re.search(r"half its speed|halves the target's speed|speed is halved", feature.text) is not None


def test_the_notice_stands_beside_them_and_each_file_names_it() -> None:
    text = " ".join((FOLDER / "ATTRIBUTION.md").read_text(encoding="utf-8").replace(">", " ").split())
    assert NOTICE in text
    assert {one.source for one in creatures()} == {"System Reference Document 5.1"}
    assert {one.licence for one in creatures()} == {"CC BY 4.0 for the statistics; see ATTRIBUTION.md"}


def test_figures_are_those_of_the_source(real_data: Path) -> None:
    by_name = {one.name: one for one in creatures()}
    monsters = json.loads((real_data / "5e-bits" / "2014" / "5e-SRD-Monsters.json").read_text(encoding="utf-8"))
    compared = 0
    for monster in monsters:
        if monster["name"] in FORMS:
            continue
        one = by_name[RENAMED.get(monster["name"], monster["name"])]
        armour = max(each["value"] for each in monster["armor_class"] if each["type"] not in ("spell", "condition"))
        assert (one.hp, one.ac) == (monster["hit_points"], armour), one.id
        assert one.hit_dice == monster["hit_points_roll"], one.id
        assert [value for _, value in one.abilities] == [monster[name] for name in ABILITIES], one.id
        assert one.xp == CORRECTED_XP.get(monster["name"], monster["xp"]), one.id
        assert dict(one.passives)["perception"] == monster["senses"]["passive_perception"], one.id
        assert dict(one.speeds) == _feet(monster["speed"]), one.id
        assert dict(one.saves) == _bonuses(monster, "saving-throw-"), one.id
        assert dict(one.skills) == _bonuses(monster, "skill-"), one.id
        compared += _compare_attacks(one, monster)
        halved = {_plain(action["name"]) for action in monster.get("actions", ()) if _halves(action)}
        ours = {feature.name for feature in one.features if feature.save and feature.half}
        assert halved & {feature.name for feature in one.features} <= ours, one.id
    assert compared > 250


@pytest.mark.soak
def test_no_run_of_seven_words_is_anybody_elses(real_data: Path) -> None:
    ours = {run: one.id for one in creatures() for text in _texts(one) for run in _runs(text)}
    assert len(ours) > 3000
    taken = {run: ours[run] for file in _sources(real_data) for run in _runs(file.read_text("utf-8")) if run in ours}
    assert taken == {}


def _short(ability: str) -> str:
    return ability[:3]


def _is_first(feature: Feature) -> bool:
    return feature.cost == "action" and feature.attack is not None


def _attacked(one: Creature, means: Feature) -> tuple[int, bool]:
    """Start a fight against somebody whom a 15 hits, and return what its attack added to that, and whether it hurt."""
    table = Fray(one, creature("ann", hp=500, ac=12), foes=("ann",), field=None, rules=dnd5e())
    went = table.strikes(one.id, "ann", means.id, 15)
    if went is None:  # somebody who hasn't had a turn yet: two dice
        table.dice(15, 15)
        went = table.last
    assert went is not None, one.id
    assert went.roll is not None, one.id
    table.does(SetDice("roll", seed=1))
    for _ in range(10):
        if not table.prompts:
            break
        asks = queries.waiting_asks(table.prompt)
        replies = tuple(Reply(ask.id, roll=True) if ask.kind == "roll" else Reply(ask.id, skip=True) for ask in asks)
        table.does(Answer(table.prompt.id, replies, table.prompt.revision))
    return sum(modifier.value for modifier in went.roll.modifiers), table.one("ann").hp < 500


def _compare_attacks(one: Creature, monster: dict[str, Any]) -> int:
    """Compare every attack of the source, its bonus, its damage and the DC beside it, and return how many there were."""
    actions = [action for action in monster.get("actions", ()) if " Attack: " in action["desc"]]
    for action in actions:
        what = (one.id, action["name"])
        (feature,) = (each for each in one.features if each.name == _plain(action["name"]) and each.cost == "action")
        assert feature.attack == action["attack_bonus"], what
        dealt = [part for part in action.get("damage", ()) if "damage_dice" in part]
        said = f"{feature.damage} + {feature.save_damage} {feature.text}"
        for part in dealt:
            assert f"{part['damage_dice']} {part['damage_type']['index']}".replace(" + ", "+") in said, what
        if feature.dc:
            assert f"DC {feature.dc} " in action["desc"], what
    return len(actions)


def _halves(action: dict[str, Any]) -> bool:
    """Return whether a save against an action of the source halves its damage."""
    by = [action.get("dc"), *(part.get("dc") for part in action.get("damage", ()))]
    return "takes half the" in action["desc"] or any(one and one["success_type"] == "half" for one in by)


def _plain(name: str) -> str:
    """Return the name of an action without how often it may be used."""
    return re.sub(r" \((?:Recharge|\d|Costs)[^)]*\)", "", name)


def _feet(speed: dict[str, Any]) -> dict[str, int]:
    return {way: int(said.removesuffix(" ft.")) for way, said in speed.items() if way != "hover"}


def _bonuses(monster: dict[str, Any], kind: str) -> dict[str, int]:
    found = {each["proficiency"]["index"]: each["value"] for each in monster["proficiencies"]}
    return {index.removeprefix(kind): value for index, value in found.items() if index.startswith(kind)}


def _texts(one: Creature) -> Iterator[str]:
    yield from (one.languages, one.notes, one.description, one.ac_note, *one.resistances, *one.immunities)
    yield from (*one.vulnerabilities, *(remark.text for remark in one.remarks))
    yield from (feature.text for feature in one.features)


def _sources(folder: Path) -> Iterator[Path]:
    yield from (file for file in folder.rglob("*") if file.suffix in (".json", ".json5", ".md", ".yaml", ".yml"))


def _runs(text: str) -> Iterator[str]:
    words = _WORD.findall(text.lower().replace("\u2019", "'").replace("\\u2019", "'").replace("\\n", " "))
    yield from map(" ".join, zip(*(words[start:] for start in range(RUN)), strict=False))


def test_enough_damage_from_inside_makes_a_swallower_spit_out_its_prey() -> None:
    (behir,) = (one for one in creatures() if one.id == "behir")
    sword = Feature("sword", "Sword", "action", attack=20, reach=5, damage="40 slashing")
    table = Fray(behir, creature("ann", hp=500, features=(sword,)), foes=("ann",), field=None, rules=dnd5e())
    table.does(SetDice("roll", seed=1))
    for means in ("constrict", "swallow"):
        table.strikes("behir", "ann", means, 15)
        table.does(SetDice("roll", seed=1))
        table.ends_turn(1 if means == "swallow" else 2)
    assert {"blinded", "restrained"} <= table.effects("ann")
    table.strikes("ann", "behir", "sword", 20, 20)
    table.chooses("spits-out")
    assert table.effects("ann") == {"prone"}
