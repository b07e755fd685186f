"""Mounts by the rules of D&D 5e: getting on, being thrown off, and being struck at in the saddle."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import SWORD, Fight, before_rounds
from tests.table import Table, creature, dnd5e
from turnwright.encounter.prepared import Creature, Feature, Map, RosterEntry
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.movement.mounting import Mounted, MountOrDismount
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.initiative import InitiativeSet
from turnwright.play.turns.turns import RemoveCombatant

KICK = Feature("kick", "Kick", "action", attack=4, reach=5, damage="1d6 bludgeoning")
HORSE = creature("horse", size="large", type="beast", speeds=(("walk", 60),), hp=90, features=(KICK,))
YARD = Map(columns=20, rows=20)


BEAR = creature("bear", size="large", type="beast")


def stable(field: Map | None = None, people: Creature | str = "ada", **squares: tuple[int, ...]) -> Fight:
    """Ada's turn; a large horse, a medium donkey, an orc and its bear."""
    orc = creature("orc", features=(SWORD,), hp=30)
    table = Fight(people, HORSE, creature("donkey"), orc, BEAR, foes=("orc", "bear"), field=field)
    return table.puts(**squares) if field else table  # type: ignore[return-value]


def climbs(table: Fight, mount: str = "horse", way: str = "controlled-mount") -> None:
    """Ada gets on a mount that is willing."""
    table.does(MountOrDismount("ada", mount))
    table.answers(weight=("willing",), control=(way,))


def mounted(field: Map | None = None, people: Creature | str = "ada", **squares: tuple[int, ...]) -> Fight:
    """Ada in the saddle since an earlier turn."""
    table = stable(field, people, **squares)
    climbs(table)
    table.ends_turn(5)
    assert table.active == "ada"
    return table


@pytest.mark.rule("dnd5e.mount.mounting_cost")
def test_getting_on_takes_half_the_speed_once() -> None:
    table = stable()
    climbs(table)
    assert [(one.cost, one.rule) for one in table.happened(Mounted)] == [(15, "dnd5e.mount.mounting_cost")]
    assert table.track("ada", "moved") == 15
    assert table.refuses(MountOrDismount("ada")).rule == "dnd5e.mount.mounting_cost"
    late = stable()
    late.does(MoveFeet("ada", 20))
    assert late.refuses(MountOrDismount("ada", "horse")).rule == "dnd5e.mount.mounting_cost"
    far = stable(YARD, ada=(1, 1), horse=(3, 1), donkey=(9, 9), orc=(12, 12))
    assert far.refuses(MountOrDismount("ada", "horse")).key == "refused.mount_too_far"


def test_a_mount_is_at_least_one_size_bigger() -> None:
    refused = stable().refuses(MountOrDismount("ada", "donkey"))
    assert (refused.key, refused.rule) == ("refused.mount_size", "dnd5e.mount.eligibility")


@pytest.mark.rule("dnd5e.mount.rider_prone_save")
@pytest.mark.parametrize(("face", "stays"), [(10, True), (9, False)])
def test_a_rider_who_is_knocked_prone_may_keep_the_saddle(face: int, stays: bool) -> None:
    table = mounted()
    table.dice(face)
    table.does(ApplyCondition(("ada",), "prone"))
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saved.dc, saved.passed, saved.rule) == (10, stays, "dnd5e.mount.rider_prone_save")
    assert (table.one("ada").rides, "prone" in table.effects("ada")) == ("horse" if stays else "", not stays)


@pytest.mark.rule("dnd5e.mount.rider_prone_save")
def test_whoever_is_thrown_lands_within_5_ft() -> None:
    table = mounted(YARD, ada=(3, 4), horse=(4, 4), donkey=(9, 9), orc=(15, 15), bear=(18, 18))
    table.dice(9)
    table.does(ApplyCondition(("ada",), "prone"))
    squares = {tuple(map(int, option.id.split(","))) for option in table.prompt.asks[0].options}
    assert {option.label for option in table.prompt.asks[0].options if option.id == "3,4"} == {"D5"}  # as on the map
    assert squares == {
        (column, row) for column in range(3, 7) for row in range(3, 7) if column in (3, 6) or row in (3, 6)
    }


@pytest.mark.rule("dnd5e.mount.mount_prone_reaction")
def test_a_rider_may_land_on_its_feet_for_the_reaction() -> None:
    table = mounted()
    table.does(ApplyCondition(("horse",), "prone"))
    assert table.prompt.asks[0].rule == "dnd5e.mount.mount_prone_reaction"
    table.chooses("land")
    assert (table.one("ada").rides, table.effects("ada"), table.left("ada")["reaction"]) == ("", set(), 0)
    spent = mounted()
    spent.does(SpendResource("ada", "reaction"))
    spent.does(ApplyCondition(("horse",), "prone"))
    assert (spent.one("ada").rides, spent.effects("ada")) == ("", {"prone"})


@pytest.mark.rule("dnd5e.mount.actions")
def test_a_controlled_mount_does_nothing_but_dash_disengage_and_dodge() -> None:
    table = stable()
    climbs(table)
    assert [*table.offers("horse")] == ["dash", "disengage", "dodge"]
    for command in (TakeAction("horse", "hide"), Attack("horse", "orc", "kick")):
        refused = table.refuses(command)
        assert (refused.key, refused.rule) == ("refused.led_mount", "dnd5e.mount.actions")
    assert table.refuses(CommandMount("ada", "dash")).key == "refused.mount_acts"
    table.does(TakeAction("horse", "dash"))
    assert (table.feet("horse"), table.left("horse")["action"], table.left("ada")["action"]) == (120, 0, 1)
    free = stable()
    climbs(free, way="independent-mount")
    free.ends_turn()
    assert {"attack", "hide"} <= {*free.offers("horse")}


def test_a_mount_is_one_of_those_whose_turn_it_is_when_it_acts_with_its_rider() -> None:
    table = stable()
    climbs(table)
    assert [one.id for one in queries.active_combatants(table.encounter)] == ["ada", "horse"]
    table.ends_turn(5)
    assert [one.id for one in queries.active_combatants(table.encounter)] == ["ada"]


@pytest.mark.rule("dnd5e.mount.eligibility")
def test_a_mount_is_willing() -> None:
    table = stable()
    table.does(MountOrDismount("ada", "horse"))
    asked = table.prompt.asks[0]
    assert ([one.id for one in asked.options], asked.rule) == (["willing", "unwilling"], "dnd5e.mount.eligibility")
    table.answers(weight=("unwilling",), control=("controlled-mount",))
    assert (table.one("ada").rides, table.track("ada", "moved")) == ("", 0)
    refused = table.refuses(MountOrDismount("ada", "bear"))
    assert (refused.key, refused.rule) == ("refused.mount_unwilling", "dnd5e.mount.eligibility")
    climbs(table)
    assert table.one("ada").rides == "horse"


@pytest.mark.rule("dnd5e.mount.control_choice")
@pytest.mark.parametrize("way", ["controlled-mount", "independent-mount"])
def test_who_leads_is_chosen_and_shown(way: str) -> None:
    table = stable()
    table.does(MountOrDismount("ada", "horse"))
    asked = table.prompt.asks[1]
    assert [one.id for one in asked.options] == ["controlled-mount", "independent-mount"]
    assert (asked.suggested, asked.rule) == (("controlled-mount",), "dnd5e.mount.control_choice")
    table.answers(weight=("willing",), control=(way,))
    assert {one.name for one in queries.effects_of(table.encounter, "horse")} == {way}
    table.ends_turn(len(table.order))
    table.does(MountOrDismount("ada"))
    assert table.effects("horse") == set()


@pytest.mark.rule("dnd5e.mount.intelligent_independent")
def test_intelligent_mounts_act_as_they_like() -> None:
    table = Fight("ada", creature("dragon", size="huge", tags=("intelligent", "trained")), "orc", field=None)
    table.does(MountOrDismount("ada", "dragon"))
    asked = table.prompt.asks[1]
    assert [one.id for one in asked.options] == ["independent-mount"]
    assert asked.rule == "dnd5e.mount.intelligent_independent"
    table.answers(weight=("willing",), control=("independent-mount",))
    assert (table.order[:2], table.one("dragon").initiative) == (["ada", "dragon"], 19)


@pytest.mark.rule("dnd5e.mount.training")
@pytest.mark.parametrize(("tags", "ways"), [(("wild",), 1), (("untrained",), 1), (("trained",), 2), ((), 2)])
def test_only_trained_mounts_are_controlled(tags: tuple[str, ...], ways: int) -> None:
    table = Fight("ada", creature("elk", size="large", type="beast", tags=tags), "orc", field=None)
    table.does(MountOrDismount("ada", "elk"))
    asked = table.prompt.asks[1]
    assert [one.id for one in asked.options] == ["controlled-mount", "independent-mount"][-ways:]
    assert asked.rule == ("dnd5e.mount.training" if ways == 1 else "dnd5e.mount.control_choice")


@pytest.mark.rule("dnd5e.mount.initiative")
def test_a_controlled_mount_acts_just_before_its_rider() -> None:
    table = before_rounds("ada", HORSE, "orc", "wolf", foes=("orc", "wolf"))
    table.start(ada=15, horse=6, orc=15, wolf=20)
    table.skips()  # who of those level goes first
    table.ends_turn(table.order.index("ada"))
    assert table.active == "ada"
    climbs(table)  # type: ignore[arg-type]
    assert table.one("horse").initiative == 15
    (told,) = [one for one in table.happened(InitiativeSet) if one.how == "mounted"]
    assert (told.who, told.total, told.rule) == ("horse", 15, "dnd5e.mount.initiative")
    table.ends_turn(2)
    assert (table.clock.round, table.active) == (2, "wolf")
    turns = []
    for _ in table.order:
        turns.append(table.active)
        table.ends_turn()
    assert turns == ["wolf", "horse", "ada", "orc"]


@pytest.mark.rule("dnd5e.mount.initiative")
def test_one_prepared_in_the_saddle_needs_no_roll_for_its_mount() -> None:
    table = Table(
        HORSE,
        "ada",
        "orc",
        rules=dnd5e(),
        roster=[RosterEntry("ada", "ada", side="party", rides="horse")],
        foes=("orc",),
    )
    table.start(ada=15, orc=12)
    assert (table.order, table.one("horse").initiative) == (["horse", "ada", "orc"], 15)
    assert table.effects("horse") == {"controlled-mount"}


@pytest.mark.rule("dnd5e.mount.acts_same_turn")
def test_a_controlled_mount_acts_in_the_turn_it_is_mounted_unless_it_has_acted() -> None:
    table = stable()
    climbs(table)
    assert (table.feet("horse"), table.left("horse")["action"]) == (60, 1)
    table.does(MoveFeet("horse", 40))
    assert (table.track("horse", "moved"), table.track("ada", "moved"), table.active) == (40, 15, "ada")
    table.ends_turn()
    assert table.active == "donkey"
    late = Fight(HORSE, "ada", field=None)
    late.ends_turn()
    assert late.active == "ada"
    climbs(late)
    assert late.refuses(MoveFeet("horse", 5)).key == "refused.not_your_turn"


@pytest.mark.rule("dnd5e.mount.acts_same_turn")
def test_a_rider_does_not_walk() -> None:
    table = mounted(YARD, ada=(3, 4), horse=(4, 4), donkey=(15, 1), orc=(12, 12), bear=(18, 18))
    refused = table.refuses(MovePath("ada", ((4, 5),)))
    assert (refused.key, refused.rule) == ("refused.in_the_saddle", "dnd5e.mount.control_choice")


@pytest.mark.rule("dnd5e.mount.forced_move_save")
@pytest.mark.parametrize(("face", "stays"), [(8, True), (7, False)])
def test_a_rider_keeps_the_saddle_of_a_mount_that_is_pushed_by_a_save(face: int, stays: bool) -> None:
    ada = creature("ada", abilities=(("dex", 14),))
    table = mounted(YARD, ada=(3, 4), horse=(4, 4), donkey=(15, 1), orc=(12, 12), bear=(18, 18), people=ada)
    table.dice(face)
    table.does(ForceMove("horse", (7, 4)))
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saved.who, saved.dc, saved.passed, saved.rule) == ("ada", 10, stays, "dnd5e.mount.forced_move_save")
    if stays:
        assert (table.one("ada").rides, table.one("ada").position) == ("horse", (7, 4))
        return
    squares = {tuple(map(int, option.id.split(","))) for option in table.prompt.asks[0].options}
    assert squares == {
        (column, row) for column in range(6, 10) for row in range(3, 7) if column in (6, 9) or row in (3, 6)
    }
    table.chooses("6,3")
    assert (table.one("ada").rides, table.one("ada").position, table.effects("ada")) == ("", (6, 3), {"prone"})


@pytest.mark.rule("dnd5e.mount.opportunity_target")
def test_a_blow_at_riders_may_go_at_either() -> None:
    table = mounted(YARD, ada=(3, 4), horse=(4, 4), donkey=(15, 1), orc=(4, 3), bear=(18, 18))
    table.ends_turn(4)
    assert table.active == "horse"
    table.does(MovePath("horse", ((4, 5), (4, 6), (4, 7))))
    assert table.reactors() == {"orc": ["ada longsword", "horse longsword", "pass"]}


def test_a_mount_whose_rider_is_taken_out_is_led_no_longer() -> None:
    table = mounted()
    table.does(RemoveCombatant("ada"))
    assert table.effects("horse") == set()
    table.ends_turn(3)
    assert table.active == "horse"
    assert {"attack", "hide"} <= {*table.offers("horse")}
