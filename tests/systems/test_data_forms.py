"""What every game's data has in common: it cites what its ledger holds, refers to what there is, and has all the words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from tests.games import BASED, WITH_LIBRARY, WITH_TRAITS
from tests.games import WITH_LEDGER as OWN_LEDGER
from turnwright.bootstrap import RuleSystems
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.storage.icon_names import icon_codes
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import read_ledger, read_system_data

SYSTEMS = RuleSystems().ids
WITH_LEDGER = (*OWN_LEDGER, *BASED)
RULES = {"a5e": 537, "dnd5e": 205, "dnd5e-2024": 215, "action_points": 159, "pf2e": 88}
# Words that a game needs for its own abilities only.
BY_ABILITY = ("save.", "check.")
CITED = {
    "a5e": 150,
    "dnd5e": 150,
    "dnd5e-2024": 150,
    "action_points": 100,
    "pf2e": 60,
}  # at least so many rules stand in the data
SIGHT = {"sight", "being-seen"}
# What a condition may take away besides resources, and what an action may be paid with besides them.
DENIED = {
    "a5e": SIGHT
    | {
        "approaching",
        "flanking",
        "being-flanked",
        "being-targeted",
        "targeting",
        "healing",
        "casting",
        "temporary",
        "legendary",
    },
    "dnd5e": SIGHT | {"approaching", "being-targeted", "casting", "targeting", "healing"},
    "dnd5e-2024": SIGHT | {"approaching", "being-targeted", "casting", "targeting", "healing", "poisoned"},
}
DENIED_ELSEWHERE = SIGHT | {
    "approaching",
    "being-targeted",
    "casting",
    "movement",
    "hearing",
    "speech",
    "grip",
    "targeting",
}
PAID = {"a5e": {"attack", "none", "minute", "hour"}, "dnd5e": {"attack"}, "dnd5e-2024": {"attack"}}


@cache
def data(id: str) -> SystemData:
    return read_system_data(id)


@cache
def ledger(id: str) -> dict[str, LedgerRule]:
    return {rule.id: rule for rule in read_ledger(id)}


def beginnings(id: str) -> tuple[str, ...]:
    """What the ids of a game's ledger begin with."""
    return tuple(sorted({f"{rule.partition('.')[0]}." for rule in ledger(id)}))


def rules_in(value: Any, beginnings: tuple[str, ...]) -> Iterator[str]:
    """Every ledger id that stands anywhere in a record."""
    if isinstance(value, str):
        if value.startswith(beginnings):
            yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from rules_in(each, beginnings)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from rules_in(getattr(value, field), beginnings)


@pytest.mark.parametrize("id", WITH_LEDGER)
def test_every_rule_cited_is_in_the_ledger(id: str) -> None:
    cited = set(rules_in(data(id), beginnings(id)))
    assert len(cited) > CITED[id]
    assert sorted(cited - set(ledger(id))) == []


@pytest.mark.parametrize("id", OWN_LEDGER)
def test_no_rule_of_another_game_is_cited(id: str) -> None:
    others = tuple(each for other in OWN_LEDGER if other != id for each in beginnings(other))
    assert list(rules_in(data(id), others)) == []


@pytest.mark.parametrize("id", WITH_LEDGER)
def test_every_topic_names_a_rule_of_the_ledger(id: str) -> None:
    cites = dict(data(id).cites)
    assert cites
    assert {topic: rule for topic, rule in cites.items() if rule not in ledger(id)} == {}


@pytest.mark.parametrize("id", WITH_LEDGER)
def test_actions_conditions_and_table_rules_cite_something(id: str) -> None:
    catalogue = data(id)
    marks = {mark.id for mark in catalogue.elsewhere.marks}
    choices = [one for one in catalogue.options if not one.external]
    silent = [one.id for one in (*catalogue.actions, *choices) if not one.ledger]
    assert silent == []
    cited = [one.ledger for one in catalogue.conditions if one.ledger and one.id not in marks]
    assert all(rule in ledger(id) for rules in cited for rule in rules)


@pytest.mark.parametrize("id", WITH_LEDGER)
def test_the_ledger_holds_every_rule_once(id: str) -> None:
    rules = read_ledger(id)
    assert len(rules) == len(ledger(id)) == RULES[id]
    assert all(rule.statement and rule.check and rule.title and rule.source for rule in rules)


@pytest.mark.parametrize("id", SYSTEMS)
def test_actions_and_conditions_refer_to_what_there_is(id: str) -> None:
    catalogue = data(id)
    conditions = {condition.id for condition in catalogue.conditions}
    resources = {resource.id for resource in catalogue.resources}
    assert {action.cost for action in catalogue.actions} - {""} <= resources
    assert {cost for action in catalogue.actions for cost in action.payable} <= resources | PAID.get(id, set())
    assert {action.effect for action in catalogue.actions if action.effect} <= conditions
    assert {left.effect for action in catalogue.actions for left in action.leaves if left.shown} <= conditions
    assert {implied for condition in catalogue.conditions for implied in condition.implies} <= conditions
    denied = {rule.what for each in catalogue.conditions for rule in each.rules if rule.kind == "deny"}
    assert denied <= resources | DENIED.get(id, DENIED_ELSEWHERE)


@pytest.mark.parametrize("id", WITH_LEDGER)
def test_what_a_game_is_about_has_words(id: str) -> None:
    catalogue = data(id)
    own, wanted = dict(catalogue.terms), dict(data("a5e").terms)
    lacking = {one.id for one in data("a5e").conditions} - {one.id for one in catalogue.conditions}
    needed = {key for key in wanted if key not in lacking and not key.startswith(BY_ABILITY)}
    needed |= {f"{kind}{ability.id}" for kind in BY_ABILITY for ability in catalogue.abilities}
    assert sorted(needed - set(own)) == []
    assert all(own.values())


@pytest.mark.parametrize("id", SYSTEMS)
def test_skills_and_checks_go_by_abilities_there_are(id: str) -> None:
    catalogue = data(id)
    abilities = {ability.id for ability in catalogue.abilities}
    skills = {skill.id for skill in catalogue.skills}
    assert {skill.ability for skill in catalogue.skills} <= abilities
    assert {check.ability for check in catalogue.initiative_checks} <= abilities
    assert {check.skill for check in catalogue.initiative_checks} - {""} <= skills
    assert len({size.id for size in catalogue.sizes}) == len(catalogue.sizes) > 0


@pytest.mark.parametrize("id", SYSTEMS)
def test_icons_are_in_the_icon_font(id: str) -> None:
    charmap = icon_codes()
    catalogue = data(id)
    every = [each.icon for each in (*catalogue.damage_types, *catalogue.conditions)]
    icons = every if id in WITH_LEDGER else list(filter(None, every))
    assert [icon for icon in icons if not icon.startswith("mdi6.") or icon.removeprefix("mdi6.") not in charmap] == []
    kinds = [each.icon for each in catalogue.damage_types if each.icon]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("id", OWN_LEDGER)
def test_conditions_that_the_rules_only_name_are_marked(id: str) -> None:
    for condition in data(id).conditions:
        named = any(".external." in rule for rule in condition.ledger)
        if condition.ledger:
            assert condition.external == named, condition.id


def test_every_folder_of_data_is_a_system_that_is_known() -> None:
    folders = {path.name for path in resource_path("systems").iterdir() if path.is_dir()}
    assert folders == set(SYSTEMS)


def test_ledgers_libraries_and_catalogues_are_found() -> None:
    """The other tests ask nothing of a game that has none of them."""
    assert set(RULES) == set(WITH_LEDGER)
    assert set(WITH_LIBRARY) >= {"a5e", "action_points", "dnd5e", "pf2e"}
    assert set(WITH_TRAITS) >= {"a5e", "dnd5e", "pf2e"}


@pytest.mark.parametrize("id", WITH_LIBRARY)
def test_companies_have_creatures_of_the_library(id: str) -> None:
    shipped = {file.stem for file in resource_path(f"library/{id}").rglob("*.toml")}
    kinds = {kind for company in data(id).companies for kind in company.kinds}
    assert sorted(kinds - shipped) == []
    assert all(len(set(company.kinds)) == len(company.kinds) > 1 for company in data(id).companies)
