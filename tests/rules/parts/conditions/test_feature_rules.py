"""Rules of features: on the rolls of their owner under the feature's name, and on no others."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.attack_table import Fray
from tests.table import Table, creature
from turnwright.dice.expression import RollSpec
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, Map
from turnwright.play.asking.checks import CallForSaves
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.checks.ability_checks import armor_class, check_roll, save_roll
from turnwright.rules.parts.conditions import condition_rules

AXE = Feature("axe", "Axe", "action", attack=4, reach=5, damage="1d8 slashing", properties=("weapon",))


def trait(name: str, *rules: DataRule, **fields: object) -> Feature:
    """A trait with rules."""
    return Feature(name.lower().replace(" ", "-"), name, rules=rules, **fields)  # type: ignore[arg-type]


def table(*features: Feature) -> Table:
    """Ada, who has the features, and Brand, who has none."""
    found = Table(creature("ada", features=features), "brand")
    found.start(ada=12, brand=5)
    return found


def edges(spec: RollSpec) -> list[tuple[str, str]]:
    """The edges of a roll with their reasons."""
    return [(edge.kind, edge.reason) for edge in spec.edges]


def test_a_trait_is_on_its_owner_s_roll_under_its_name_and_on_no_other() -> None:
    at = table(
        trait("Sharp Eyes", DataRule("advantage", "check.wis:perception"), DataRule("modifier", "save.con", add=2))
    )
    assert edges(check_roll(at.encounter, at.rules, "ada", "wis:perception")) == [("advantage", "Sharp Eyes")]
    assert edges(check_roll(at.encounter, at.rules, "ada", "wis:insight")) == []
    assert edges(check_roll(at.encounter, at.rules, "brand", "wis:perception")) == []
    tough = save_roll(at.encounter, at.rules, "ada", "con").modifiers
    assert [(one.value, one.reason) for one in tough if one.reason == "Sharp Eyes"] == [(2, "Sharp Eyes")]
    assert [one.reason for one in save_roll(at.encounter, at.rules, "ada", "str").modifiers] == ["<ability.str>"]


@pytest.mark.parametrize(
    ("rule", "fields", "applies"),
    [
        (DataRule("advantage", "check", when="prone"), {"cost": "bonus"}, True),
        (DataRule("advantage", "check"), {"cost": "bonus"}, False),
        (DataRule("advantage", "check", when="prone"), {"cost": "reaction", "trigger": "hit"}, False),
        (DataRule("unprovoking", "move", when="prone"), {"cost": "action"}, False),
    ],
)
def test_rules_of_actions_need_a_condition(rule: DataRule, fields: dict[str, str], applies: bool) -> None:
    found = condition_rules.rules_in_force(trait("Grab", rule, **fields))
    assert found == ((rule,) if applies else ())


def test_a_save_is_rolled_with_it_and_undo_takes_the_roll_back() -> None:
    at = table(trait("Brave", DataRule("advantage", "save.wis")))
    before = at.encounter
    at.dice(3, 18)
    at.does(CallForSaves(("ada",), "wis", 10))
    (rolled,) = at.happened(Rolled)[-1:]
    assert (rolled.roll.total, [edge.reason for edge in rolled.roll.edges]) == (18, ["Brave"])
    at.session.undo()
    at.session.undo()
    assert at.encounter == before


def test_the_armour_of_a_trait_and_what_its_owner_may_not_do() -> None:
    at = table(trait("Thick Hide", DataRule("modifier", "ac", add=3)), trait("Ponderous", DataRule("deny", "reaction")))
    assert armor_class(at.encounter, at.rules, "ada").total == armor_class(at.encounter, at.rules, "brand").total + 3
    refused = at.refuses(SpendResource("ada", "reaction"))
    assert dict(refused.params)["condition"] == "Ponderous"
    at.does(SpendResource("brand", "reaction"))


def test_a_statement_decides_and_what_nobody_knows_is_asked() -> None:
    fray = Fray(
        creature("ann", features=(AXE, trait("Bully", DataRule("advantage", "attack", when="target.within:5")))), "orc"
    )
    fray.puts(ann=(1, 1), orc=(2, 1))
    assert ("advantage", "Bully") in edges(fray.preview("ann", "orc", "axe").roll)
    unmapped = Fray(
        creature("ann", features=(AXE, trait("Bully", DataRule("advantage", "attack", when="higher:5")))),
        "orc",
        field=None,
    )
    asked = unmapped.preview("ann", "orc", "axe")
    assert ("advantage", "Bully") not in edges(asked.roll)
    assert "higher:5" in [one.fact for one in asked.unknown_facts]
    known = unmapped.preview("ann", "orc", "axe", facts=("higher:5",))
    assert ("advantage", "Bully") in edges(known.roll)


def test_rules_of_anything_but_a_trait_are_not_in_force_by_themselves() -> None:
    rule = DataRule("modifier", "ac", add=2)
    at = table(trait("Parry", rule, cost="reaction"), trait("Guard", rule, trigger="attacked"))
    assert armor_class(at.encounter, at.rules, "ada").total == 10
    at = table(trait("Waking", rule, trigger="turn-start"))
    assert armor_class(at.encounter, at.rules, "ada").total == 12


def test_a_statement_that_cannot_be_read_leaves_its_rule_out() -> None:
    at = table(trait("Odd", DataRule("advantage", "check", when="(melee"), DataRule("advantage", "save")))
    assert edges(check_roll(at.encounter, at.rules, "ada", "wis")) == []
    assert edges(save_roll(at.encounter, at.rules, "ada", "wis")) == [("advantage", "Odd")]


def test_the_rules_of_a_stat_block_are_gathered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def is_usable(rule: DataRule) -> bool:
        read.append(rule.when)
        return True

    monkeypatch.setattr(condition_rules, "_is_usable", is_usable)
    at = table(trait("Brave", DataRule("advantage", "save", when="not prone")))
    for _ in range(5):
        save_roll(at.encounter, at.rules, "ada", "wis")
    assert read == ["not prone"]


@pytest.mark.parametrize(("square", "near"), [((3, 1), True), ((8, 1), False)])
def test_a_trait_helps_allies_and_hampers_enemies_within_its_distance(square: tuple[int, int], near: bool) -> None:
    aura = trait("Banner", DataRule("modifier", "ac", add=2), within=10, effect=(DataRule("disadvantage", "save"),))
    at = Table(creature("ada", features=(aura,)), "brand", "cara", foes=("cara",))
    at.does(Add((Map(columns=20, rows=20),)))
    at.start(ada=12, brand=5, cara=3)
    at.does(SetPosition("ada", position=(1, 1)))
    for other in ("brand", "cara"):
        at.does(SetPosition(other, position=square))
    assert [one.reason for one in armor_class(at.encounter, at.rules, "brand").parts].count("Banner") == near
    assert edges(save_roll(at.encounter, at.rules, "cara", "con")) == [("disadvantage", "Banner")] * near
    assert edges(save_roll(at.encounter, at.rules, "brand", "con")) == []


@pytest.mark.parametrize("what", ["rules", "effect"])
def test_a_question_of_a_trait_reaches_allies_or_enemies_within_its_distance(what: str) -> None:
    rule = DataRule("modifier", "save", add=-2, when="against:poison")
    aura = msgspec.structs.replace(trait("Reek", within=10, automation="asks"), **{what: (rule,)})
    who = "brand" if what == "rules" else "cara"
    at = Table(creature("ada", features=(aura,)), "brand", "cara", foes=("cara",))
    at.does(Add((Map(columns=20, rows=20),)))
    at.start(ada=12, brand=5, cara=3)
    at.does(SetPosition("ada", position=(1, 1)))
    for square, tags, offered in (((3, 1), (), 0), ((3, 1), ("against:poison",), 1), ((8, 1), ("against:poison",), 0)):
        at.does(SetPosition(who, position=square))
        roll = save_roll(at.encounter, at.rules, who, "con", tags=(*tags, "against:fire"))
        assert [(each.reason, each.value) for each in roll.offered] == [("Reek", -2)] * offered
