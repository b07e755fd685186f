"""What maneuvers and first aid need, and how one gets out of a grapple that a maneuver has brought about."""

from __future__ import annotations

import pytest

from tests.play.map_table import Field
from tests.table import creature
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import BreakFree
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import RestoreResource
from turnwright.play.state.events import Rolled


def pit(**fields: object) -> Field:
    """Ann's turn, an orc beside her and one out of reach."""
    ann = creature("ann", attacks=9, **fields)
    table = Field(ann, "orc", "far", creature("bea", level=3), foes=("orc", "far"))
    return table.puts(ann=(1, 1), orc=(2, 1), far=(11, 1), bea=(1, 11))


def maneuvers(table: Field, choice: str, outcome: str, target: str = "orc") -> None:
    table.does(TakeAction("ann", "basic-maneuver", targets=(target,), choice=choice))
    table.answers(**{target: outcome})


def held(table: Field, name: str = "grappled") -> list[Effect]:
    return [one for one in table.encounter.all(Effect) if (one.target, one.name) == ("orc", name)]


def asked(table: Field) -> dict[str, int]:
    """The ids of what is asked, each with its DC."""
    return {one.id: one.dc for prompt in table.encounter.all(Prompt) for one in prompt.asks}


@pytest.mark.rule("a5e.external.basic-maneuvers")
def test_a_maneuver_takes_somebody_within_reach() -> None:
    table = pit()
    refused = table.refuses(TakeAction("ann", "basic-maneuver", targets=("far",), choice="grapple"))
    assert (refused.key, refused.rule) == ("refused.not_in_reach", "a5e.external.basic-maneuvers")
    assert refused.can_be_overridden
    table.does(TakeAction("ann", "basic-maneuver", choice="grapple"))
    (ask,) = table.prompt.asks
    assert [option.id for option in ask.options] == ["orc"]


@pytest.mark.rule("a5e.stable.aid")
def test_first_aid_takes_a_hand_on_whoever_lies_there() -> None:
    table = pit()
    table.does(ApplyDamage(("bea",), "20"))
    refused = table.refuses(TakeAction("ann", "aid", targets=("bea",)))
    assert (refused.key, refused.rule) == ("refused.too_far_to_help", "a5e.stable.aid")
    table.puts(bea=(1, 2))
    table.dice(15)
    table.does(TakeAction("ann", "aid", targets=("bea",)))
    assert "stable" in table.effects("bea")


def test_a_grapple_is_got_out_of_against_the_grapplers_maneuver_dc() -> None:
    table = pit(maneuver_dc=14)
    maneuvers(table, "grapple", "grappled")
    table.ends_turn()
    (grapple,) = held(table)
    assert (grapple.value, grapple.by) == (14, "ann")
    table.does(BreakFree(grapple.id))
    assert asked(table) == {"check": 14}
    table.dice(14)
    table.chooses("str:athletics")
    assert (held(table), table.happened(Rolled)[-1].dc) == ([], 14)


def test_where_nobody_knows_the_grapplers_dc_it_is_asked_and_kept() -> None:
    table = pit()
    maneuvers(table, "grapple", "grappled")
    table.ends_turn()
    (grapple,) = held(table)
    table.does(BreakFree(grapple.id))
    assert asked(table) == {"dc": 0, "check": 0}
    table.dice(12)
    table.answers(dc=13, check="dex:acrobatics")
    assert [one.value for one in held(table)] == [13]
    table.does(BreakFree(grapple.id))
    assert asked(table) == {"check": 13}


def test_without_a_dc_nobody_gets_out() -> None:
    table = pit()
    maneuvers(table, "grapple", "grappled")
    table.ends_turn()
    table.does(BreakFree(held(table)[0].id))
    table.answers(dc=None, check="str:athletics")
    assert (len(held(table)), table.prompts) == (1, [])


def test_nobody_is_knocked_down_twice() -> None:
    table = pit()
    table.does(ApplyCondition(("orc",), "prone"))
    maneuvers(table, "knockdown", "prone")
    maneuvers(table, "grapple", "grappled")
    maneuvers(table, "grapple", "grappled")
    assert (len(held(table, "prone")), len(held(table))) == (1, 1)


def test_a_second_dash_on_a_turn_makes_nobody_four_times_as_fast() -> None:
    table = pit()
    table.does(TakeAction("ann", "dash"))
    table.does(RestoreResource("ann", "action"))
    table.does(TakeAction("ann", "dash"))
    walk = queries.speed(table.encounter, table.rules, "ann")
    assert walk is not None
    assert walk.total == 60
