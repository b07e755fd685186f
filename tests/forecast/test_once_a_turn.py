"""Damage that a trait adds once a turn: what the sheet has of it is what a session with scripted dice deals."""

from __future__ import annotations

import pytest

from tests.play.attack_table import Fray
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, FeatureStep, Scene
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import WON, FightResult
from turnwright.forecast.sheet import REFILLS_AT_OWN_TURN
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.workspace.fight_forecast import begun_copy

BLADE = Feature("blade", "Blade", "action", attack=60, reach=5, damage="1 slashing", properties=("weapon",))
BESIDE = "ally-at-target:5"
EITHER = "weapon, (rolls-with:advantage | ally-at-target:5)"
SNEAK = f"{EITHER}, not rolls-with:disadvantage"
DEALT = {True: [5, 1], False: [1, 1]}  # by the two hits of a turn


def field(rules, when: str, *, near: bool, edge: str, hp: int = 6) -> Fray:
    """Ann's turn, who strikes twice, with bob beside the orc or far away from it."""
    sneak = Feature("sneak", "Sneak", uses=1, per="turn", rules=(DataRule("extra", "damage", dice="4", when=when),))
    lucky = Feature("lucky", "Lucky", rules=(DataRule(edge, "attack"),) if edge else ())
    twice = Feature("twice", "Twice", "action", attacks=2, multiattack=((("blade", 2),),))
    ann = creature("ann", features=(twice, BLADE, sneak, lucky), attacks=2, ac=10)
    orc = creature("orc", hp=hp, ac=10)
    scene = Scene(system=rules.id, strictness="enforce")
    made = Fray(ann, creature("bob"), orc, foes=("orc",), rules=rules, scene=scene)
    return made.puts(ann=(1, 1), orc=(2, 1), bob=(2, 2) if near else (15, 15))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("rules", [a5e, dnd5e])
@pytest.mark.parametrize(
    ("when", "near", "edge", "holds"),
    [
        (BESIDE, True, "", True),
        (BESIDE, False, "", False),
        (BESIDE, False, "advantage", False),
        (EITHER, False, "advantage", True),
        (EITHER, True, "disadvantage", True),
        (SNEAK, True, "", True),
        (SNEAK, False, "", False),
        (SNEAK, False, "advantage", True),
        (SNEAK, True, "disadvantage", False),
        ("not rolls-with:disadvantage", False, "", True),
        ("not rolls-with:disadvantage", False, "disadvantage", False),
        ("weapon", False, "disadvantage", True),
    ],
)
def test_the_sheet_adds_what_a_session_adds(rules, when, near, edge, holds):
    table = field(rules(), when, near=near, edge=edge)
    copy = begun_copy(table.encounter, table.rules)
    sheet, _ = build_sheet(copy.encounter, table.rules, copy.waiting)
    fights, _ = fight_loop().play(packed_sheet(sheet), 1, 0, 2000)
    at_once = (fights[:, FightResult.outcome] == WON) & (fights[:, FightResult.rounds] == 1)
    assert (at_once.mean() > 0.8) == holds
    assert at_once.any() == holds
    dealt = []
    for _ in range(2):
        before = table.lost("orc")
        table.strikes("ann", "orc", "blade", 15, *([15] if edge else []))
        dealt.append(table.lost("orc") - before)
    assert dealt == DEALT[holds]


@pytest.mark.parametrize("rules", [a5e, dnd5e])
def test_it_is_there_again_in_the_next_turn(rules):
    table = field(rules(), BESIDE, near=True, edge="", hp=20)
    table.strikes("ann", "orc", "blade", 15)
    table.ends_turn(3)
    before = table.lost("orc")
    table.strikes("ann", "orc", "blade", 15)
    assert (before, table.lost("orc")) == (5, 10)


@pytest.mark.parametrize("loads", [False, True])
def test_a_weapon_that_an_action_loads_is_there_again_in_each_turn(loads):
    bow = Feature("bow", "Bow", "action", attack=9, range="60", damage="1d8 piercing", uses=1, per="encounter")
    load = Feature("load", "Load Bow", "action", does=(FeatureStep(recharges="bow" if loads else "*"),))
    table = Table("ann", creature("drow", features=(bow, load)), foes=["drow"], rules=pf2e())
    table.start(drow=20, ann=10)
    copy = begun_copy(table.encounter, table.rules)
    sheet, _ = build_sheet(copy.encounter, table.rules, copy.waiting)
    rows = sheet.supplies[sheet.supplies[:, columns.Supply.most] == 1]
    assert (REFILLS_AT_OWN_TURN in rows[:, columns.Supply.refills]) is loads
