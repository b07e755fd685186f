"""At 0 hit points by the rules of Pathfinder 2e: dying by a value, recovery checks, wounds, and who dies at once."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from tests.systems.pf2e.encounters import Encounter
from tests.table import creature, pf2e
from turnwright.encounter.prepared import Feature, Role, RosterEntry
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Effect
from turnwright.encounter.state import slots_in_order
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints, SetTrack
from turnwright.play.damage.zero_hit_points import BEGINS_DYING, DIES, Died
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.state.events import Rolled
from turnwright.play.turn_order.initiative import InitiativeSet
from turnwright.rules.system import RuleSystem

RISE = Feature("rise", "Rise Up", "free", trigger="turn-start")


def figures(**changes: object) -> RuleSystem:
    """The game with other figures of dying."""
    found = pf2e().data
    recovery = msgspec.structs.replace(found.dying.recovery, **changes)
    dying = msgspec.structs.replace(found.dying, recovery=recovery)
    return replace(pf2e(), data=msgspec.structs.replace(found, dying=dying))


class Sickbed(Encounter):
    """Tor with 20 hit points and an ogre, Tor's turn to come; the ogre's first."""

    def __init__(self, *, extra: tuple[str, ...] = (), **given: object) -> None:
        super().__init__("tor", creature("ogre", hp=60), *extra, foes=("ogre",), **given)  # type: ignore[arg-type]
        self.start(ogre=20, tor=10, **dict.fromkeys(extra, 5))

    def hurts(self, amount: int = 25, *, critical: bool = False, who: str = "tor") -> None:
        """Let damage strike somebody."""
        self.does(ApplyDamage((who,), str(amount), by="ogre", attack="melee", critical=critical))

    def value(self, name: str, who: str = "tor") -> int:
        """What a condition of somebody's stands at, 0 without it."""
        found = (one.value for one in self.encounter.all(Effect) if (one.target, one.name) == (who, name))
        return next(found, 0)

    def is_dead(self, who: str = "tor") -> bool:
        """Whether somebody is dead."""
        return self.one(who).dead


def dying(value: int, **given: object) -> Sickbed:
    """Tor lies dying at a value."""
    table = Sickbed(**given)
    table.hurts()
    table.does(ApplyCondition(("tor",), "dying", value))
    return table


@pytest.mark.parametrize(("critical", "wounded", "value"), [(False, 0, 1), (True, 0, 2), (False, 1, 2), (True, 1, 3)])
def test_who_is_brought_to_zero_is_dying(critical: bool, wounded: int, value: int) -> None:
    table = Sickbed()
    if wounded:
        table.does(ApplyCondition(("tor",), "wounded", wounded))
    table.hurts(critical=critical)
    assert (table.value("dying"), table.effects("tor") >= {"unconscious"}, table.prompts) == (value, True, [])


@pytest.mark.parametrize("level", [0, 4])
@pytest.mark.parametrize("own_level", [0, 3])
def test_enter_never_kills_a_member_of_the_party(level: int, own_level: int) -> None:
    entries = [RosterEntry("ogre", "ogre"), RosterEntry("tor", "tor", side="party", level=level)]
    people = creature("tor", level=own_level), creature("ogre", hp=60)
    table = Encounter(*people, foes=("ogre",), roster=entries, strictness="warn")
    table.start(ogre=20, tor=10)
    table.does(ApplyDamage(("tor",), "25", by="ogre", attack="melee"))
    assert table.prompt.asks[0].suggested == (BEGINS_DYING,)
    table.does(ApplyDamage(("ogre",), "99", by="tor", attack="melee"))
    assert {prompt.asks[0].suggested for prompt in table.prompts} == {(BEGINS_DYING,), (DIES,)}


@pytest.mark.parametrize(("level", "own_level", "dies"), [(4, 0, False), (4, 3, False), (0, 3, True)])
def test_party_members_with_a_level_of_their_own_are_dying_and_allies_of_a_bestiary_die(
    level: int, own_level: int, dies: bool
) -> None:
    entries = [RosterEntry("ogre", "ogre"), RosterEntry("tor", "tor", side="party", level=level)]
    table = Encounter(creature("tor", level=own_level), "ogre", foes=("ogre",), roster=entries)
    table.start(ogre=20, tor=10)
    table.does(ApplyDamage(("tor",), "25", by="ogre", attack="melee"))
    assert table.one("tor").dead is dies


def test_a_creature_without_a_player_dies_unless_it_is_prepared_otherwise() -> None:
    table = Sickbed()
    table.hurts(99, who="ogre")
    assert (table.is_dead("ogre"), table.value("dying", "ogre")) == (True, 0)
    spared = Sickbed(roster=[RosterEntry("ogre", "ogre", dying="saves"), RosterEntry("tor", "tor", player="Kim")])
    spared.hurts(99, who="ogre")
    assert (spared.is_dead("ogre"), spared.value("dying", "ogre")) == (False, 1)


@pytest.mark.parametrize(("critical", "value"), [(False, 2), (True, 3)])
def test_damage_while_dying_brings_death_nearer(critical: bool, value: int) -> None:
    table = dying(1)
    table.hurts(1, critical=critical)
    assert table.value("dying") == value


@pytest.mark.rule("pf2e.turn.start.dying_recovery")
def test_the_dying_roll_before_actions_come_back() -> None:
    table = dying(1)
    table.ends_turn()
    assert table.asked() == [("prompt.recovery_check", "ask.recovery_check")]
    assert (table.ask().who, table.prompt.rule) == ("tor", "pf2e.turn.start.dying_recovery")
    sound = Sickbed()
    sound.ends_turn()
    assert sound.prompts == []


@pytest.mark.rule("pf2e.external.recovery_check")
@pytest.mark.parametrize(
    ("face", "value", "dead"),
    [(1, 0, True), (2, 0, True), (3, 3, False), (11, 3, False), (12, 1, False), (19, 1, False), (20, 0, False)],
)
def test_a_recovery_check_moves_dying_by_its_degree(face: int, value: int, dead: bool) -> None:
    table = dying(2)
    table.dice(face)
    table.ends_turn()
    (check,) = [one for one in table.happened(Rolled) if one.purpose == "ask.recovery_check"]
    assert (check.dc, table.value("dying"), table.is_dead()) == (12, value, dead)


@pytest.mark.rule("pf2e.external.recovery_check")
def test_a_recovery_check_is_a_suggestion_that_a_person_may_change() -> None:
    table = Sickbed(strictness="warn")
    table.hurts()
    assert [(one.id, one.id in table.ask().suggested) for one in table.ask().options] == [
        ("dying", True),
        ("out", False),
        ("dies", False),
    ]
    table.chooses("dying")
    table.does(ApplyCondition(("tor",), "dying", 2))
    table.ends_turn()
    assert (table.ask().dc, table.rules.conditions["dying"].external) == (12, True)
    table.types("?")
    table.chooses("critical-failure")
    assert ([one.id for one in table.ask().options], table.ask().suggested) == (["0", "1", "2", "3", "4"], ("4",))
    table.chooses("3")
    assert (table.value("dying"), table.is_dead()) == (3, False)
    assert "459" in table.rules.conditions["dying"].text


@pytest.mark.parametrize(("fate", "left"), [("out", {"unconscious"}), ("dying", {"unconscious", "dying"})])
def test_a_person_may_spare_somebody(fate: str, left: set[str]) -> None:
    table = Sickbed(strictness="warn")
    table.hurts()
    table.chooses(fate)
    assert (table.effects("tor"), table.is_dead()) == (left, False)


def test_a_creature_is_suggested_dead_and_may_live() -> None:
    table = Sickbed(strictness="warn")
    table.hurts(99, who="ogre")
    assert table.ask().suggested == ("dies",)
    table.chooses("dying")
    assert (table.value("dying", "ogre"), table.is_dead("ogre")) == (1, False)


@pytest.mark.parametrize("role", ["character", "companion", "guest"])
def test_nobody_on_the_party_s_side_is_suggested_dead(role: Role) -> None:
    entry = RosterEntry("tor", "tor", side="party", role=role)
    table = Sickbed(strictness="warn", roster=(entry,))
    table.hurts(99)
    assert table.ask().suggested == ("dying",)


@pytest.mark.parametrize(("chosen", "value"), [("dying", 2), ("stays", 1)])
def test_a_blow_at_the_dying_is_a_suggestion_too(chosen: str, value: int) -> None:
    table = Sickbed(strictness="warn")
    table.hurts()
    table.chooses("dying")
    table.hurts(1)
    table.chooses(chosen)
    assert table.value("dying") == value


@pytest.mark.parametrize(("doomed", "value", "dead"), [(0, 3, False), (0, 4, True), (1, 2, False), (1, 3, True)])
def test_dying_four_kills_and_doom_sooner(doomed: int, value: int, dead: bool) -> None:
    table = dying(1)
    if doomed:
        table.does(ApplyCondition(("tor",), "doomed", doomed))
    for _ in range(value - 1):
        table.hurts(1)
    assert table.is_dead() is dead


def test_another_figure_kills_later() -> None:
    table = dying(3, rules=figures(kills=5))
    table.hurts(1)
    assert (table.value("dying"), table.is_dead()) == (4, False)


def test_who_recovers_is_wounded_and_stays_out_cold() -> None:
    table = dying(1)
    table.dice(15)
    table.ends_turn()
    assert (table.effects("tor"), table.value("wounded")) == ({"unconscious", "prone", "wounded"}, 1)


def test_healing_wakes_and_leaves_wounds_that_add_up() -> None:
    table = dying(1)
    table.does(Heal(("tor",), 5))
    assert (table.effects("tor"), table.value("wounded"), table.one("tor").hp) == ({"prone", "wounded"}, 1, 5)
    table.hurts(5)
    assert table.value("dying") == 2
    table.does(Heal(("tor",), 5))
    assert table.value("wounded") == 2


def test_who_was_never_dying_is_not_wounded() -> None:
    table = Sickbed(strictness="warn")
    table.hurts()
    table.chooses("out")
    table.does(Heal(("tor",), 5))
    assert table.effects("tor") == set()


def test_dying_ended_by_hand_wounds_too_and_death_does_not() -> None:
    table = dying(1)
    table.does(EndEffect(table.called("dying").id))
    assert table.value("wounded") == 1
    table.hurts(1)
    assert table.value("dying") == 2
    table.hurts(1, critical=True)
    assert (table.is_dead(), table.value("wounded"), len(table.happened(Died))) == (True, 1, 1)


def test_hit_points_set_to_none_by_hand_bring_dying() -> None:
    table = Sickbed()
    table.does(SetHitPoints("tor", hp=0))
    assert table.value("dying") == 1


def test_healed_while_the_check_is_asked_nothing_is_rolled() -> None:
    table = dying(1)
    table.ends_turn()
    table.does(Heal(("tor",), 5))
    assert (table.prompts, table.effects("tor")) == ([], {"prone", "wounded"})


def test_a_check_passed_over_changes_nothing() -> None:
    table = dying(2)
    table.ends_turn()
    prompt = table.prompt
    table.does(Answer(prompt.id, (Reply("tor", skip=True),), prompt.revision))
    assert table.value("dying") == 2


# Hazards -----------------------------------------------------------------------------------------------------------


def trapped(**fields: object) -> Encounter:
    """A hazard whose routine is one action, and Tor."""
    dart = Feature("dart", "Dart", "action", attack=9, damage="1d6 piercing", range="60")
    trap = creature("trap", **({"tags": ("hazard",), "features": (dart,), "pools": (("action", 1),)} | fields))
    table = Encounter(trap, "tor", foes=("trap",))
    table.start(trap=20, tor=10)
    return table


def test_a_hazard_has_a_turn_with_its_routine() -> None:
    table = trapped()
    assert (table.active, table.track("trap", "action")) == ("trap", 1)


def test_a_hazard_without_hit_points_is_disabled_not_dead() -> None:
    table = trapped()
    table.does(ApplyDamage(("trap",), "99"))
    assert (table.one("trap").dead, table.effects("trap")) == (False, {"disabled"})
    table.ends_turn(2)
    assert table.track("trap", "action") == 0


@pytest.mark.rule("pf2e.external.recovery_check")
def test_whoever_goes_down_acts_just_before_who_brought_them_down_from_the_next_round_on() -> None:
    table = Sickbed(extra=("kit",))
    table.hurts()
    assert [slot.members for slot in slots_in_order(table.encounter)] == [("tor",), ("ogre",), ("kit",)]
    shifted = table.happened(InitiativeSet)[-1]
    assert (shifted.who, shifted.total, shifted.rule) == ("tor", 20, "pf2e.external.recovery_check")
    table.ends_turn()
    assert table.active == "kit"
    table.ends_turn()
    assert (table.clock.round, table.active, table.prompt.title) == (2, "tor", "prompt.recovery_check")


def test_two_who_go_down_in_one_turn_both_come_before_it_the_first_first() -> None:
    table = Sickbed(extra=("kit",))
    table.hurts()
    table.hurts(who="kit")
    assert [slot.members for slot in slots_in_order(table.encounter)] == [("tor",), ("kit",), ("ogre",)]
    table.hurts(1)
    assert [slot.members for slot in slots_in_order(table.encounter)] == [("tor",), ("kit",), ("ogre",)]


def test_whoever_goes_down_on_their_own_turn_keeps_their_place() -> None:
    table = Sickbed()
    table.ends_turn()
    table.hurts()
    assert [slot.members for slot in slots_in_order(table.encounter)] == [("ogre",), ("tor",)]


@pytest.mark.parametrize("struck", [True, False])
def test_all_hero_points_save_the_dying_without_a_wound(struck: bool) -> None:
    table = Sickbed()
    table.does(SetTrack("tor", "hero-points", 2))
    table.hurts()
    if not struck:
        table.chooses(BEGINS_DYING)
        table.dice(2)
        table.ends_turn()
        table.chooses("fails")
    table.chooses("recovers")
    assert (table.value("dying"), table.value("wounded"), table.track("tor", "hero-points")) == (0, 0, 0)
    assert "unconscious" in table.effects("tor")
    assert not table.is_dead()


@pytest.mark.parametrize(("traits", "name"), [(("nonlethal",), "unconscious"), ((), "dying")])
def test_a_nonlethal_strike_only_leaves_its_target_unconscious(traits: tuple[str, ...], name: str) -> None:
    fist = Feature("fist", "Fist", "action", attack=20, damage="30 bludgeoning", reach=5, properties=traits)
    table = Encounter("tor", creature("ogre", hp=20, features=(fist,)), foes=("ogre",), strictness="enforce")
    table.start(ogre=20, tor=10)
    table.dice(10)
    table.does(Attack("ogre", "tor", "fist"))
    assert (name in table.effects("tor"), "dying" in table.effects("tor")) == (True, not traits)
