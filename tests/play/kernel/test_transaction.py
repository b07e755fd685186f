"""The scratch pad of one step: it reads like the encounter it stands over, and leaves that one alone."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from tests.table import a5e
from turnwright.dice.expression import Modifier, RollSpec
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Dice, DiceMode, Effect, Slot, Track
from turnwright.encounter.state import Change, Encounter, Lookup
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.table.game_master import NoteAdded
from turnwright.rules.system import Veto

ANN, BOB, CAT = (Creature(id, id.capitalize(), hp=10) for id in ("ann", "bob", "cat"))
D20 = RollSpec("1d20")


def over(
    *records: Creature | Dice, anyway: bool = False, strict: bool = False, strictness: str = "warn"
) -> Transaction:
    """A transaction over these records."""
    return Transaction(Encounter(records), a5e(), 1, override=anyway, strict=strict, strictness=strictness)


def ids(tx: Transaction) -> list[str]:
    """The creatures as they now stand, in order."""
    return [creature.id for creature in tx.all(Creature)]


def dice_of(tx: Transaction) -> Dice:
    """The dice as they now stand."""
    return tx.get(Dice, "dice") or Dice()


# Reading and writing --------------------------------------------------------------------------------------------


def test_a_record_is_discarded_whether_it_is_there_or_not() -> None:
    tx = over(ANN, BOB)
    tx.discard(Creature, "ann")
    tx.discard(Creature, "nobody")
    assert ids(tx) == ["bob"]


def test_it_reads_what_it_wrote_and_the_encounter_does_not() -> None:
    tx = over(ANN, BOB)
    tx.update(ANN, hp=3)
    tx.remove(BOB)
    tx.put(CAT)
    assert tx.need(Creature, "ann").hp == 3
    assert tx.get(Creature, "bob") is None
    assert ids(tx) == ["ann", "cat"]
    assert list(tx.base) == [ANN, BOB]


def test_what_a_person_named_and_is_not_there_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        over(ANN).need(Creature, "zoe")
    assert (refused.value.key, dict(refused.value.params), refused.value.rule) == (
        "refused.unknown",
        {"what": "zoe"},
        "",
    )


def test_what_is_taken_out_and_put_back_keeps_its_place() -> None:
    tx = over(ANN, BOB, CAT)
    tx.remove(BOB)
    tx.put(BOB)
    assert ids(tx) == ["ann", "bob", "cat"]
    assert tx.changes() == ()


def test_changes_say_what_differs_and_where() -> None:
    tx = over(ANN, BOB, CAT)
    hurt = tx.update(ANN, hp=3)
    tx.remove(CAT)
    dan = tx.put(Creature("dan", "Dan"), 0)
    tx.put(BOB)
    eve = tx.put(Creature("eve", "Eve"))
    tx.remove(eve)
    changes = tx.changes()
    assert changes == (
        Change(("creatures", "ann"), ANN, hurt),
        Change(("creatures", "cat"), CAT, None, 2),
        Change(("creatures", "dan"), None, dan, 0),
    )
    after = tx.base.with_changes(changes)
    assert after.ids(Creature) == ("dan", "ann", "bob")
    assert after.with_changes([change.reversed() for change in reversed(changes)]) == tx.base


def test_a_move_within_a_table_is_taken_back_like_anything_else() -> None:
    tx = over(ANN, BOB, CAT)
    tx.put(CAT, 0)
    after = tx.base.with_changes(tx.changes())
    assert after.ids(Creature) == ("cat", "ann", "bob")
    assert after.with_changes([change.reversed() for change in reversed(tx.changes())]) == tx.base
    still = over(ANN, BOB)
    still.put(BOB, 1)
    assert still.changes() == ()


def test_ids_are_minted_free_and_never_twice() -> None:
    tx = over(ANN)
    assert tx.create_id(Creature, "bob") == "bob"
    assert tx.create_id(Creature, "ann") == "ann-2"
    tx.put(Creature("ann-2", "Ann"))
    assert tx.create_id(Creature, "ann") == "ann-3"
    assert tx.create_id(RosterEntry, "ann") == "ann"
    first = tx.next_id("effect")
    tx.remove(tx.put(Track(first, "ann", "x")))
    assert [first, tx.next_id("effect"), tx.next_id("prompt")] == ["effect-1", "effect-2", "prompt-3"]
    again = Transaction(tx.base.with_changes(tx.changes()), tx.rules, 2)
    assert again.next_id("effect") == "effect-4"


owners = ("ann", "bob", "cat", "")
people = st.sampled_from(owners)
tracks = st.builds(Track, st.sampled_from("pqrst"), people, st.just("speed"), st.integers(0, 3))
effects = st.builds(Effect, st.sampled_from("uvwxy"), people, st.just("prone"))
slots = st.builds(
    Slot,
    id=st.sampled_from("klm"),
    count=st.just(10),
    members=st.lists(people, max_size=3, unique=True).map(tuple),
)
one_step = st.lists(st.tuples(tracks | effects | slots, st.sampled_from(["put", "put first", "remove"])), max_size=6)


@given(st.lists(one_step, max_size=4))
def test_records_are_found_by_their_combatants_as_they_stand(
    steps: list[list[tuple[Track | Effect | Slot, str]]],
) -> None:
    def by_owner(lookup: Lookup) -> set[Track | Effect | Slot]:
        return {one for who in owners for kind in (Track, Effect, Slot) for one in lookup.of(kind, who)}

    def every(lookup: Lookup) -> set[Track | Effect | Slot]:
        members = [slot for slot in lookup.all(Slot) if slot.members]
        return {*lookup.all(Track), *lookup.all(Effect), *members}

    encounter = Encounter()
    for step in steps:
        assert by_owner(encounter) == every(encounter)
        tx = Transaction(encounter, a5e(), 1)
        for record, act in step:
            tx.remove(record) if act == "remove" else tx.put(record, 0 if act == "put first" else -1)
            assert by_owner(tx) == every(tx)
        encounter = encounter.with_changes(tx.changes())
    for who in owners:
        assert encounter.of(Track, who) == [one for one in encounter.all(Track) if one.owner == who]
        assert encounter.of(Effect, who) == [one for one in encounter.all(Effect) if one.target == who]
        assert encounter.of(Slot, who) == [one for one in encounter.all(Slot) if who in one.members]


# Forbidding -----------------------------------------------------------------------------------------------------


@for_each(
    ("strictness", "strict", "anyway", "refuses", "marks"),
    [
        ("off", False, False, False, False),
        ("off", True, True, False, False),
        ("warn", False, False, False, True),
        ("warn", False, True, False, True),
        ("warn", True, False, True, False),
        ("warn", True, True, False, True),
        ("enforce", False, False, True, False),
        ("enforce", False, True, False, True),
    ],
)
def test_what_a_rule_forbids_is_refused_or_marked_or_nothing_is_said(
    strictness: str, strict: bool, anyway: bool, refuses: bool, marks: bool
) -> None:
    tx = over(anyway=anyway, strict=strict, strictness=strictness)
    with pytest.raises(Refused) if refuses else nullcontext() as refused:
        tx.forbid("refused.too_far", "a5e.turn.speed", left=5)
    if refused is not None:
        told = (refused.value.key, refused.value.rule, dict(refused.value.params), refused.value.can_be_overridden)
        assert told == ("refused.too_far", "a5e.turn.speed", {"left": 5}, True)
    mark = RuleOverridden(reason="refused.too_far", params=(("left", 5),), rule="a5e.turn.speed")
    assert tx.events == [mark] * marks


def test_the_first_veto_refuses_and_none_lets_pass() -> None:
    over().forbid_by(())
    params = (("condition", "<condition.surprised>"),)
    vetoes = (Veto("refused.condition", "a5e.surprise.no-action", params), Veto("refused.too_far", "other"))
    with pytest.raises(Refused) as refused:
        over(strictness="enforce").forbid_by(vetoes)
    assert refused.value.rule == "a5e.surprise.no-action"
    assert dict(refused.value.params) == {"condition": "<condition.surprised>"}


def test_events_keep_their_order() -> None:
    tx = over()
    tx.emit(NoteAdded(text="one"), NoteAdded(text="two"))
    tx.emit(NoteAdded(text="three"))
    assert [event.text for event in tx.events if isinstance(event, NoteAdded)] == ["one", "two", "three"]


# Dice -----------------------------------------------------------------------------------------------------------


def test_scripted_faces_fall_in_order_and_none_is_lost_when_they_run_out() -> None:
    tx = over(Dice(mode="script", script=(4, 17, 6)))
    first = tx.roll(RollSpec("1d20", (Modifier(2, "why.bonus"),)))
    assert first is not None
    assert (first.total, first.natural, first.origin) == (6, 4, "scripted")
    assert dice_of(tx).script == (17, 6)
    assert tx.roll(RollSpec("3d20")) is None
    assert dice_of(tx).script == (17, 6)
    second = tx.roll(D20)
    assert second is not None
    assert second.total == 17


@pytest.mark.parametrize(("mode", "asks"), [("ask", True), ("roll", False)])
def test_a_person_is_asked_to_roll_dice_and_never_plain_numbers(mode: DiceMode, asks: bool) -> None:
    tx = over(Dice(mode=mode, seed=5))
    assert (tx.roll(D20) is None) is asks
    plain = tx.roll(RollSpec("7"))
    assert plain is not None
    assert plain.total == 7
    rolled = tx.roll_now(D20)
    assert rolled is not None
    assert 1 <= (rolled.total or 0) <= 20


def test_random_faces_hang_on_seed_and_counter_alone() -> None:
    tx = over(Dice(mode="roll", seed=5))
    first = [tx.roll(D20) for _ in range(6)]
    assert dice_of(tx).counter >= 6
    assert [again.roll(D20) for again in [over(Dice(mode="roll", seed=5))] for _ in range(6)] == first
    assert [other.roll(D20) for other in [over(Dice(mode="roll", seed=6))] for _ in range(6)] != first


def test_drawing_lots_uses_the_machines_dice_in_every_mode() -> None:
    modes: tuple[DiceMode, ...] = ("ask", "roll", "script")
    drawn = []
    for mode in modes:
        tx = over(Dice(mode=mode, seed=9, script=(1, 2)))
        drawn.append([tx.draw(4) for _ in range(20)])
        assert dice_of(tx).script == (1, 2)
        assert dice_of(tx).counter >= 20
    assert drawn[0] == drawn[1] == drawn[2]
    assert set(drawn[0]) == {0, 1, 2, 3}


def test_what_a_rule_forbids_is_recorded_once_in_a_step() -> None:
    tx = Transaction(Encounter(), a5e(), 1, override=True)
    for who in ("Ann", "Ann", "Bo"):
        tx.forbid("refused.not_your_turn", "", who=who)
    found = [dict(event.params) for event in tx.events if isinstance(event, RuleOverridden)]
    assert found == [{"who": "Ann"}, {"who": "Bo"}]
