"""Degrees of success: what makes a check critical, basic saves, and what an action leaves by how well it went."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.systems.pf2e.frays import BREATH, Bout, duel
from tests.table import a5e, pf2e
from turnwright.dice.expression import Roll
from turnwright.encounter.prepared import Feature
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.state.events import Rolled, Unaffected
from turnwright.play.table.game_master import SetDice
from turnwright.rules.parts.checks.ability_checks import degree_of


@for_each(
    ("total", "natural", "degree"),
    [
        (30, 15, "critical-success"),
        (29, 15, "success"),
        (20, 10, "success"),
        (19, 10, "failure"),
        (11, 10, "failure"),
        (10, 10, "critical-failure"),
        (25, 20, "critical-success"),
        (15, 20, "success"),
        (5, 20, "failure"),
        (32, 20, "critical-success"),
        (15, 1, "critical-failure"),
        (22, 1, "failure"),
        (31, 1, "success"),
        (5, None, "critical-failure"),
    ],
)
def test_a_check_goes_by_ten_and_by_its_face(total: int, natural: int | None, degree: str) -> None:
    rolled = Roll(total=total, natural=natural)
    assert degree_of(pf2e(), rolled, 20) == degree


def test_other_games_know_two_degrees() -> None:
    said = [degree_of(a5e(), Roll(total=total, natural=20), 20) for total in (5, 19, 20, 40)]
    assert said == ["failure", "failure", "success", "success"]


# Basic saves ------------------------------------------------------------------------------------------------------


def breathed(face: int, **fields: object) -> Bout:
    """An orc with +5 on Reflex who saves against a breath of DC 20 that does 12."""
    table = duel(BREATH, orc={"saves": (("dex", 5),)})
    table.dice(face, 3, 3, 3, 3)
    table.does(UseFeature("ann", "breath", targets=("orc",)))
    return table


@pytest.mark.parametrize(
    ("face", "degree", "taken"),
    [
        (19, "success", 6),
        (20, "critical-success", 0),
        (15, "success", 6),
        (14, "failure", 12),
        (6, "failure", 12),
        (5, "critical-failure", 24),
        (1, "critical-failure", 24),
    ],
)
def test_a_basic_save_shares_the_damage_out(face: int, degree: str, taken: int) -> None:
    table = breathed(face)
    (save,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (save.degree, save.passed, table.lost("orc")) == (degree, degree.endswith("success"), taken)


def test_who_saves_critically_alone_sees_no_damage_rolled() -> None:
    table = breathed(20)
    assert [one for one in table.happened(Rolled) if one.purpose == "ask.damage"] == []


def test_of_a_save_whose_dice_nobody_knows_all_four_can_be_said() -> None:
    table = duel(BREATH)
    table.does(SetDice("ask"))
    table.does(UseFeature("ann", "breath", targets=("orc",)))
    table.answers(orc="?")
    assert [one.id for one in table.prompt.asks[0].options] == [
        "critical-success",
        "success",
        "failure",
        "critical-failure",
    ]
    table.chooses("critical-failure")
    table.answers(damage="7")
    assert table.lost("orc") == 14


def test_a_strike_with_a_basic_save_shares_its_damage_out() -> None:
    bite = Feature("bite", "Bite", "action", attack=7, damage="2d6 acid", save="con", dc=20, half=True)
    table = duel(bite, orc={"saves": (("con", 5),)})
    table.strikes("ann", "orc", "bite", 12, 5, 5, 3)
    assert table.lost("orc") == 20


def test_what_frightens_the_one_who_breathes_eases_the_save() -> None:
    table = duel(BREATH, orc={"saves": (("dex", 5),)})
    table.puts_on("ann", "frightened", 2)
    table.dice(13, 3, 3, 3, 3)
    table.does(UseFeature("ann", "breath", targets=("orc",)))
    (save,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (save.dc, save.degree) == (18, "success")


# What an action leaves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "value"), [(3, 0), (9, 0), (10, 1), (18, 1), (19, 1), (20, 2)])
def test_demoralize_frightens_by_degree(face: int, value: int) -> None:
    table = duel(skills=(("intimidation", 8),), orc={"saves": (("wis", 8),)})
    table.dice(face)
    table.does(TakeAction("ann", "demoralize", targets=("orc",)))
    assert table.value("orc", "frightened") == value


@pytest.mark.parametrize(
    ("face", "ann", "orc"),
    [(1, True, False), (2, True, False), (3, False, False), (11, False, False), (12, False, True)],
)
def test_a_trip_that_fails_critically_fells_whoever_tries(face: int, ann: bool, orc: bool) -> None:
    table = duel(skills=(("athletics", 8),), orc={"saves": (("dex", 10),)})
    table.dice(face)
    table.does(TakeAction("ann", "trip", targets=("orc",)))
    assert ("prone" in table.effects("ann"), "prone" in table.effects("orc")) == (ann, orc)


def test_the_journal_names_the_degree() -> None:
    table = duel(skills=(("intimidation", 8),), orc={"saves": (("wis", 8),)})
    table.dice(20)
    step = table.does(TakeAction("ann", "demoralize", targets=("orc",)))
    assert step is not None
    (line,) = [one.phrase for one in step.lines if one.phrase.key == "journal.rolled_degree"]
    assert dict(line.params)["degree"] == "<degree.critical-success>"


# Creatures that are immune to what an action does -----------------------------------------------------------------


@for_each(
    ("fields", "value"),
    [
        ({}, 2),
        ({"immunities": ("mental",)}, 0),
        ({"condition_immunities": ("fear-effects",)}, 0),
        ({"condition_immunities": ("emotion",)}, 0),
        ({"condition_immunities": ("swarm-mind",)}, 0),
        ({"tags": ("mindless",)}, 0),
        ({"immunities": ("fire",), "condition_immunities": ("visual",), "tags": ("undead",)}, 2),
    ],
)
def test_demoralize_stops_at_immunities_to_its_traits(fields: dict[str, object], value: int) -> None:
    table = duel(skills=(("intimidation", 8),), orc={"saves": (("wis", 8),)} | fields)
    table.dice(20)
    table.does(TakeAction("ann", "demoralize", targets=("orc",)))
    assert table.value("orc", "frightened") == value
    assert len(table.happened(Unaffected)) == (not value)


@for_each(("fields", "is_immune"), [({}, False), ({"tags": ("mindless",)}, True), ({"immunities": ("mental",)}, True)])
def test_a_feint_tells_of_targets_without_a_mind(fields: dict[str, object], is_immune: bool) -> None:
    table = duel(orc=fields)
    table.does(TakeAction("ann", "feint", targets=("orc",)))
    assert [one.who for one in table.happened(Unaffected)] == ["orc"] * is_immune


def test_a_trip_has_no_trait_that_the_mindless_are_immune_to() -> None:
    table = duel(skills=(("athletics", 8),), orc={"saves": (("dex", 8),), "tags": ("mindless",)})
    table.dice(15)
    table.does(TakeAction("ann", "trip", targets=("orc",)))
    assert "prone" in table.effects("orc")


@for_each(("tags", "hp"), [((), 50), (("mindless",), 60)])
def test_mental_damage_does_not_touch_the_mindless(tags: tuple[str, ...], hp: int) -> None:
    table = duel(orc={"tags": tags})
    table.does(ApplyDamage(("orc",), "10 mental"))
    assert table.one("orc").hp == hp
