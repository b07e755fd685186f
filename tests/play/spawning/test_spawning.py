"""Waves of reinforcements come at the top of a round, by what they wait for, by a countdown or by hand, and only once by themselves."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import AddWave, Countdown, Creature, Feature, RosterEntry, Wave
from turnwright.encounter.running import ArrivedWave, Combatant, Effect
from turnwright.play.attacks.attack_request import FeatureReminded
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.spawning.spawning import BringWave, CombatantAdded, WaveJoined
from turnwright.play.turn_order.surprise import CallForChecks
from turnwright.play.turns.turns import RemoveCombatant, RoundStarted, TurnStarted


def table(*waves: Wave, raiders: int = 2, countdowns: tuple[Countdown, ...] = ()) -> Table:
    """A hero, whose player is Kim, against raiders of 20 hit points, whom two archers may join in a wave; round 1, the hero's turn."""
    roster = [
        RosterEntry("ann", "ann", side="party", player="Kim"),
        RosterEntry("raider", "raider", count=raiders),
        RosterEntry("archer", "archer", count=2, wave="boat"),
    ]
    people = (creature("ann", hp=50), creature("raider", hp=20), creature("archer", initiative=0))
    found = Table(*people, roster=roster, countdowns=countdowns)
    found.does(Add(waves))
    found.start(ann=15, **({"raider": 10} if raiders == 1 else {f"raider-{n + 1}": 10 - n for n in range(raiders)}))
    return found


def archers(found: Table) -> int:
    return sum(one.roster == "archer" for one in found.encounter.all(Combatant))


def round_ends(found: Table) -> None:
    """End every turn that is left in the round."""
    number = found.clock.round
    while found.clock.round == number and not found.prompts:
        found.ends_turn()


def test_a_wave_comes_at_the_top_of_its_round_and_the_round_waits_for_its_initiative() -> None:
    found = table(Wave("boat", round=2))
    assert archers(found) == 0
    round_ends(found)
    assert (found.clock.round, found.active, archers(found)) == (2, "", 2)
    assert [ask.who for ask in found.prompt.asks] == ["archer-1", "archer-2"]
    found.answers(archer_1="18", archer_2="2")
    assert found.active == "archer-1"
    assert found.order == ["archer-1", "ann", "raider-1", "raider-2", "archer-2"]
    told = [
        type(event)
        for event in found.events
        if isinstance(event, (RoundStarted, WaveJoined, CombatantAdded, TurnStarted))
    ]
    assert told[-5:-1] == [RoundStarted, WaveJoined, CombatantAdded, CombatantAdded]
    assert found.happened(WaveJoined) == [WaveJoined(wave="boat", why="round")]


@pytest.mark.parametrize("by_hand", [False, True])
def test_those_who_come_later_have_their_features_of_the_start_then(by_hand: bool) -> None:
    found = table(Wave("boat", round=0 if by_hand else 2))
    archer = found.encounter.need(Creature, "archer")
    lurks = Feature("lurks", "False Appearance", trigger="starts", automation="reminds")
    found.does(Edit(msgspec.structs.replace(archer, features=(*archer.features, lurks))))
    assert found.happened(FeatureReminded) == []
    if by_hand:
        found.does(BringWave("boat"))
    else:
        round_ends(found)
    while found.prompts:
        found.skips()
    assert [(one.who, one.feature) for one in found.happened(FeatureReminded)] == [("archer-1", "False Appearance")]


def test_it_comes_once_and_undo_takes_it_back_with_the_step_that_brought_it() -> None:
    found = table(Wave("boat", round=2))
    found.dice(18, 2)
    round_ends(found)
    assert found.encounter.need(ArrivedWave, "boat").round == 2
    found.dice()
    round_ends(found)
    assert (found.clock.round, archers(found)) == (3, 2)
    while found.clock.round > 1:
        found.session.undo()
    assert (archers(found), found.encounter.get(ArrivedWave, "boat")) == (0, None)


def test_a_round_that_was_missed_brings_it_at_the_next_and_no_round_never_does() -> None:
    found = table()
    round_ends(found)
    found.does(Add((Wave("boat", round=1),)))
    assert archers(found) == 0
    round_ends(found)
    assert (found.clock.round, archers(found)) == (3, 2)
    without = table(Wave("boat"))
    for _ in range(3):
        round_ends(without)
    assert archers(without) == 0


def test_a_wave_of_the_first_round_comes_as_it_begins() -> None:
    found = table(Wave("boat", round=1))
    assert (found.clock.round, found.active, archers(found)) == (1, "", 2)


@pytest.mark.parametrize(
    ("when", "blows", "comes"),
    [
        ("half", (("raider-1", 9),), False),
        ("half", (("raider-1", 10),), True),
        ("half", (("ann", 40),), False),
        ("first-down", (("raider-1", 19),), False),
        ("first-down", (("raider-2", 20),), True),
        ("all-down", (("raider-2", 20),), False),
        ("all-down", (("raider-2", 20), ("raider-1", 20)), True),
    ],
)
def test_a_wave_waits_for_what_befalls_the_foes(when: str, blows: tuple[tuple[str, int], ...], comes: bool) -> None:
    found = table(Wave("boat", when=when))  # type: ignore[arg-type]
    for who, amount in blows:
        found.does(ApplyDamage((who,), str(amount)))
    assert (archers(found) == 2) is comes
    assert found.happened(WaveJoined) == ([WaveJoined(wave="boat", why=when)] if comes else [])
    if comes:
        assert [ask.who for ask in found.prompt.asks] == ["archer-1", "archer-2"]
        found.session.undo()
        assert archers(found) == 0


@pytest.mark.parametrize(
    ("who", "struck"), [("ann", "ann"), ("party", "ann"), ("raider", "raider-2"), ("enemies", "raider-1")]
)
def test_whom_it_watches_may_be_an_entry_or_a_side(who: str, struck: str) -> None:
    found = table(Wave("boat", when="half", who=who))
    other = "raider-1" if struck == "ann" else "ann"
    found.does(ApplyDamage((other,), "15" if other != "ann" else "30"))
    assert archers(found) == 0
    found.does(ApplyDamage((struck,), "30"))
    assert archers(found) == 2


def test_the_dead_have_fallen_and_those_taken_out_are_watched_no_more() -> None:
    found = table(Wave("boat", when="all-down"))
    found.does(SetDead("raider-1"))
    assert archers(found) == 0
    found.does(RemoveCombatant("raider-2"))
    assert archers(found) == 2


def test_it_waits_until_nothing_else_is_going_on() -> None:
    found = table(Wave("boat", when="first-down"))
    found.does(CallForChecks(("ann",), "dex"))
    found.does(ApplyDamage(("raider-1",), "20"))
    assert archers(found) == 0
    found.answers(ann="12")
    assert archers(found) == 2


def test_what_set_it_off_brings_it_once_although_it_stays_so() -> None:
    found = table(Wave("boat", when="half"))
    found.dice(18, 2)
    found.does(ApplyDamage(("raider-1",), "15"))
    found.does(ApplyDamage(("raider-2",), "15"))
    assert (archers(found), len(found.happened(WaveJoined))) == (2, 1)


def test_by_hand_the_first_that_waits_comes_and_any_by_name_as_often_as_wanted() -> None:
    found = table()
    found.dice(18, 2, 18, 2)
    found.does(BringWave())
    assert (archers(found), found.happened(WaveJoined)) == (2, [WaveJoined(wave="boat", why="hand")])
    assert found.refuses(BringWave()).key == "refused.no_wave"
    found.does(BringWave("boat"))
    assert archers(found) == 4
    assert found.refuses(BringWave("cavalry")).key == "refused.no_such_wave"


def test_before_the_rounds_it_joins_those_who_roll_and_without_a_fight_it_cannot_come() -> None:
    roster = [RosterEntry("ann", "ann"), RosterEntry("archer", "archer", wave="boat")]
    found = Table("ann", "archer", roster=roster)
    assert found.refuses(BringWave("boat")).key == "refused.not_running"
    found.does(StartEncounter())
    found.does(BringWave("boat"))
    assert (archers(found), found.prompts) == (1, [])


def test_one_that_came_by_a_countdown_does_not_come_by_its_round_too() -> None:
    fuse = Countdown("fuse", "Fuse", dice=1, speed="fast", outcomes=(AddWave("boat"),))
    found = table(Wave("boat", round=2), countdowns=(fuse,))
    found.dice(6, 18, 2)
    assert (found.clock.round, archers(found), found.happened(WaveJoined)) == (1, 2, [])
    round_ends(found)
    assert (found.clock.round, archers(found)) == (2, 2)


def test_an_edited_wave_goes_by_its_new_round() -> None:
    found = table(Wave("boat", round=2))
    found.does(Edit(Wave("boat", round=3)))
    round_ends(found)
    assert archers(found) == 0
    round_ends(found)
    assert archers(found) == 2


def test_members_of_one_name_are_numbered_across_entries_and_waves() -> None:
    roster = [
        RosterEntry("wolf", "wolf", count=2),
        RosterEntry("late", "wolf", wave="boat"),
        RosterEntry("pup", "wolf", name="Pup"),
        RosterEntry("old", "wolf"),
    ]
    found = Table(creature("wolf"), roster=roster)
    found.does(Add((Wave("boat"),)))
    found.start(**{"wolf-1": 9, "wolf-2": 8, "pup": 7, "old": 6})
    found.does(BringWave("boat"))
    labels = {one.id: one.label for one in found.encounter.all(Combatant)}
    assert labels == {"wolf-1": "Wolf 1", "wolf-2": "Wolf 2", "late": "Wolf 3", "pup": "Pup", "old": "Wolf 4"}


def test_effects_of_roster_entries_begin_when_all_have_come() -> None:
    entries = [
        RosterEntry(
            "ann", "ann", side="party", effects=("vigor +5 hp", "bless +1d4 attack, saves 1m held mir", "fatigue 2")
        ),
        RosterEntry("mira", "mira", side="party", effects=('"bless" +1d4 attack, saves 10 held by mira', "x +1 luck")),
        RosterEntry("raider", "raider", count=2, effects=("poisned end", "guard +2 ac long rest once")),
        RosterEntry("archer", "archer", wave="boat", effects=("prone",)),
    ]
    found = Table(*(creature(id, hp=20) for id in ("ann", "mira", "raider", "archer")), roster=entries)
    found.does(Add((Wave("boat"),)))
    found.start(ann=15, mira=12, **{"raider-1": 5, "raider-2": 4})
    assert (found.one("ann").hp, found.one("ann").hp_max, found.track("ann", "fatigue")) == (25, 25, 2)
    assert found.effects("ann") == {"vigor", "bless", "fatigue"}
    assert found.effects("mira") == {"bless", "concentrating"}
    blessings = [one for one in found.encounter.all(Effect) if one.name == "bless"]
    assert {(one.target, one.by, one.concentrator) for one in blessings} == {
        ("ann", "mira", "mira"),
        ("mira", "mira", "mira"),
    }
    guards = [(one.ends.moment, one.uses_left) for one in found.encounter.all(Effect) if one.name == "guard"]
    assert guards == [("long-rest", 1), ("long-rest", 1)]
    assert found.effects("raider-2") == {"poisned", "guard"}
    found.does(BringWave("boat"))
    assert found.effects("archer") == {"prone"}
    for _ in range(8):
        found.session.undo()
    assert not list(found.encounter.all(Effect))
