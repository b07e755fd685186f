"""Saves that failed and may be made all the same, in any game: a property of a feature, with its uses."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.state.events import Rolled
from turnwright.rules.parts.checks.ability_checks import armor_class

STUBBORN = Feature("stubborn", "Stubborn", properties=("legendary-resistance",), uses=1)
BREATH = Feature("breath", "Breath", "action", save="con", dc=15, damage="1d6 cold")


def breathed_on(*others: str) -> Table:
    """Tam breathes on a lich that may resist once, and on others."""
    people = [creature("tam", features=(BREATH,)), creature("lich", hp=60, features=(STUBBORN,)), *others]
    table = Table(*people, foes=("lich",))
    table.start(**{one if isinstance(one, str) else one.id: 20 - n for n, one in enumerate(people)})
    return table


@pytest.mark.parametrize(("answer", "passed", "left"), [("succeeds", True, 0), ("fails", False, 1)])
def test_a_use_makes_a_save_that_failed(answer: str, passed: bool, left: int) -> None:
    table = breathed_on()
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    table.chooses(answer)
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saved.passed, saved.roll.total) == (passed, 3)
    assert table.one("lich").hp == (60 if passed else 56)
    assert table.track("lich", "uses.stubborn") == (left if passed else 0)


@pytest.mark.parametrize(("uses", "lowered"), [(1, True), (2, False)])
def test_the_last_use_can_leave_an_effect(uses: int, lowered: bool) -> None:
    ac = (DataRule("modifier", "ac", set=9),)
    sheds = Feature("sheds", "Sheds", properties=("legendary-resistance",), uses=uses, effect=ac, when="spent:sheds")
    table = Table(creature("tam", features=(BREATH,)), creature("lich", features=(sheds,)), foes=("lich",))
    table.start(tam=20, lich=5)
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    table.chooses("succeeds")
    assert (armor_class(table.encounter, table.rules, "lich").total == 9) is lowered


def test_concentration_is_saved_as_well() -> None:
    table = breathed_on()
    table.does(Concentrate("lich", "ice"))
    table.dice(16, 6, 2)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    assert table.one("lich").hp == 60
    table.does(SetTrack("lich", "uses.stubborn", 0))
    table.ends_turn(2)
    table.dice(3, 6, 2)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    assert ("concentrating" in table.effects("lich"), table.prompts) == (False, [])


def test_undo_gives_the_use_back() -> None:
    table = breathed_on()
    table.dice(3, 4)
    table.does(UseFeature("tam", "breath", targets=("lich",)))
    before = table.encounter
    table.chooses("succeeds")
    table.session.undo()
    assert table.encounter == before
    table.session.redo()
    assert table.track("lich", "uses.stubborn") == 0
