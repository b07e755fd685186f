"""Riders and mounts: who carries whom, what getting on costs, whose movement is spent, and what knocks a rider down."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.play.map_table import Field, edges
from tests.play.movement.test_commanded_move import left
from tests.table import action_points, creature, pf2e
from turnwright.encounter.prepared import Feature, Map, Scene
from turnwright.encounter.procedure_state.asks import Prompt, Reply
from turnwright.encounter.running import Clock, Combatant, Slot, Track, track_id
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attacked
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.damage.manual_hit_points import SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.mounting import Dismounted, Mounted, MountOrDismount
from turnwright.play.session import Session
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.rules.parts.movement.move_legs import is_carried_by
from turnwright.rules.system import RuleSystem

HOOVES = Feature("hooves", "Hooves", cost="action", attack=5, reach=5, damage="2d4+3 bludgeoning")
BITE = Feature("bite", "Bite", cost="action", attack=5, reach=5, damage="1d4+3 piercing")
MULTI = Feature("multiattack", "Multiattack", cost="action", attacks=3)
HORSE = creature("horse", size="large", speeds=(("walk", 60),), features=(MULTI, HOOVES), hp=90)


def stable(*more: object, field: Map | None = None, options: tuple[str, ...] = (), **squares: object) -> Field:
    """Ada's turn; a large horse, a medium one, a huge one, and an orc."""
    people = ["ada", HORSE, creature("pony", size="medium"), creature("mammoth", size="huge"), "orc", *more]
    scene = Scene(strictness="enforce", options=options)
    return Field(*people, foes=("orc",), field=field, scene=scene)  # type: ignore[arg-type]


def mounted(*, controlled: bool = True, field: Map | None = None, **given: object) -> Field:
    """Ada on the horse since an earlier turn, with a full turn before her."""
    table = stable(field=field, **given)  # type: ignore[arg-type]
    if field:
        table.puts(ada=(4, 4), horse=(4, 4), orc=(14, 14), pony=(12, 0), mammoth=(0, 12))
    table.does(MountOrDismount("ada", "horse", controlled))
    table.chooses("carries")
    table.ends_turn(5)
    assert table.active == "ada"
    return table


@pytest.mark.rule("a5e.mount.size")
def test_a_mount_is_at_least_one_size_bigger() -> None:
    table = stable()
    refused = table.refuses(MountOrDismount("ada", "pony"))
    assert (refused.key, refused.rule) == ("refused.mount_size", "a5e.mount.size")
    for mount in ("horse", "mammoth"):
        table = stable()
        table.does(MountOrDismount("ada", mount))
        table.chooses("carries")
        assert table.one("ada").rides == mount
    assert table.refuses(MountOrDismount("ada", "horse")).key == "refused.mounted_already"
    assert stable().refuses(MountOrDismount("ada", "ada")).key == "refused.mount_self"


def test_nobody_rides_what_rides_them_by_whatever_way() -> None:
    table = stable()
    for rider, mount in (("ada", "horse"), ("horse", "mammoth")):
        table.does(MountOrDismount(rider, mount, controlled=False))
        table.chooses("carries")
        table.ends_turn()
    table.ends_turn()
    for below in ("ada", "horse"):
        with pytest.raises(Refused) as refused:
            table.does(MountOrDismount("mammoth", below), anyway=True)
        assert refused.value.key == "refused.mount_self"


def test_a_ring_of_riders_out_of_a_file_is_gone_round_once() -> None:
    table = stable()
    for rider, mount in (("ada", "horse"), ("horse", "ada"), ("orc", "ada")):
        table.has(msgspec.structs.replace(table.one(rider), rides=mount))
    assert is_carried_by(table.encounter, "orc", "horse")
    assert not is_carried_by(table.encounter, "orc", "pony")


@pytest.mark.rule("a5e.external.carrying-weight")
def test_the_narrator_says_whether_a_mount_can_carry_the_weight() -> None:
    table = stable()
    table.does(MountOrDismount("ada", "horse"))
    (asked,) = table.prompt.asks
    assert (asked.rule, [option.id for option in asked.options]) == (
        "a5e.external.carrying-weight",
        ["carries", "too-heavy"],
    )
    table.chooses("too-heavy")
    assert (table.one("ada").rides, table.track("ada", "moved"), table.happened(Mounted)) == ("", 0, [])


@pytest.mark.rule("a5e.mount.cost")
def test_mounting_costs_half_of_the_riders_speed() -> None:
    table = stable()
    table.does(MoveFeet("ada", 10))
    table.does(MountOrDismount("ada", "horse", controlled=False))
    table.chooses("carries")
    assert (table.happened(Mounted)[0].cost, left(table)) == (15, 5)
    late = stable()
    late.does(MoveFeet("ada", 20))
    refused = late.refuses(MountOrDismount("ada", "horse"))
    assert (refused.key, refused.rule) == ("refused.cannot_mount", "a5e.mount.cost")
    assert refused.params["left"] == 10


@pytest.mark.rule("a5e.mount.once-per-turn")
def test_on_or_off_once_a_turn() -> None:
    table = stable()
    table.does(MountOrDismount("ada", "horse"))
    table.chooses("carries")
    refused = table.refuses(MountOrDismount("ada"))
    assert (refused.key, refused.rule) == ("refused.mounted_once", "a5e.mount.once-per-turn")
    table.ends_turn(5)
    table.does(MountOrDismount("ada"))
    assert table.one("ada").rides == ""
    assert table.refuses(MountOrDismount("ada", "horse")).rule == "a5e.mount.once-per-turn"
    assert table.refuses(MountOrDismount("ada")).key == "refused.not_mounted"


@pytest.mark.rule("a5e.mount.use-mount-speed", "a5e.external.mount-control")
@pytest.mark.parametrize(("controlled", "feet"), [(True, 60), (False, 30)])
def test_a_mount_that_obeys_lends_its_speed(controlled: bool, feet: int) -> None:
    table = mounted(controlled=controlled)
    assert left(table) == feet
    if not controlled:
        refused = table.refuses(CommandMount("ada", "dash"))
        assert (refused.key, refused.rule) == ("refused.no_control", "a5e.external.mount-control")


@pytest.mark.rule("a5e.mount.shared-movement")
def test_rider_and_mount_have_one_pool_of_movement() -> None:
    table = mounted()
    table.does(MoveFeet("ada", 50))
    assert (left(table), left(table, "horse"), table.track("ada", "moved")) == (10, 10, 50)
    table.does(MoveFeet("horse", 10))
    assert (left(table), left(table, "horse")) == (0, 0)


@pytest.mark.rule("a5e.mount.cost-when-moving-on")
def test_getting_off_counts_against_what_is_left() -> None:
    table = mounted(controlled=False)
    table.does(MountOrDismount("ada"))
    table.does(MoveFeet("ada", 10))
    assert left(table) == 5
    (off,) = table.happened(Dismounted)
    assert (off.mount, off.cost) == ("horse", 15)


@pytest.mark.rule("a5e.mount.commands-in-movement")
def test_a_mount_dashes_at_no_cost_to_its_rider() -> None:
    table = mounted()
    table.does(CommandMount("ada", "dash"))
    assert left(table) == 120
    assert (table.track("ada", "action"), table.track("ada", "bonus"), table.track("horse", "action")) == (1, 1, 1)
    table.does(CommandMount("ada", "disengage"))
    table.does(CommandMount("ada", "dodge"))
    assert {"dashing", "disengaging", "dodging"} <= table.effects("horse")
    assert table.refuses(CommandMount("ada", "hide")).rule == "a5e.mount.commands-in-movement"


@pytest.mark.rule("a5e.action.dash.fatigue", "a5e.action.dodge.speed-zero")
def test_what_bars_an_action_bars_a_mount_from_it_too() -> None:
    table = mounted()
    table.does(SetTrack("horse", "fatigue", 1))
    table.does(ApplyCondition(("horse",), "grappled"))
    for order, rule in (("dash", "a5e.action.dash.fatigue"), ("dodge", "a5e.action.dodge.speed-zero")):
        assert table.refuses(CommandMount("ada", order)).rule == rule
    table.does(CommandMount("ada", "disengage"))


@pytest.mark.rule("a5e.mount.command-bonus-action", "a5e.mount.no-multiattack")
def test_the_bonus_action_buys_one_attack_of_the_mount() -> None:
    table = mounted()
    table.does(CommandMount("ada", "attack", "orc"))
    while table.prompts and table.prompt.title != "prompt.attack":
        table.skips()
    assert table.track("ada", "bonus") == 0
    table.dice(2)
    (attacked,) = table.happened(Attacked)
    assert (attacked.who, attacked.weapon) == ("horse", "Hooves")
    for order in ("dash", "disengage", "dodge"):
        refused = table.refuses(CommandMount("ada", order))
        assert (refused.key, refused.rule) == ("refused.mount_commanded", "a5e.mount.command-bonus-action")
    again = table.refuses(CommandMount("ada", "attack", "orc"))
    assert again.key in ("refused.none_left", "refused.mount_commanded")
    assert len(table.happened(Attacked)) == 1


@pytest.mark.rule("a5e.mount.command-bonus-action")
@pytest.mark.parametrize("hurried", ["dash", "disengage", "dodge"])
def test_a_mount_that_was_told_to_hurry_acts_for_no_bonus_action_on_that_turn(hurried: str) -> None:
    table = mounted()
    table.does(CommandMount("ada", hurried))
    for order in (CommandMount("ada", "attack", "orc"), CommandMount("ada", "check", check="str:athletics")):
        refused = table.refuses(order)
        assert (refused.key, refused.rule) == ("refused.mount_hurried", "a5e.mount.command-bonus-action")
    assert table.track("ada", "bonus") == 1
    table.does(CommandMount("ada", "attack", "orc"), anyway=True)
    assert table.track("ada", "bonus") == 0


def test_what_a_mount_was_told_binds_it_for_that_turn_alone() -> None:
    table = mounted()
    table.does(CommandMount("ada", "dash"))
    table.ends_turn()
    while table.active != "ada":
        table.ends_turn()
    table.does(CommandMount("ada", "attack", "orc"))
    assert table.track("ada", "bonus") == 0


def test_a_mount_with_several_attacks_makes_the_one_that_is_named() -> None:
    beast = creature("wolf", size="large", features=(MULTI, HOOVES, BITE))
    table = Field("ada", beast, "orc", foes=("orc",), field=None)
    table.does(MountOrDismount("ada", "wolf"))
    table.chooses("carries")
    table.does(CommandMount("ada", "attack", "orc"))
    assert [option.id for option in table.prompt.asks[0].options] == ["hooves", "bite"]
    assert table.prompt.rule == "a5e.mount.no-multiattack"


@pytest.mark.rule("a5e.mount.command-bonus-action")
def test_the_bonus_action_buys_a_check_of_the_mount() -> None:
    table = mounted()
    table.dice(11)
    table.does(CommandMount("ada", "check", check="str:athletics"))
    (rolled,) = [one for one in table.happened(Rolled) if one.purpose == "ask.check"]
    assert (rolled.who, rolled.roll.total, table.track("ada", "bonus")) == ("horse", 11, 0)


# Knocked down -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.mount.rider-prone")
@pytest.mark.parametrize(("face", "on"), [(10, True), (9, False)])
def test_a_rider_who_is_knocked_prone_may_keep_the_saddle(face: int, on: bool) -> None:
    table = mounted()
    table.dice(face)
    table.does(ApplyCondition(("ada",), "prone"))
    (saved,) = [one for one in table.happened(Rolled) if one.purpose == "ask.save"]
    assert (saved.dc, saved.passed, saved.rule) == (10, on, "a5e.mount.rider-prone")
    assert (table.one("ada").rides, "prone" in table.effects("ada")) == ("horse" if on else "", not on)


@pytest.mark.rule("a5e.variant.rider-prone-space", "a5e.mount.rider-prone")
@pytest.mark.parametrize("options", [(), ("thrown-adjacent",)])
def test_a_thrown_rider_lands_beside_the_mount(options: tuple[str, ...]) -> None:
    table = mounted(field=Map(columns=16, rows=16), options=options)
    table.dice(9)
    table.does(ApplyCondition(("ada",), "prone"))
    (asked,) = table.prompt.asks
    ring = {(column, row) for column in range(3, 7) for row in range(3, 7)} - {(4, 4), (5, 4), (4, 5), (5, 5)}
    assert {option.id for option in asked.options} == {f"{column},{row}" for column, row in ring}
    assert len(asked.options) == 12
    table.chooses("6,3")
    assert (table.one("ada").position, table.one("horse").position) == ((6, 3), (4, 4))


@pytest.mark.rule("a5e.variant.rider-prone-space", "a5e.mount.rider-prone")
@pytest.mark.parametrize(("options", "within"), [((), 2), (("thrown-adjacent",), 1)])
def test_on_smaller_squares_thrown_riders_land_farther_off_unless_the_table_has_them_adjacent(
    options: tuple[str, ...], within: int
) -> None:
    table = mounted(field=Map(columns=32, rows=32, cell=2), options=options)
    table.dice(9)
    table.does(ApplyCondition(("ada",), "prone"))
    (asked,) = table.prompt.asks
    columns = {int(option.id.partition(",")[0]) for option in asked.options}
    horse = 4 + 5 - 1  # its last column: 10 ft are 5 squares of 2
    assert max(columns) == horse + within


@pytest.mark.rule("a5e.mount.mount-prone-reaction")
def test_a_rider_may_land_on_its_feet_when_the_mount_goes_down() -> None:
    table = mounted()
    table.does(ApplyCondition(("horse",), "prone"))
    (asked,) = table.prompt.asks
    assert (asked.who, asked.rule) == ("ada", "a5e.mount.mount-prone-reaction")
    table.chooses("land")
    assert (table.one("ada").rides, table.effects("ada"), table.track("ada", "reaction")) == ("", set(), 0)


def test_the_rider_goes_down_with_a_mount_that_is_dead() -> None:
    table = mounted()
    table.does(SpendResource("ada", "reaction"))
    table.does(SetDead("horse"))
    table.does(ApplyCondition(("horse",), "prone"), anyway=True)
    assert ("prone" in table.effects("ada"), table.one("ada").rides) == (True, "")


def test_the_dead_need_no_save_to_stay_in_the_saddle() -> None:
    table = mounted()
    table.does(SetDead("ada"))
    table.does(ApplyCondition(("ada",), "prone"), anyway=True)
    assert (table.one("ada").rides, table.prompts) == ("horse", [])


@pytest.mark.rule("a5e.mount.mount-prone-otherwise")
def test_a_rider_who_cannot_react_goes_down_with_the_mount() -> None:
    table = mounted()
    table.does(SpendResource("ada", "reaction"))
    table.does(ApplyCondition(("horse",), "prone"))
    assert not [prompt for prompt in table.encounter.all(Prompt) if prompt.title == "prompt.mount_down"]
    assert ("prone" in table.effects("ada"), table.one("ada").rides, table.prompts) == (True, "", [])
    other = mounted()
    other.does(ApplyCondition(("horse",), "prone"))
    other.chooses("pass")
    assert ("prone" in other.effects("ada"), other.track("ada", "reaction")) == (True, 1)


@pytest.mark.rule("a5e.mount.leap-off", "a5e.mount.throw-rider", "a5e.external.leap-and-throw")
def test_leaping_off_and_throwing_off_go_with_advantage() -> None:
    table = mounted()
    table.dice(6, 17)
    table.does(CallForChecks(("horse",), "str", tags=("throw-rider",), dc=13))
    rolled = table.happened(Rolled)[-1]
    assert (rolled.roll.total, rolled.dc, rolled.passed) == (17, 13, True)
    assert [edge.rule for edge in rolled.roll.edges] == ["a5e.mount.throw-rider"]
    table.dice(5, 13)
    table.does(CallForChecks(("ada",), "dex:acrobatics", tags=("leap-off",), dc=10))
    rolled = table.happened(Rolled)[-1]
    assert (rolled.roll.total, [edge.rule for edge in rolled.roll.edges]) == (13, ["a5e.mount.leap-off"])
    table.dice(5, 13)
    table.does(CallForChecks(("orc",), "dex", tags=("leap-off",), dc=10))
    assert table.happened(Rolled)[-1].roll.edges == ()
    table.dice(5, 13)
    table.does(CallForChecks(("orc",), "str", tags=("throw-rider",), dc=10))  # whom nobody rides
    assert table.happened(Rolled)[-1].roll.edges == ()
    assert edges(table.trial("ada", "check.dex")) == []
    assert edges(table.trial("horse", "check.str")) == []


def test_a_rider_comes_down_with_a_flying_mount() -> None:
    griffon = creature("griffon", size="large", speeds=(("walk", 30), ("fly", 80)), hp=90)
    table = Field("ada", griffon, "orc", foes=("orc",), field=None)
    table.does(MountOrDismount("ada", "griffon"))
    table.chooses("carries")
    table.does(MoveFeet("ada", 40, "fly", up=40))
    assert (table.one("ada").elevation, table.one("griffon").elevation) == (40, 40)
    table.does(ApplyCondition(("griffon",), "grappled"))
    table.chooses("nothing")
    assert (table.one("ada").elevation, table.one("griffon").elevation) == (0, 0)


@pytest.mark.parametrize(("rules", "paid"), [(pf2e, 1), (action_points, 0)])
def test_a_game_without_a_saddle_save_asks_the_table(rules: Callable[[], RuleSystem], paid: int) -> None:
    rider, horse = (Combatant(one, one, one, side="party", hp=9, hp_max=9) for one in ("ada", "horse"))
    turn = (Clock(phase="rounds", round=1, active="ada"), Slot("ada", 9, ("ada",)), Slot("horse", 8, ("horse",)))
    actions = Track(track_id("ada", "action"), "ada", "action", 3)
    session = Session(Encounter((creature("ada"), creature("horse"), rider, horse, *turn, actions)), rules())
    session.do(MountOrDismount("ada", "horse"))
    (prompt,) = session.encounter.all(Prompt)
    session.do(Answer(prompt.id, (Reply("weight", chosen=("carries",)),), prompt.revision))
    assert session.encounter.need(Combatant, "ada").rides == "horse"
    assert session.encounter.need(Track, actions.id).value == 3 - paid
    session.do(ApplyCondition(("ada",), "prone"))
    (prompt,) = session.encounter.all(Prompt)
    assert [(ask.kind, [option.id for option in ask.options]) for ask in prompt.asks] == [
        ("choice", ["stays", "falls"])
    ]
    session.do(Answer(prompt.id, (Reply("ada", chosen=("falls",)),), prompt.revision))
    assert session.encounter.need(Combatant, "ada").rides == ""
