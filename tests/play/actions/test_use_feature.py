"""Creatures that share a controller's turn, and groups of like creatures that act as one."""

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, RosterEntry
from turnwright.encounter.running import Combatant, Slot, Track
from turnwright.encounter.state import Encounter
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.asking.checks import GroupCheck, GroupChecked
from turnwright.play.attacks.attack_request import Attacked, FeatureUsed
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.queries.queries import resources_of
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.spawning.spawning import AddCombatants
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import DamageTaken
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.actions.action_options import group_dc, moving_group
from turnwright.rules.parts.combatants.facts import followers_of

BITE = Feature("bite", "Bite", "action", attack=4, reach=5, damage="2d4 piercing")


def company(count=4, *, features=(BITE,), **fields):
    """P with so many wolves that obey, a hireling, and T who is against them all; it is P's turn."""
    blocks = [
        creature("p"),
        creature("wolf", speeds=(("walk", 40),), features=features, **fields),
        creature("hireling"),
        creature("t", hp=60),
    ]
    roster = [
        RosterEntry("p", "p", side="party"),
        RosterEntry("wolf", "wolf", count=count, side="party", controller="p", group=True),
        RosterEntry("hireling", "hireling", side="party", controller="p"),
        RosterEntry("t", "t"),
    ]
    table = Table(*blocks, roster=roster)
    table.start(p=20, t=10)
    return table


def wolves(table):
    return tuple(one.id for one in table.encounter.all(Combatant) if one.creature == "wolf")


@pytest.mark.rule("a5e.control.player-creatures")
def test_those_under_control_are_listed_under_their_controllers_turn():
    table = company(1)
    assert {one.id for one in followers_of(table.encounter, "p")} == {"wolf", "hireling"}
    slot = next(slot for slot in table.encounter.all(Slot) if "p" in slot.members)
    assert slot.members == ("p", "wolf", "hireling")
    assert table.order == ["p", "wolf", "hireling", "t"]


@pytest.mark.rule("a5e.control.move")
def test_they_move_at_any_point_of_that_turn_for_nothing():
    table = company(1)
    table.does(SpendResource("p", "action"))
    table.does(MoveFeet("wolf", 20))
    table.does(MoveFeet("p", 10))
    table.does(MoveFeet("wolf", 20))
    assert table.track("p", "bonus") == 1
    assert table.track("wolf", "moved") == 40
    assert table.refuses(MoveFeet("wolf", 5)).key == "refused.too_far"
    table.ends_turn()
    assert table.refuses(MoveFeet("wolf", 5)).key == "refused.not_your_turn"


def stand_apart(table, feet):
    pack = wolves(table)
    for index, one in enumerate(pack):
        for other in pack[index + 1 :]:
            table.does(SetRelation(one, other, distance=feet * (pack.index(other) - index)))
    return pack


@pytest.mark.rule("a5e.control.group-move")
def test_a_group_is_each_within_five_feet_of_another():
    table = company(4)
    pack = stand_apart(table, 5)
    assert [one.id for one in moving_group(table.encounter, table.rules, pack[0])] == list(pack)
    for one in pack[:3]:
        table.does(SetRelation(one, pack[3], distance=10))
    assert [one.id for one in moving_group(table.encounter, table.rules, pack[0])] == list(pack[:3])
    refused = table.refuses(GroupAttack(pack, "t", "bite"))
    assert (refused.key, refused.rule) == ("refused.not_one_group", "a5e.control.group-move")


@pytest.mark.rule("a5e.control.command")
def test_the_bonus_action_commands_one_creature_or_one_group():
    table = company(1)
    refused = table.refuses(TakeAction("wolf", "dash"))
    assert (refused.key, refused.rule) == ("refused.not_commanded", "a5e.control.command")
    (action, *_) = resources_of(table.encounter, table.rules, "wolf")
    assert action.denied.reason == "refused.not_commanded"
    table.does(CommandFollowers("p", ("wolf",), "dash"))
    assert table.track("p", "bonus") == 0
    table.does(TakeAction("wolf", "dash"))
    assert table.track("wolf", "action") == 0
    assert table.refuses(CommandFollowers("p", ("hireling",), "dash")).key == "refused.none_left"
    table.ends_turn(2)
    assert table.refuses(TakeAction("wolf", "dash")).rule == "a5e.control.command"


def test_who_is_left_by_a_dead_controller_acts_by_itself():
    table = company(1)
    table.ends_turn()
    table.does(SetDead("p"))
    table.ends_turn()
    assert table.active in ("p", "wolf")
    table.does(TakeAction("wolf", "dash"))
    assert table.track("wolf", "action") == 0


def test_only_ones_own_and_only_one_group():
    table = company(2)
    assert table.refuses(CommandFollowers("p", ("t",), "dash")).key == "refused.not_yours"
    assert table.refuses(CommandFollowers("p", ("wolf-1", "hireling"), "dash")).key == "refused.not_one_group"


@pytest.mark.rule("a5e.control.same-action")
def test_a_commanded_group_keeps_to_one_target():
    table = Table(
        creature("p"),
        creature("wolf", features=(BITE,)),
        creature("t"),
        creature("u"),
        roster=[
            RosterEntry("p", "p", side="party"),
            RosterEntry("wolf", "wolf", count=4, side="party", controller="p", group=True),
            RosterEntry("t", "t"),
            RosterEntry("u", "u"),
        ],
    )
    table.start(p=20, t=10, u=5)
    table.does(CommandFollowers("p", wolves(table), "attack", "t"))
    refused = table.refuses(GroupAttack(wolves(table), "u", "bite"))
    assert (refused.key, refused.rule) == ("refused.other_target", "a5e.control.same-action")
    table.does(GroupAttack(wolves(table), "t", "bite"))


@pytest.mark.rule("a5e.control.check.one-roll")
def test_one_roll_stands_for_a_group():
    table = company(5, skills=(("perception", 3),))
    table.dice(10)
    table.does(GroupCheck(wolves(table), "wis:perception"))
    (checked,) = table.happened(GroupChecked)
    assert (checked.total, checked.numbers, checked.rule) == (13, 0, "a5e.control.check.one-roll")


@pytest.mark.rule("a5e.control.check.strength")
def test_numbers_help_where_strength_counts():
    table = company(5, skills=(("athletics", 4),))
    table.dice(9)
    table.does(GroupCheck(wolves(table), "str:athletics", dc=17))
    (checked,) = table.happened(GroupChecked)
    assert (checked.total, checked.numbers, checked.passed) == (17, 4, True)
    assert checked.rule == "a5e.control.check.strength"


def attack(table, *faces, **changes):
    table.does(CommandFollowers("p", wolves(table), "attack", "t"))
    table.dice(*faces)
    given = msgspec.structs.replace(BITE, **changes) if changes else None
    table.does(GroupAttack(wolves(table), "t", "bite", given))
    return table.happened(FeatureUsed)[-1]


@pytest.mark.rule("a5e.control.attack.save")
def test_the_target_saves_and_nobody_rolls_to_hit():
    table = company(4)
    table.dice()
    used = attack(table)
    (ask,) = table.prompt.asks
    assert (table.prompt.title, ask.who, ask.detail) == ("prompt.save", "t", "<save.dex>")
    assert used.rule == "a5e.control.attack.save"


@pytest.mark.rule("a5e.control.attack.dc")
def test_the_dc_is_eight_and_the_best_bonus_among_them():
    blocks = [
        creature(name, features=(msgspec.structs.replace(BITE, attack=bonus),))
        for name, bonus in (("a", 3), ("b", 5), ("c", 4))
    ]
    people = [(block.id, Combatant(block.id, block.id, block.name, "party", hp=20, hp_max=20)) for block in blocks]
    pack = Encounter([*blocks, *(msgspec.structs.replace(one, group="pack") for _, one in people)])
    assert group_dc(pack, a5e(), ("a", "b", "c"), BITE) == (13, 2)


@pytest.mark.rule("a5e.control.attack.dc")
def test_numbers_are_shown_apart_from_the_base():
    table = company(3)
    used = attack(table)
    used = table.happened(FeatureUsed)[-1]
    assert (used.dc, used.numbers) == (8 + 4 + 2, 2)


@pytest.mark.rule("a5e.control.attack.failure")
def test_a_failed_save_brings_all_of_it():
    table = company(1)
    attack(table, 1, 4, 4, damage="2d4+4 piercing", afflictions=(InflictedCondition("prone"),))
    (taken,) = table.happened(DamageTaken)
    assert taken.taken == 12
    assert "prone" in table.effects("t")


@pytest.mark.rule("a5e.control.attack.success")
def test_a_save_made_halves_the_damage_and_wards_off_the_rest():
    table = company(1)
    attack(table, 20, 4, 4, damage="2d4+4 piercing", afflictions=(InflictedCondition("prone"),))
    (taken,) = table.happened(DamageTaken)
    assert taken.taken == 6
    assert "prone" not in table.effects("t")


@pytest.mark.rule("a5e.control.attack.numbers")
@pytest.mark.parametrize(("face", "taken"), [(1, 12), (20, 6)])
def test_each_beyond_the_first_counts(face, taken):
    table = company(5)
    used = attack(table, face, 4, 4)
    assert (used.dc, used.numbers) == (16, 4)
    assert table.happened(DamageTaken)[-1].taken == taken


@pytest.mark.rule("a5e.control.attack.already-save")
def test_an_action_with_a_save_of_its_own_keeps_it():
    table = company(3)
    used = attack(table, 15, 3, 3, save="con", dc=13, damage="2d4 poison", attack=None)
    assert (used.save, used.dc, used.rule) == ("con", 15, "a5e.control.attack.already-save")
    assert not table.happened(DamageTaken)
    table = company(3)
    attack(table, 14, 3, 3, save="con", dc=13, damage="2d4 poison", attack=None)
    assert table.happened(DamageTaken)[-1].taken == 8


@pytest.mark.rule("a5e.control.attack.already-save")
def test_its_own_half_stands_too():
    table = company(3)
    attack(table, 20, 3, 3, save="con", dc=13, damage="2d4 poison", attack=None, half=True)
    assert table.happened(DamageTaken)[-1].taken == 4


BREATH = {"save": "con", "dc": 13, "damage": "2d4 poison", "attack": None}
SHOT = {"reach": 0, "range": "80/320"}


@pytest.mark.rule("a5e.control.attack.save")
@pytest.mark.parametrize(("changes", "spares"), [({}, True), (SHOT, False), (BREATH, False)])
def test_whom_a_group_fells_in_melee_it_may_knock_out(changes, spares):
    table = company(2)
    table.does(SetHitPoints("t", hp=3))
    attack(table, 1, 4, 4, **changes)
    offered = [ask.label for prompt in table.prompts for ask in prompt.asks]
    assert ("ask.knock_out" in offered) is spares
    if spares:
        assert table.prompt.asks[0].who == wolves(table)[0]


@pytest.mark.rule("a5e.death.attacked", "a5e.death.other-damage")
@pytest.mark.parametrize(("changes", "asked"), [({}, True), (SHOT, True), (BREATH, False)])
def test_a_group_that_strikes_somebody_at_0_has_attacked_them_where_it_does_so_by_weapon(changes, asked):
    table = company(2)
    table.does(Edit(creature("t", hp=60, level=3)))
    table.does(SetHitPoints("t", hp=1))
    table.does(ApplyDamage(("t",), "1"))
    attack(table, 1, 4, 4, **changes)
    if asked:
        assert table.prompt.asks[0].rule == "a5e.death.attacked"
    assert table.track("t", "death-failures") == (0 if asked else 1)


@pytest.mark.rule("a5e.immunity.mundane")
@pytest.mark.parametrize(("changes", "taken"), [({}, 0), ({"magic": 1}, 9), (BREATH, 9)])
def test_a_group_bites_in_vain_at_what_only_magic_hurts(changes, taken):
    table = company(2)
    table.does(Edit(creature("t", hp=60, mundane_immunity=True)))
    attack(table, 1, 4, 4, **changes)
    assert table.happened(DamageTaken)[-1].taken == taken


def test_tracks_of_followers_are_their_own():
    table = company(1)
    assert table.encounter.get(Track, "wolf.action").value == 1


def riders(**more):
    roster = [
        RosterEntry("p", "p", side="party", rides="horse", **more),
        RosterEntry("horse", "horse", side="party", positions=((3, 4),), elevation=10),
        RosterEntry("late", "late", wave="second"),
    ]
    table = Table(creature("p"), creature("horse", size="large"), creature("late"), roster=roster)
    table.start(p=20, horse=10)
    return table


def test_a_rider_who_was_prepared_to_ride_sits_where_the_mount_stands():
    rider = riders().one("p")
    assert (rider.rides, rider.controlled, rider.position, rider.elevation) == ("horse", True, (3, 4), 10)


def test_whoever_got_off_stays_off_when_somebody_joins():
    table = riders()
    table.does(MountOrDismount("p"))
    assert not table.one("p").rides
    table.does(AddCombatants("late"))
    assert not table.one("p").rides


def test_one_who_joins_later_follows_whom_they_were_prepared_to_follow():
    roster = [
        RosterEntry("p", "p", side="party"),
        RosterEntry("wolf", "wolf", side="party", controller="p", wave="second"),
    ]
    table = Table(creature("p"), creature("wolf"), roster=roster)
    table.start(p=20)
    table.does(AddCombatants("wolf"))
    assert not table.prompts
    assert table.order == ["p", "wolf"]


@for_each("rules", (dnd5e, a5e, pf2e))
def test_using_an_attack_on_a_target_rolls_it(rules):
    claw = Feature("claw", "Claw", "action", attack=4, reach=5, damage="2d4 slashing", uses=2)
    for face, hp in ((2, 20), (15, 20 - 5)):
        table = Table(creature("p", features=(claw,)), creature("t", ac=14), foes=("t",), rules=rules())
        table.start(p=20, t=10)
        table.dice(face, 2, 3)
        table.does(UseFeature("p", "claw", targets=("t",)))
        assert (table.one("t").hp, table.track("p", "uses.claw"), table.prompts) == (hp, 1, [])
        assert any(isinstance(event, Attacked) for event in table.events)
