"""The one path by which commands become steps: undo and redo, steps that join, listeners, the log, and the journal."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import Table, a5e, creature, environment
from turnwright.encounter.prepared import Countdown, Creature, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Combatant, Dice, GivenNumber, SeenDoor
from turnwright.encounter.state import Encounter
from turnwright.play.actions.action import TakeAction
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints
from turnwright.play.kernel.history import History, HistoryEntry
from turnwright.play.kernel.scheduler import Changed
from turnwright.play.kernel.transaction import Refused
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.setup.prepared_records import Edit, Remove, Reorder
from turnwright.play.table.corrections import CorrectLine
from turnwright.play.table.game_master import AddNote, Rename, SetDice
from turnwright.play.turns.turns import EndTurn


def prepared(*people: str) -> Session:
    """A session over some stat blocks, before any fight."""
    return Session(Encounter([Scene(strictness="enforce"), *(creature(who) for who in people)]), a5e())


def hit_points(session: Session, who: str) -> int:
    """The hit points that a stat block is prepared with."""
    return session.encounter.need(Creature, who).hp


def set_hp(session: Session, who: str, hp: int, merge: str = "") -> None:
    """Edit a stat block's hit points, as one of several edits that join if they share `merge`."""
    block = session.encounter.need(Creature, who)
    session.do(Edit(msgspec.structs.replace(block, hp=hp), merge))


def journal_keys(session: Session) -> list[str]:
    """The word keys of the journal, first to last."""
    return [line.phrase.key for line in session.journal()]


def journal_texts(session: Session) -> list[object]:
    """The text of every journal line that a person wrote or corrected."""
    return [dict(line.phrase.params).get("text") for line in session.journal() if line.kind in ("note", "corrected")]


# Undo and redo ----------------------------------------------------------------------------------------------------


def test_everything_done_is_taken_back_to_the_first_and_had_again() -> None:
    table = Table("ann", "bob", surroundings=[environment("frigid")], countdowns=[Countdown("fuse", "Fuse", dice=2)])
    session = table.session
    states = [session.encounter]
    session.do(SetDice("roll", seed=7))
    states.append(session.encounter)
    for command in (
        StartEncounter(),
        AdvanceSetup(),
        AdvanceSetup(),
        AdvanceSetup(),
        ApplyDamage(("ann",), "2d6 fire"),
        Remove((("creatures", "bob"),)),
        Heal(("ann",), 3),
        AddNote("so far"),
    ):
        assert session.do(command) is not None
        states.append(session.encounter)
    after = [list(state) for state in states]
    for expected in reversed(after[:-1]):
        assert session.undo()
        assert list(session.encounter) == expected
    while session.undo():
        pass
    assert session.undo_label is None
    while session.redo():
        pass
    assert session.redo_label is None
    assert list(session.encounter) == after[-1]


def test_redo_brings_back_the_same_dice() -> None:
    table = Table("ann")
    table.start(ann=10)
    table.does(SetDice("roll", seed=3))
    table.does(ApplyDamage(("ann",), "4d6"))
    after, hurt = table.encounter, table.one("ann").hp
    table.session.undo()
    assert table.one("ann").hp == 20
    assert table.encounter.need(Dice, "dice").counter == 0
    table.session.redo()
    assert table.one("ann").hp == hurt
    assert table.encounter == after
    table.session.undo()
    table.does(ApplyDamage(("ann",), "4d6"))
    assert table.one("ann").hp == hurt


def test_a_new_step_ends_what_could_be_had_again() -> None:
    session = prepared("ann")
    set_hp(session, "ann", 21)
    set_hp(session, "ann", 22)
    session.undo()
    set_hp(session, "ann", 30)
    assert not session.redo()
    session.undo()
    assert hit_points(session, "ann") == 21


def test_labels_name_what_would_be_taken_back_or_had_again() -> None:
    session = prepared("ann")
    assert (session.undo_label, session.redo_label) == (None, None)
    set_hp(session, "ann", 21)
    assert session.undo_label is not None
    assert (session.undo_label.key, dict(session.undo_label.params)) == ("step.edit", {"what": "Ann"})
    session.undo()
    assert session.undo_label is None
    assert session.redo_label is not None
    assert session.redo_label.key == "step.edit"


def test_an_answered_prompt_opens_again_and_its_old_card_answers_nothing_else() -> None:
    table = Table("ann")
    table.start(ann=10)
    table.does(ApplyDamage(("ann",), "2d6"))
    first = table.prompt
    answer = Answer(first.id, (Reply("damage", typed="5"),), first.revision)
    table.does(answer)
    assert table.one("ann").hp == 15
    table.session.undo()
    assert table.prompt == first
    table.session.undo()
    table.does(ApplyDamage(("ann",), "3d6"))
    assert table.prompt.id == first.id
    assert table.prompt.revision != first.revision
    assert table.refuses(answer).key == "refused.stale"


def test_a_record_taken_out_comes_back_in_its_place() -> None:
    session = prepared("ann", "bob", "cat", "dan")
    session.do(Remove((("creatures", "bob"), ("creatures", "ann"))))
    assert session.encounter.ids(Creature) == ("cat", "dan")
    session.undo()
    assert session.encounter.ids(Creature) == ("ann", "bob", "cat", "dan")
    session.do(Reorder(("creatures", "dan"), 1))
    assert session.encounter.ids(Creature) == ("ann", "dan", "bob", "cat")
    session.undo()
    assert session.encounter.ids(Creature) == ("ann", "bob", "cat", "dan")


# Steps that join --------------------------------------------------------------------------------------------------


def test_edits_of_one_drag_are_one_step() -> None:
    session = prepared("ann", "bob")
    for hp in (21, 25, 29):
        set_hp(session, "ann", hp, merge="hp of ann")
    assert session.history.depth == 1
    set_hp(session, "bob", 30, merge="hp of bob")
    assert session.history.depth == 2
    session.undo()
    session.undo()
    assert hit_points(session, "ann") == 20
    session.redo()
    assert hit_points(session, "ann") == 29


def test_edits_without_a_name_do_not_join() -> None:
    session = prepared("ann")
    set_hp(session, "ann", 21)
    set_hp(session, "ann", 22)
    assert session.history.depth == 2


def test_a_drag_that_comes_back_to_where_it_began_leaves_no_step() -> None:
    session = prepared("ann")
    before = session.encounter
    session.do(AddNote("kept"))
    set_hp(session, "ann", 25, merge="hp")
    set_hp(session, "ann", 20, merge="hp")
    assert session.encounter == before
    assert session.history.depth == 1
    assert not session.redo()
    assert session.undo_label is not None
    assert session.undo_label.key == "step.add_note"


def test_a_command_that_changes_nothing_is_no_step() -> None:
    session = prepared("ann")
    heard: list[Changed] = []
    session.subscribe(heard.append)
    assert session.do(Edit(session.encounter.need(Creature, "ann"))) is None
    assert (session.history.depth, session.serial, heard) == (0, 0, [])


def test_nothing_joins_across_a_save() -> None:
    session = prepared("ann")
    set_hp(session, "ann", 21, merge="hp")
    session.history.seal()
    set_hp(session, "ann", 20, merge="hp")
    assert session.history.depth == 2
    set_hp(session, "ann", 24, merge="hp")
    assert session.history.depth == 2
    session.undo()
    assert hit_points(session, "ann") == 21


def test_nothing_joins_across_an_undo() -> None:
    session = prepared("ann")
    set_hp(session, "ann", 21, merge="hp")
    session.do(AddNote("between"))
    session.undo()
    set_hp(session, "ann", 22, merge="hp")
    assert session.history.depth == 2
    session.undo()
    assert hit_points(session, "ann") == 21


def test_records_are_stored_with_the_last_step_and_go_with_it() -> None:
    start, log = prepared("ann"), list[HistoryEntry]()
    session = Session(start.encounter, a5e(), log_sink=log.append)
    number, door = GivenNumber("ann.Ann", "ann", "Ann", 1), SeenDoor("gate", open=True)
    session.amend([number])  # nothing is done yet
    session.do(AddNote("seen"))
    session.amend([number, door])
    session.amend([SeenDoor("gate")])
    assert (session.history.depth, [*session.encounter.all(GivenNumber)]) == (1, [number])
    assert session.encounter.need(SeenDoor, "gate").open is False
    again = Session(start.encounter, a5e())
    again.replay(log)
    assert again.encounter == session.encounter
    session.undo()
    session.amend([number])  # redo would be lost
    assert session.encounter == start.encounter
    session.redo()
    assert again.encounter == session.encounter
    session.history.seal()
    session.amend([door])
    assert session.encounter.need(SeenDoor, "gate").open is False


def test_after_a_saved_step_was_replaced_the_new_ones_join_again() -> None:
    session = prepared("ann")
    set_hp(session, "ann", 21)
    session.history.seal()
    session.undo()
    for hp in (30, 31, 32):
        set_hp(session, "ann", hp, merge="hp")
    assert session.history.depth == 1


def test_steps_of_a_fight_do_not_join() -> None:
    table = Table("ann")
    table.start(ann=10)
    depth = table.session.history.depth
    for _ in range(2):
        table.does(ApplyDamage(("ann",), "2"))
    assert table.session.history.depth == depth + 2


# Refusals ---------------------------------------------------------------------------------------------------------


def test_a_refused_command_leaves_everything_as_it_was() -> None:
    table = Table("ann", "bob")
    table.start(ann=15, bob=10)
    session = table.session
    before, depth, serial = session.encounter, session.history.depth, session.serial
    with pytest.raises(Refused) as refused:
        session.do(ApplyDamage(("ann", "nobody"), "5"))
    assert (refused.value.key, refused.value.can_be_overridden) == ("refused.unknown", False)
    with pytest.raises(Refused) as refused:
        session.do(TakeAction("bob", "attack"))
    assert refused.value.can_be_overridden
    assert session.encounter is before
    assert (session.history.depth, session.serial) == (depth, serial)


@pytest.mark.parametrize(
    ("strictness", "anyway", "noted"), [("warn", False, 1), ("warn", True, 1), ("enforce", True, 1), ("off", False, 0)]
)
def test_what_a_rule_forbids_may_be_done_all_the_same(strictness: str, anyway: bool, noted: int) -> None:
    table = Table("ann", "bob", scene=msgspec.convert({"strictness": strictness}, Scene))
    table.start(ann=15, bob=10)
    if strictness == "enforce":
        assert table.refuses(TakeAction("bob", "attack")).rule == "a5e.round.on-turn"
    table.does(TakeAction("bob", "attack"), anyway=anyway)
    assert journal_keys(table.session).count("journal.done_anyway") == noted
    assert table.track("bob", "action") == 0


def test_trying_out_shows_the_step_and_does_not_make_it() -> None:
    table = Table("ann")
    table.start(ann=10)
    before, serial = table.encounter, table.session.serial
    step = table.session.preview(ApplyDamage(("ann",), "5"))
    assert [change.after.hp for change in step.changes if isinstance(change.after, Combatant)] == [15]
    assert table.encounter is before
    assert table.session.serial == serial


# Listeners and the log --------------------------------------------------------------------------------------------


def test_one_message_a_step_says_what_came_went_and_changed() -> None:
    session = prepared("ann", "bob")
    heard: list[Changed] = []
    stop = session.subscribe(heard.append)
    session.do(Edit(msgspec.structs.replace(session.encounter.need(Creature, "ann"), hp=9, ac=12)))
    session.do(Remove((("creatures", "bob"),)))
    session.undo()
    first, second, third = heard
    assert dict(first.updated) == {("creatures", "ann"): frozenset({"hp", "ac"})}
    assert (first.touches("creatures"), first.touches("roster")) == (True, False)
    assert second.removed == (("creatures", "bob"),)
    assert (third.added, third.label.key) == ((("creatures", "bob"),), "step.undo")
    stop()
    session.redo()
    assert len(heard) == 3


def test_the_keeper_has_a_step_before_anybody_hears_of_it_and_after_it_stands() -> None:
    session = prepared("ann")
    order: list[object] = []
    session.set_log(lambda act: order.append((act.kind, hit_points(session, "ann"))))
    session.subscribe(lambda changed: order.append(changed.label.key))
    set_hp(session, "ann", 21, merge="hp")
    set_hp(session, "ann", 22, merge="hp")
    set_hp(session, "ann", 20, merge="hp")
    set_hp(session, "ann", 23)
    session.undo()
    session.redo()
    assert order == [
        ("did", 21),
        "step.edit",
        ("joined", 22),
        "step.edit",
        ("vanished", 20),
        "step.edit",
        ("did", 23),
        "step.edit",
        ("undid", 20),
        "step.undo",
        ("redid", 23),
        "step.redo",
    ]


def test_a_step_that_no_log_takes_stands_and_is_heard_of() -> None:
    session = prepared("ann")
    heard: list[str] = []

    def broken(_act: HistoryEntry) -> None:
        raise RuntimeError("the log is gone")

    session.set_log(broken)
    session.subscribe(lambda changed: heard.append(changed.label.key))
    for act in (lambda: set_hp(session, "ann", 21), session.undo, session.redo):
        with pytest.raises(RuntimeError):
            act()
    assert heard == ["step.edit", "step.undo", "step.redo"]
    assert (hit_points(session, "ann"), session.history.depth) == (21, 1)


def test_a_log_of_acts_rebuilds_encounter_history_and_numbers() -> None:
    acts: list[HistoryEntry] = []
    start = Table("ann", "bob").encounter
    session = Session(start, a5e(), log_sink=acts.append)
    for command in (StartEncounter(), AdvanceSetup(), AdvanceSetup(), SetDice("roll", seed=4), AdvanceSetup()):
        session.do(command)
    session.do(ApplyDamage(("ann",), "2d6"))
    session.undo()
    session.do(Rename("ann", "Anna"))
    for hp in (22, 23):
        set_hp(session, "bob", hp, merge="hp")
    set_hp(session, "bob", 20, merge="hp")
    session.do(EndTurn())
    session.undo()
    again = Session(start, a5e())
    again.replay(acts)
    assert again.encounter == session.encounter
    assert (again.serial, again.undo_label, again.redo_label) == (
        session.serial,
        session.undo_label,
        session.redo_label,
    )
    assert [step.serial for step in again.history.applied] == [step.serial for step in session.history.applied]
    assert list(again.journal()) == list(session.journal())
    assert again.redo()
    assert session.redo()
    assert again.encounter == session.encounter


def test_joined_commands_are_one_step_with_all_lines_and_names_and_a_log_rebuilds_them() -> None:
    table, acts = Table("ann", "bob"), list[HistoryEntry]()
    table.start(ann=10)
    start = table.encounter
    session = Session(start, a5e(), log_sink=acts.append)
    session.do(AddNote("first"), joins=True)  # there is nothing to join yet
    session.do(SetHitPoints("ann", 5))
    session.do(SetHitPoints("bob", 6), joins=True)
    session.do(AddNote("then"), joins=True)
    assert [(step.serial, len(step.lines)) for step in session.history.applied] == [(1, 1), (2, 3)]
    assert [(line.serial, line.index) for line in session.journal()] == [(1, 0), (2, 0), (2, 1), (2, 2)]
    assert session.undo_label is not None
    assert dict(session.undo_label.params)["what"] == "Ann, Bob"
    again = Session(start, a5e())
    again.replay(acts)
    assert again.encounter == session.encounter
    assert list(again.journal()) == list(session.journal())
    session.undo()
    assert (session.encounter.need(Combatant, "bob").hp, session.history.depth) == (start.need(Combatant, "bob").hp, 1)
    session.do(AddNote("not joined"), joins=True)  # after an undo, the step is separate
    session.history.seal()
    session.do(AddNote("nor after a save"), joins=True)
    assert session.history.depth == 3


def test_a_log_with_an_act_out_of_place_is_not_followed() -> None:
    with pytest.raises(ValueError, match="undid"):
        prepared("ann").replay([HistoryEntry("undid")])
    for kind in ("joined", "vanished", "redid"):
        with pytest.raises(ValueError, match=kind):
            History().apply(HistoryEntry(kind))


def test_numbers_of_steps_are_never_used_twice() -> None:
    session = prepared("ann")
    serials = []
    for hp in (21, 22, 23):
        step = session.do(Edit(msgspec.structs.replace(session.encounter.need(Creature, "ann"), hp=hp)))
        assert step is not None
        serials.append(step.serial)
        session.undo()
    assert len(set(serials)) == 3


# The journal ------------------------------------------------------------------------------------------------------


def test_undone_steps_leave_the_journal_and_return_with_redo() -> None:
    table = Table("ann")
    table.start(ann=10)
    table.does(AddNote("one"))
    table.dice(2)
    table.does(ApplyDamage(("ann",), "1d4+3"))
    told = journal_keys(table.session)
    assert told[-2:] == ["journal.rolled_alone", "journal.damage_as_dealt"]
    table.session.undo()
    assert journal_keys(table.session) == told[:-2]
    table.session.redo()
    assert journal_keys(table.session) == told


def test_a_line_corrected_later_reads_so_in_its_old_place() -> None:
    table = Table("ann")
    first = table.does(AddNote("the brige burns"))
    table.does(AddNote("all flee"))
    assert first is not None
    table.does(CorrectLine(first.serial, 0, "the bridge burns"))
    assert journal_texts(table.session) == ["the bridge burns", "all flee"]
    table.does(CorrectLine(first.serial, 0, "the bridge is on fire"))
    assert journal_texts(table.session) == ["the bridge is on fire", "all flee"]
    table.session.undo()
    assert journal_texts(table.session) == ["the bridge burns", "all flee"]
    table.session.undo()
    assert journal_texts(table.session) == ["the brige burns", "all flee"]


def test_lines_keep_the_names_of_their_time_with_round_and_turn() -> None:
    table = Table("ann", "bob")
    table.start(ann=15, bob=10)
    table.does(SetHitPoints("ann", hp=7))
    table.does(Rename("ann", "Queen"))
    table.ends_turn(2)
    table.does(SetHitPoints("ann", hp=8))
    lines = [line for line in table.session.journal() if line.phrase.key == "journal.hit_points_set"]
    assert [(line.round, line.turn, dict(line.phrase.params)["who"]) for line in lines] == [
        (1, "ann", "Ann"),
        (2, "ann", "Queen"),
    ]


def test_an_earlier_journal_comes_first_and_its_numbers_are_not_used_again() -> None:
    table = Table("ann")
    table.does(AddNote("before"))
    lines = tuple(table.session.journal())
    later = Session(table.encounter, a5e(), earlier_lines=lines)
    step = later.do(AddNote("after"))
    assert step is not None
    assert step.serial > max(line.serial for line in lines)
    assert [dict(line.phrase.params).get("text") for line in later.journal()] == ["before", "after"]
    later.do(CorrectLine(lines[-1].serial, lines[-1].index, "earlier"))
    assert journal_texts(later) == ["earlier", "after"]
