"""Riders and mounts: who carries whom, what getting on costs, whose movement is spent, and what knocks a rider down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
import pytest

from tests.for_each import for_each
from tests.play.map_table import SWORD, Field, edges
from tests.play.movement.test_commanded_move import left
from tests.systems.action_points.fights import Fight
from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, Map, Scene
from turnwright.encounter.procedure_state.asks import Prompt, Reply
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Clock, Combatant, Slot, Track, track_id
from turnwright.encounter.state import Encounter
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack, Attacked, target_vetoes
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.damage.manual_hit_points import SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.movement.mounting import FALLS, Dismounted, Mounted, MountOrDismount
from turnwright.play.session import Session
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled
from turnwright.play.table.game_master import SetSide
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.parts.movement.move_legs import is_carried_by
from turnwright.rules.parts.positions import geometry, sight
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
def test_a_mount_that_obeys_takes_no_action_on_a_turn_of_its_own() -> None:
    table = mounted()
    while table.active != "horse":
        table.ends_turn()
    refused = table.refuses(Attack("horse", "orc", "hooves"))
    assert (refused.key, refused.rule) == ("refused.obeys_rider", "a5e.mount.command-bonus-action")
    table.does(Attack("horse", "orc", "hooves"), anyway=True)


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


# In the air, and without a mount ------------------------------------------------------------------------------------

GRIFFON = creature("griffon", size="large", speeds=(("walk", 30), ("fly", 80)), hp=60)
SYSTEMS = (a5e, dnd5e, action_points, pf2e)


def aloft(rules: RuleSystem, *more: object, feet: int = 20, **changes: object) -> Field:
    """Ada on a griffon in the air, in her turn; an orc below."""
    people = ("ada", GRIFFON, creature("orc", features=(SWORD,)), *more)
    if rules is action_points():
        table: Field = Fight(*people, foes=("orc",))  # type: ignore[arg-type]
    else:
        table = Field(*people, foes=("orc",), field=Map(columns=16, rows=16), rules=rules)  # type: ignore[arg-type]
    table.puts(ada=(4, 4, feet), griffon=(4, 4, feet), orc=(14, 14))
    table.has(msgspec.structs.replace(table.one("ada"), rides="griffon", **changes))
    return table


def passes(table: Field, title: str) -> None:
    """Pass over everything that is asked before a prompt."""
    while table.prompt.title != title:
        prompt = table.prompt
        replies = tuple(
            Reply(ask.id, chosen=(ask.options[0].id,)) if ask.options else Reply(ask.id, skip=True)
            for ask in prompt.asks
        )
        table.does(Answer(prompt.id, replies, prompt.revision))


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_gets_off_in_the_air_falls(system: Callable[[], RuleSystem]) -> None:
    table = aloft(system())
    table.does(MountOrDismount("ada", to=(3, 4)))
    assert (table.prompt.title, table.prompt.asks[0].detail, table.one("ada").position) == ("prompt.fall", "20", (3, 4))
    table.chooses("nothing")
    assert (table.one("ada").elevation, table.effects("ada"), table.one("griffon").elevation) == (0, set(), 20)


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_thrown_in_the_air_falls(system: Callable[[], RuleSystem]) -> None:
    table = aloft(system())
    table.dice(1)
    table.does(ApplyCondition(("ada",), table.rules.role("prone")))
    if table.prompt.title == "prompt.seat":
        table.chooses("falls")
    passes(table, "prompt.fall")
    assert (table.one("ada").rides, table.one("ada").elevation) == ("", 20)
    table.chooses("nothing")
    assert (table.one("ada").elevation, table.effects("ada")) == (0, {table.rules.role("prone")})


@pytest.mark.parametrize("system", [a5e, dnd5e, pf2e])
@pytest.mark.parametrize("mount_first", [False, True])
def test_who_lands_on_its_feet_as_the_mount_drops_from_the_air_falls_as_well(
    system: Callable[[], RuleSystem], mount_first: bool
) -> None:
    table = aloft(system())
    table.does(SetTrack("ada", "reaction", 1))
    table.does(ApplyCondition(("griffon",), "prone"))
    prompts = sorted(table.prompts, key=lambda prompt: (prompt.title == "prompt.fall") is not mount_first)
    assert {prompt.title for prompt in prompts} == {"prompt.fall", "prompt.mount_down"}
    for prompt in prompts:
        ask = prompt.asks[0]
        chosen = "land" if prompt.title == "prompt.mount_down" else "nothing"
        table.does(Answer(prompt.id, (Reply(ask.id, chosen=(chosen,)),), prompt.revision))
    while [prompt for prompt in table.prompts if prompt.title == "prompt.square"]:
        passes(table, "prompt.fall") if table.prompt.title == "prompt.square" else None
    falls = [prompt.asks[0] for prompt in table.prompts]
    assert [(ask.who, ask.detail) for ask in falls] == [("ada", "20")]
    table.chooses("nothing")
    assert [table.one(who).elevation for who in ("ada", "griffon")] == [0, 0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_gets_off_just_above_the_ground_stands_on_it(system: Callable[[], RuleSystem]) -> None:
    table = aloft(system(), feet=1)
    table.does(MountOrDismount("ada", to=(3, 4)))
    assert (table.prompts, table.one("ada").elevation) == ([], 0)


def test_who_can_fly_stays_in_the_air() -> None:
    table = Field(creature("ada", speeds=(("walk", 30), ("fly", 30))), GRIFFON, field=Map(columns=16, rows=16))
    table.puts(ada=(4, 4, 20), griffon=(4, 4, 20))
    table.has(msgspec.structs.replace(table.one("ada"), rides="griffon"))
    table.does(MountOrDismount("ada", to=(3, 4)))
    assert (table.prompts, table.one("ada").elevation) == ([], 20)


@for_each("system", SYSTEMS)
@for_each(("feet", "how", "falls"), [(20, "teleport", True), (0, "forced", False)])
def test_who_is_moved_away_from_its_mount_rides_it_no_more(
    system: Callable[[], RuleSystem], feet: int, how: Literal["teleport", "forced"], falls: bool
) -> None:
    table = aloft(system(), feet=feet)
    table.does(ForceMove("ada", (8, 8), how, elevation=feet))
    passes(table, "prompt.fall") if falls else None
    assert (table.one("ada").rides, table.one("ada").position) == ("", (8, 8))
    assert (table.one("griffon").position, bool(table.prompts)) == ((4, 4), falls)
    stays = aloft(system(), feet=feet)
    stays.does(ForceMove("griffon", (8, 8), "teleport", elevation=feet))
    assert (stays.one("ada").rides, stays.one("ada").position) == ("griffon", (8, 8))


@pytest.mark.parametrize("controlled", [True, False])
def test_who_is_thrown_in_a_flight_comes_down_where_it_was_struck(controlled: bool) -> None:
    trip = Feature("trip", "Trip", trigger="hits", afflictions=(InflictedCondition("prone"),))
    ogre = creature("ogre", features=(SWORD, trip))
    table = aloft(dnd5e(), ogre, feet=0, controlled=controlled)
    table.does(SetSide(("ogre",), "enemies"))
    table.puts(ogre=(3, 4))
    if not controlled:
        table.ends_turn()
    table.does(MovePath("ada" if controlled else "griffon", tuple((column, 4) for column in range(5, 10))))
    table.dice(15, 1, 1)
    table.chooses("ada sword")
    assert table.prompt.title == "prompt.square"
    squares = {tuple(map(int, option.id.split(","))) for option in table.prompt.asks[0].options}
    assert (3, 5) in squares
    assert all(column <= 6 for column, _ in squares)
    table.chooses("3,5")
    while table.prompts:
        table.skips()
    assert (table.one("ada").position, table.one("ada").rides) == ((3, 5), "")
    assert table.one("griffon").position == ((4, 4) if controlled else (9, 4))


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_loses_its_mount_rides_nobody_and_falls(system: Callable[[], RuleSystem]) -> None:
    table = aloft(system(), creature("mule", size="large"))
    table.puts(mule=(4, 5))
    table.does(RemoveCombatant("griffon"))
    assert (table.one("ada").rides, table.one("ada").controlled, table.prompt.title) == ("", False, "prompt.fall")
    step = table.session.history.last
    assert step is not None
    assert "griffon" not in str([line.phrase for line in step.lines])
    table.chooses("nothing")
    assert (table.one("ada").elevation, table.one("ada").position) == (0, (4, 4))
    table.session.undo()
    table.session.undo()
    assert (table.one("ada").rides, table.one("ada").elevation) == ("griffon", 20)


def test_who_rode_a_removed_mount_may_mount_another() -> None:
    table = mounted()
    table.does(RemoveCombatant("horse"))
    assert (table.one("ada").rides, table.prompts) == ("", [])
    table.does(MountOrDismount("ada", "mammoth"))
    assert table.prompt.title == "prompt.weight"


def test_who_is_removed_guards_nobody_and_controls_nobody() -> None:
    table = Field("ada", "bo", "wolf", field=None)
    table.has(msgspec.structs.replace(table.one("wolf"), controller="bo"))
    table.marks("ada", "back-to-back", by="bo")
    table.marks("bo", "back-to-back", by="ada")
    table.does(RemoveCombatant("bo"))
    assert (table.effects("ada"), table.one("wolf").controller) == (set(), "")


# The rider's space --------------------------------------------------------------------------------------------------


def beside(rules: RuleSystem, orc: tuple[int, int]) -> Field:
    """Ada on a griffon with its upper left square on 4,4, and an orc somewhere, in the orc's turn."""
    table = aloft(rules, feet=0)
    table.has(msgspec.structs.replace(table.one("ada"), controlled=True))
    return table.puts(orc=orc)


@pytest.mark.rule("dnd5e.mount.opportunity_target")
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_rider_is_reached_and_reaches_from_every_square_around_its_mount(system: Callable[[], RuleSystem]) -> None:
    rules = system()
    for column in range(3, 7):
        for row in range(3, 7):
            if {column, row} & {3, 6}:
                table = beside(rules, (column, row))
                assert geometry.distance(table.encounter, rules, "ada", "orc") == (2 if rules is action_points() else 5)
                for attacker, target in (("orc", "ada"), ("ada", "orc")):
                    attack = AttackInProgress(attacker, SWORD, target)
                    assert target_vetoes(table.encounter, rules, attack) == ()


@pytest.mark.parametrize("system", [a5e, dnd5e])
def test_an_opening_on_the_far_side_of_the_mount_may_be_used_on_either(system: Callable[[], RuleSystem]) -> None:
    table = beside(system(), (6, 5))
    table.does(MovePath("ada", ((3, 4), (2, 4))))
    (ask,) = table.prompt.asks
    assert {option.id for option in ask.options} >= {"ada sword", "griffon sword"}
    table.dice(18, 4)
    table.chooses("ada sword")
    assert table.one("ada").hp < 20


def test_what_covers_part_of_a_mount_covers_part_of_its_rider() -> None:
    table = Field("ada", GRIFFON, "orc", foes=("orc",), field=Map(columns=16, rows=16, walls=((7, 0, 7, 5),)))
    table.puts(ada=(4, 4), griffon=(4, 4), orc=(8, 5))
    table.has(msgspec.structs.replace(table.one("ada"), rides="griffon"))
    covers = [sight.cover_of(table.encounter, table.rules, "orc", who) for who in ("ada", "griffon")]
    assert covers[0] == covers[1] != "total"


@pytest.mark.rule("a5e.tactic.flank.grid")
def test_a_rider_is_flanked_across_its_mount() -> None:
    table = Field("ada", GRIFFON, "orc", "ogre", foes=("orc", "ogre"), field=Map(columns=16, rows=16))
    table.puts(ada=(4, 4), griffon=(4, 4), orc=(3, 4), ogre=(6, 4))
    table.has(msgspec.structs.replace(table.one("ada"), rides="griffon"))
    assert sight.flanks(table.encounter, table.rules, "orc", "ada") is True
    table.puts(ogre=(5, 6))
    assert sight.flanks(table.encounter, table.rules, "orc", "ada") is False


@pytest.mark.parametrize("rules", [a5e, pf2e])
def test_a_mount_can_buck_off_a_rider_that_mounts_it(rules: Callable[[], RuleSystem]) -> None:
    prone = (InflictedCondition("prone"),)
    buck = Feature(
        "buck", "Buck", "reaction", trigger="enters", when="other.riding", save="dex", dc=15, afflictions=prone
    )
    table = Table("ann", creature("pony", size="large", features=(buck,)), foes=("pony",), rules=rules())
    table.start(pony=20, ann=10)
    table.ends_turn()
    table.does(MountOrDismount("ann", "pony", controlled=False))
    (weight, *_) = table.prompt.asks
    table.chooses(weight.suggested[0])
    table.dice(2)
    table.chooses("buck")
    assert "prone" in table.effects("ann")
    if rules is pf2e:
        table.chooses(FALLS)
        assert not table.one("ann").rides
