"""A hazard of Pathfinder 2e that is stopped by skill: its checks, its DCs, and how many successes it takes."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter
from tests.systems.pf2e.frays import Bout
from tests.table import creature, pf2e
from turnwright.dice.expression import RollSpec
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Encounter as Records
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.action_effects import DeviceProgress
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries import queries
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path

SKILLS = (("perception", 0), ("thievery", 9), ("athletics", 4))
DISABLE = TakeAction("mira", "disable-device", targets=("blade",))


def at_the_blade(needs: int = 1, **fields: object) -> Encounter:
    """Mira's turn; a scythe of a trap that Thievery against DC 18 stops; an ogre."""
    given = {"tags": ("hazard",), "disable": (("thievery", 18),), "disable_needs": needs, "skills": SKILLS} | fields
    table = Encounter(creature("mira", skills=SKILLS), creature("blade", **given), "ogre", foes=("blade", "ogre"))
    table.start(mira=20, blade=10, ogre=5)
    return table


@pytest.mark.parametrize(
    ("face", "done", "stopped"), [(8, [], False), (9, [1], False), (18, [1], False), (19, [2], True), (20, [2], True)]
)
def test_a_check_counts_by_its_degree(face: int, done: list[int], stopped: bool) -> None:
    table = at_the_blade(needs=2)
    table.dice(face)
    table.does(DISABLE)
    assert ([one.done for one in table.happened(DeviceProgress)], "disabled" in table.effects("blade")) == (
        done,
        stopped,
    )
    assert table.track("mira", "action") == 1


def test_a_critical_success_counts_no_more_than_it_takes() -> None:
    table = at_the_blade(needs=1)
    table.dice(20)
    table.does(DISABLE)
    assert table.track("blade", "disabling") == 1


def test_with_enough_successes_it_stops_and_offers_itself_no_more() -> None:
    table = at_the_blade(needs=2)
    table.dice(9, 9)
    table.does(DISABLE)
    table.ends_turn(3)
    table.does(DISABLE)
    assert [(one.done, one.need) for one in table.happened(DeviceProgress)] == [(1, 2), (2, 2)]
    assert "disabled" in table.effects("blade")
    offered = [one.action.id for one in queries.actions_for(table.encounter, table.rules, "mira")]
    assert "disable-device" not in offered
    table.ends_turn(3)
    assert table.refuses(DISABLE).key == "refused.no_device"


def test_of_several_checks_a_person_says_which_and_each_has_its_dc() -> None:
    table = at_the_blade(disable=(("thievery", 18), ("athletics", 25)))
    offered = [one.action.id for one in queries.actions_for(table.encounter, table.rules, "mira")]
    assert "disable-device" in offered
    table.does(DISABLE)
    assert [one.id for one in table.ask().options] == ["check.dex:thievery", "check.str:athletics"]
    table.chooses("check.str:athletics")
    spec = table.ask().spec
    assert isinstance(spec, RollSpec)
    assert (table.ask().dc, sum(one.value for one in spec.modifiers)) == (25, 4)
    table.types("25")
    assert "disabled" in table.effects("blade")


def test_where_nobody_has_said_which_check_it_is_asked_with_its_dc() -> None:
    table = at_the_blade(disable=())
    table.does(DISABLE)
    assert [one.id for one in table.prompt.asks] == ["check", "dc"]
    table.answers(check=("dex:thievery",), dc=30)
    assert table.ask().dc == 30
    table.types("12")
    assert (table.happened(DeviceProgress), "disabled" in table.effects("blade")) == ([], False)


def test_nobody_else_can_be_stopped_like_a_trap() -> None:
    table = at_the_blade()
    refused = table.refuses(TakeAction("mira", "disable-device", targets=("ogre",)))
    assert (refused.key, refused.rule) == ("refused.no_device", "pf2e.external.basic_actions")


# Those that ship ---------------------------------------------------------------------------------------------------


def shipped(file: str) -> Creature:
    """A hazard of the library."""
    found, notes = read_library_file(resource_path(f"library/pf2e/hazards/{file}"))
    assert isinstance(found, Creature)
    assert notes == (), file
    return found


def test_the_hazards_that_ship_are_simple_and_say_how_to_stop_them() -> None:
    every = [shipped(file.name) for file in sorted(resource_path("library/pf2e/hazards").glob("*.toml"))]
    assert len(every) == 20
    assert {int(one.rating) for one in every} == set(range(13))
    for one in every:
        assert (one.type, {"hazard", "simple"} <= {*one.tags}, one.role) == ("hazard", True, ""), one.id
        assert 1 <= len(one.environments) <= 3, one.id
        assert all(f"DC {dc} {skill.title()}" in one.features[-1].text for skill, dc in one.disable), one.id
        assert [each.cost for each in one.features] == ["reaction", "trait"], one.id
        assert bool(one.ac) == bool(one.hp) == bool(one.saves), one.id


def test_a_hazard_that_ships_is_worth_a_fifth() -> None:
    party = RosterEntry("hero", "hero", count=4, side="party", player="Kim", level=4)
    rune = RosterEntry("toll-rune", "toll-rune")
    found = encounter_budget(Records([creature("hero"), shipped("toll-rune.toml"), party, rune]), pf2e())
    assert found is not None
    assert (found.total, found.unknown, found.off_table) == (8, (), ())


def test_whoever_comes_near_a_hazard_that_ships_springs_it() -> None:
    table = Bout(shipped("toll-rune.toml"), creature("ann", hp=90), foes=("toll-rune",))
    table.puts(**{"toll-rune": (1, 1), "ann": (4, 1)})
    table.does(MovePath("ann", ((3, 1), (2, 1))), anyway=True)
    assert [option.id for option in table.prompt.asks[0].options] == ["payment", "pass", "never"]
    table.dice(12, 5, 5, 5, 5)
    table.chooses("payment")
    assert (table.one("ann").hp, table.track("toll-rune", "reaction")) == (90 - 22, 0)
