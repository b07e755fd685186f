"""What creatures do besides their turns by the usual figures of D&D 5e: legendary actions, resistance, lairs, recharge."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import Table, creature, dnd5e
from turnwright.encounter.prepared import Feature, InflictedCondition, Map
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import AttackFailed, FeatureUsed
from turnwright.play.damage.manual_hit_points import SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.queries.queries import actions_for
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import DamageTaken, Rolled, UsesSpent
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.own_reminders import FeatureRechargeRolled
from turnwright.storage.word_catalogue import WordCatalogue

TAIL = Feature("tail", "Tail sweep", "legendary", save="dex", dc=12, damage="1d8 bludgeoning", price=2)
STONES = Feature("stones", "Falling stones", "lair", save="dex", dc=15, damage="2d6 bludgeoning")
FOG = Feature("fog", "Fog", "lair")
STUBBORN = Feature("stubborn", "Stubborn", properties=("legendary-resistance",), uses=2)
BREATH = Feature("breath", "Fire breath", "action", save="dex", dc=14, damage="4d6 fire", half=True, recharge=5)
DREAD = Feature("dread", "Dread", "action", save="wis", dc=15, afflictions=(InflictedCondition("frightened"),))


def drake(*features: Feature, **fields: Any) -> Any:
    """A monster with these features."""
    return creature("drake", **({"hp": 90, "features": features} | fields))


def fight(*people: Any, **initiative: int) -> Table:
    """A fight in which everybody acts on the counts given."""
    table = Table(*people, foes=("drake", "wyrm"), rules=dnd5e())
    table.start(**initiative)
    return table


# Legendary actions ---------------------------------------------------------------------------------------------


def test_legendary_actions_come_after_the_turns_of_others() -> None:
    table = fight("ann", "bob", drake(TAIL, legendary=3), ann=20, bob=15, drake=10)
    table.ends_turn()
    assert table.prompt.title == "prompt.legendary"
    table.chooses("tail")
    table.dice(3, 5)
    table.chooses("ann")
    assert table.one("ann").hp == 15
    assert [(one.use_key, one.left) for one in table.happened(UsesSpent)] == [("legendary", 1)]
    assert table.active == "bob"
    table.ends_turn()  # one is left, and the tail takes two
    assert (table.active, table.prompts) == ("drake", [])


@pytest.mark.parametrize(
    ("shape", "offered"),
    [
        ({"range": "30", "targets": 1}, {"near"}),
        ({"range": "30", "targets": 1, "when": "target.prone"}, set()),
        ({"range": "90", "targets": 1}, {"near", "far"}),
        ({"range": "90", "area": "10-foot radius"}, {"near", "far"}),
        ({"area": "10-foot radius"}, {"near"}),
    ],
)
def test_a_legendary_action_is_offered_for_those_in_its_range_or_around_it(
    shape: dict[str, Any], offered: set[str]
) -> None:
    gale = Feature("gale", "Gale", "legendary", save="dex", dc=12, damage="1d8 cold", **shape)
    table = Table("near", "far", drake(gale, legendary=3), foes=("drake",), rules=dnd5e())
    table.does(Add((Map(columns=40, rows=40),)))
    table.start(near=20, far=15, drake=10)
    for who, square in {"drake": (5, 5), "near": (6, 6), "far": (20, 5)}.items():
        table.does(SetPosition(who, position=square))
    table.ends_turn()
    if not offered:
        assert table.prompts == []
        return
    table.chooses("gale")
    (question,) = table.prompt.asks
    assert (set(question.suggested) or {option.id for option in question.options}) == offered


def test_the_card_of_legendary_actions_shows_what_they_do() -> None:
    sweep = Feature("sweep", "Sweep", "legendary", text="It sweeps the floor with its tail.")
    table = fight("ann", drake(sweep, legendary=3), ann=20, drake=10)
    table.ends_turn()
    assert [one.why for one in table.prompt.asks[0].options] == [sweep.text, ""]


def test_a_tail_with_nobody_left_to_strike_says_so_in_a_sentence() -> None:
    table = fight("ann", drake(TAIL, legendary=3), ann=20, drake=10)
    table.ends_turn()
    table.does(SetDead("ann"))
    table.chooses("tail")
    (failed,) = table.happened(AttackFailed)
    said = WordCatalogue.load()(failed.reason)
    assert (said[0].isupper(), said[-1]) == (True, ".")


@pytest.mark.parametrize("state", ["dead", "incapacitated"])
def test_neither_the_dead_nor_the_incapacitated_are_offered_any(state: str) -> None:
    table = fight("ann", "bob", drake(TAIL, STONES, legendary=3), ann=20, bob=15, drake=10)
    table.does(SetDead("drake") if state == "dead" else ApplyCondition(("drake",), state))
    table.ends_turn()
    assert (table.active, table.prompts) == ("bob", [])


# Legendary resistance -------------------------------------------------------------------------------------------


def resisted(*faces: int, by: Feature = BREATH) -> Table:
    """Ann breathes on a drake that resists twice a day, the first face being its save."""
    ann = creature("ann", features=(by,))
    table = fight(ann, "bob", drake(STUBBORN), ann=20, bob=15, drake=10)
    table.dice(*faces)
    table.does(UseFeature("ann", by.id, targets=("drake", "bob")))
    return table


def test_a_failed_save_may_be_made_all_the_same() -> None:
    table = resisted(5, 15, 6, 6, 6, 6)
    (asked,) = [one for one in table.prompt.asks if one.label == "ask.save_instead"]
    assert (asked.who, asked.detail, asked.suggested) == ("drake", "Stubborn", ("fails",))
    table.chooses("succeeds")
    saves = {one.who: one for one in table.happened(Rolled) if one.purpose == "ask.save"}
    assert (saves["drake"].passed, saves["drake"].roll.total) == (True, 5)
    assert [(one.target, one.taken) for one in table.happened(DamageTaken)] == [("drake", 12), ("bob", 12)]
    assert [(one.use_key, one.what, one.left) for one in table.happened(UsesSpent)][-1:] == [
        ("uses.stubborn", "Stubborn", 1)
    ]


def test_it_may_fail_as_well() -> None:
    table = resisted(5, 15, 6, 6, 6, 6)
    table.chooses("fails")
    assert [(one.target, one.taken) for one in table.happened(DamageTaken)] == [("drake", 24), ("bob", 12)]
    assert "uses.stubborn" not in [one.use_key for one in table.happened(UsesSpent)]


def test_nothing_is_offered_for_a_save_made_nor_without_a_use_left() -> None:
    assert [one.label for one in resisted(14, 3, by=DREAD).prompt.asks][-1] == "ask.save_instead"
    assert resisted(15, 3, by=DREAD).prompts == []
    spent = fight(creature("ann", features=(DREAD,)), "bob", drake(STUBBORN), ann=20, bob=15, drake=10)
    spent.does(SetTrack("drake", "uses.stubborn", 0))
    spent.dice(2)
    spent.does(UseFeature("ann", "dread", targets=("drake",)))
    assert (spent.prompts, "frightened" in spent.effects("drake")) == ([], True)


# Lairs ----------------------------------------------------------------------------------------------------------


def lair(**initiative: int) -> Table:
    """A drake at home."""
    return fight("ann", "bob", drake(STONES, FOG), **({"ann": 20, "bob": 15, "drake": 10} | initiative))


def test_a_lair_acts_at_20_after_all_who_do() -> None:
    table = lair()
    assert table.active == "ann"
    table.ends_turn()
    (asked,) = table.prompt.asks
    assert (table.prompt.title, asked.who, [one.id for one in asked.options]) == (
        "prompt.lair",
        "drake",
        ["stones", "fog", "pass"],
    )
    assert table.clock.active == ""
    table.chooses("stones")
    table.dice(3, 4, 4)
    table.chooses("bob")
    assert (table.one("bob").hp, table.active) == (12, "bob")


@pytest.mark.parametrize(("ann", "before"), [(21, True), (20, True), (19, False)])
def test_its_count_has_its_place_among_the_others(ann: int, before: bool) -> None:
    table = lair(ann=ann)
    assert bool(table.clock.active) is before
    assert [one.title for one in table.prompts] == ([] if before else ["prompt.lair"])


def test_a_lair_does_not_do_the_same_twice_running() -> None:
    table = lair(ann=25)
    offered = []
    for chosen in ("fog", "stones", "pass", "stones"):
        table.ends_turn()
        offered.append([one.id for one in table.prompt.asks[0].options][:-1])
        table.chooses(chosen)
        if chosen == "stones":
            table.skips()
        table.ends_turn(2)
    assert offered == [["stones", "fog"], ["stones"], ["stones", "fog"], ["stones", "fog"]]
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Fog"]


def test_a_lair_action_is_none_of_the_turn() -> None:
    table = lair(ann=25)
    table.ends_turn()
    table.chooses("pass")
    table.ends_turn()
    assert (table.active, table.prompts) == ("drake", [])
    offered = [offer.action.id for offer in actions_for(table.encounter, table.rules, "drake")]
    assert not {"stones", "fog"} & {*offered}


# Recharge -------------------------------------------------------------------------------------------------------


def test_what_is_spent_may_come_back_as_its_owners_turn_begins() -> None:
    table = fight(drake(BREATH), "bob", drake=20, bob=15)
    table.dice(15, 1, 1, 1, 1)
    table.does(UseFeature("drake", "breath", targets=("bob",)))
    table.ends_turn()
    table.dice(4)
    table.ends_turn()
    table.ends_turn()
    table.dice(5)
    table.ends_turn()
    assert [one.recharged for one in table.happened(FeatureRechargeRolled)] == [False, True]
