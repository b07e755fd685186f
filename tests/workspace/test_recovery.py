"""The recovery log: wherever it is cut off, and however the process ended, the document is restored."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace.steps import begin, edit, many_acts
from turnwright.encounter.running import Award, Combatant, Effect
from turnwright.encounter.state import Encounter
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.history import HistoryEntry
from turnwright.play.session import Session
from turnwright.play.table.game_master import AddNote
from turnwright.play.turns.awards import AwardExperience, AwardTreasure
from turnwright.play.turns.turns import EndEncounter
from turnwright.workspace.document import DocumentInUseError, RecoverError, recover_document, untitled_document
from turnwright.workspace.files import Leftovers, find_leftovers, sweep_restores
from turnwright.workspace.locks import lock_name
from turnwright.workspace.log_format import SaveEntry, SavePlan, header, read_log, valid_frames


def log_of(state, file):
    return state / "recovery" / f"{lock_name(file)}.log"


def everything(session):
    """All that a person could tell a session by: state, journal, and what undo and redo lead through."""
    return session.encounter, tuple(session.journal()), tuple(session.history.applied), session.history.next


def crash(document, file, state):
    """Leave a log and a free lock, as a killed process does; return the log's bytes."""
    data = log_of(state, file).read_bytes()
    document.close(discard=True)
    log_of(state, file).write_bytes(data)
    return data


@pytest.mark.parametrize("steps", [50, pytest.param(200, marks=pytest.mark.soak)])
def test_a_log_cut_at_every_byte_reopens_to_the_last_whole_step(opened, state, file, steps):
    document = opened()
    log = log_of(state, file)
    stands = []  # after each act: how long the log is, and what then is
    many_acts(document, steps, lambda: stands.append((log.stat().st_size, everything(document.session))))
    data = log.read_bytes()
    lengths = [length for length, _ in stands]
    assert len(stands) == steps
    assert lengths == sorted(set(lengths))
    assert lengths[-1] == len(data)

    # Where frames end is found from the bytes alone, at every single cut.
    view = memoryview(data)
    ends = [end for _, end in valid_frames(data)]
    assert ends[1:] == lengths
    whole = 0
    for cut in range(len(data) + 1):
        whole += whole < len(ends) and ends[whole] == cut
        assert sum(1 for _ in valid_frames(view[:cut])) == whole

    # And each such prefix, with a torn piece of the next frame behind it, is the document after that act.
    rules = document.session.rules
    for (length, expected), following in zip(stands, [*lengths[1:], len(data)], strict=True):
        cut = (length + following) // 2
        contents = read_log(data[:cut])
        assert contents.valid_bytes == length
        session = Session(Encounter(contents.snapshot.records), rules)
        session.replay(contents.history_entries)
        assert everything(session) == expected


def test_a_flipped_bit_ends_the_reading_there_and_says_how_much_is_dropped(opened, state, file):
    document = opened()
    begin(document)
    data = log_of(state, file).read_bytes()
    ends = [end for _, end in valid_frames(data)]
    broken = bytearray(data)
    broken[ends[2] - 1] ^= 4
    contents = read_log(bytes(broken))
    assert len(contents.history_entries) == 1
    assert contents.valid_bytes == ends[1]


def test_a_recovered_document_is_exactly_as_it_was_with_its_whole_history(opened, systems, state, file):
    document = opened()
    many_acts(document, 120, lambda: None)
    document.undo()
    document.undo()
    wanted, serial = everything(document.session), document.session.serial
    crash(document, file, state)

    (found,) = find_leftovers(state).unsaved
    assert (found.path, found.title) == (file, "The gate")
    again = recover_document(found.log, systems, state)
    assert everything(again.session) == wanted
    assert again.session.serial <= serial
    assert again.is_modified
    assert not again.read_only
    assert again.redo()
    assert again.redo()
    assert not again.redo()
    while again.undo():
        pass
    assert not again.is_modified
    assert again.encounter == opened(file, locked=False).encounter
    again.close(discard=True)
    assert find_leftovers(state).unsaved == ()


def test_an_effect_with_rules_is_recovered_and_undone(opened, systems, state, file):
    document = opened()
    begin(document)
    who = next(iter(document.encounter.ids(Combatant)))
    document.do(ApplyCondition((who,), "Bless", rules="+1d4 attack, saves", rounds=10, uses=2))
    wanted = everything(document.session)
    crash(document, file, state)
    again = recover_document(log_of(state, file), systems, state)
    assert everything(again.session) == wanted
    effect = next(one for one in again.encounter.all(Effect) if one.name == "Bless")
    assert [rule.dice for rule in effect.rules] == ["1d4"] * 2
    again.undo()
    assert again.encounter.get(Effect, effect.id) is None
    again.redo()
    again.save()
    again.close()
    reopened = opened()
    assert reopened.encounter.need(Effect, effect.id).rules == effect.rules
    reopened.close(discard=True)


def test_recovering_twice_in_a_row_loses_nothing(opened, systems, state, file):
    document = opened()
    many_acts(document, 60, lambda: None)
    for round_number in range(3):
        document.do(AddNote(f"Crash {round_number}"))
        document.undo()
        wanted = everything(document.session)
        crash(document, file, state)
        document = recover_document(log_of(state, file), systems, state)
        assert everything(document.session) == wanted
    document.close(discard=True)


def test_where_it_was_saved_is_remembered_across_a_crash(opened, systems, state, file):
    document = opened()
    begin(document)
    document.save()
    document.do(AddNote("Unsaved"))
    crash(document, file, state)
    again = recover_document(log_of(state, file), systems, state)
    assert again.is_modified
    again.undo()
    assert not again.is_modified
    again.save()
    again.close()
    assert find_leftovers(state).unsaved == ()


def test_an_untitled_document_is_recovered_too_and_saved_under_a_name(systems, state, tmp_path):
    document = untitled_document(systems, state, title="Nowhere yet")
    document.do(AddNote("Something"))
    log = state / "recovery" / "untitled-1.log"
    data = log.read_bytes()
    document.close(discard=True)
    log.write_bytes(data)
    assert untitled_document(systems, state).close() is None  # does not take the name of the one that is left
    (found,) = find_leftovers(state).unsaved
    assert (found.path, found.title, found.steps) == (None, "Nowhere yet", 1)
    again = recover_document(found.log, systems, state)
    again.save_as(tmp_path / "named.toml")
    assert not log.exists()
    again.do(AddNote("More"))
    crash(again, tmp_path / "named.toml", state)
    (found,) = find_leftovers(state).unsaved
    assert (found.path, found.steps) == (tmp_path / "named.toml", 2)


def test_a_log_that_is_in_use_is_neither_listed_nor_taken(opened, systems, state, file):
    begin(opened())
    assert find_leftovers(state).unsaved == ()
    with pytest.raises(DocumentInUseError):
        recover_document(log_of(state, file), systems, state)


def test_opening_a_file_anew_sets_a_log_aside_that_was_left(opened, systems, state, file):
    document = opened()
    begin(document)
    wanted = everything(document.session)
    crash(document, file, state)
    fresh = opened()
    fresh.do(AddNote("Started over"))
    fresh.close(discard=True)
    (found,) = find_leftovers(state).unsaved
    assert found.log != log_of(state, file)
    again = recover_document(found.log, systems, state)
    assert everything(again.session) == wanted
    assert not found.log.exists()
    again.close(discard=True)


def test_a_log_of_another_version_is_never_read_and_kept_out_of_the_way(opened, systems, state, file):
    document = opened()
    begin(document)
    data = crash(document, file, state)
    other = header()[:-1] + bytes((header()[-1] ^ 1,)) + data[len(header()) :]
    log_of(state, file).write_bytes(other)
    with pytest.raises(RecoverError):
        recover_document(log_of(state, file), systems, state)
    found = find_leftovers(state)
    assert found.unsaved == ()
    assert [log.read_bytes() for log in found.unread] == [other]
    assert find_leftovers(state).unread == ()
    assert found.unread[0].exists()


@pytest.mark.parametrize("data", [b"", b"nothing of ours", header(), header() + b"\0" * 40])
def test_what_is_no_log_is_not_offered_and_kept_out_of_the_way(systems, state, data):
    log = state / "recovery" / "untitled-1.log"
    log.parent.mkdir(parents=True)
    log.write_bytes(data)
    with pytest.raises(RecoverError):
        recover_document(log, systems, state)
    assert find_leftovers(state) == Leftovers()
    assert [path.read_bytes() for path in log.parent.glob("*/*.log")] == [data]


def test_a_full_disk_is_said_once_and_nothing_is_lost_when_there_is_room_again(
    opened, systems, state, file, monkeypatch
):
    heard = []
    document = opened(on_log_error=heard.append)
    begin(document)
    write, full = os.write, False

    def torn_write(handle, data):
        if full:
            return write(handle, data[:10])
        return write(handle, data)

    monkeypatch.setattr(os, "write", torn_write)
    full = True
    for hp in (50, 60, 70):
        edit(document, hp)
    assert [error.errno for error in heard] == [errno.ENOSPC]
    torn = read_log(log_of(state, file).read_bytes())
    assert len(torn.history_entries) == 4
    assert torn.valid_bytes < log_of(state, file).stat().st_size
    full = False
    document.do(AddNote("Room again"))
    wanted = everything(document.session)
    crash(document, file, state)
    again = recover_document(log_of(state, file), systems, state)
    assert everything(again.session) == wanted
    again.close(discard=True)


def test_a_text_that_no_log_can_hold_stops_the_log_and_not_the_work(opened, systems, state, file):
    heard = []
    document = opened(on_log_error=heard.append)
    begin(document)
    document.do(AddNote("half a character: \ud800"))
    document.do(AddNote("Going on"))
    assert len(heard) == 1
    assert document.session.history.depth == 6
    assert len(read_log(log_of(state, file).read_bytes()).history_entries) == 4


def test_a_folder_that_cannot_be_written_keeps_nobody_from_working(systems, file, tmp_path):
    from turnwright.workspace.document import open_document

    nowhere = tmp_path / "state"
    nowhere.write_text("a file where a folder should be")
    heard = []
    document = open_document(file, systems, nowhere, on_log_error=heard.append)
    begin(document)
    assert document.encounter.ids
    assert len(heard) == 1
    document.close()


def test_after_kill_9_the_acts_are_there(systems, state, file):
    code = """
import os, signal, sys
from pathlib import Path
from tests.workspace.steps import many_acts
from turnwright.bootstrap import RuleSystems
from turnwright.workspace.document import open_document
document = open_document(Path(sys.argv[1]), RuleSystems(), Path(sys.argv[2]), seed=7, dice="roll")
many_acts(document, 50, lambda: print(document.session.history.depth, flush=True))
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(root), str(root / "desktop")))}
    ended = subprocess.run(
        [sys.executable, "-c", code, str(file), str(state)],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert ended.returncode < 0, ended.stderr
    (found,) = find_leftovers(state).unsaved
    assert found.steps == 50
    again = recover_document(found.log, systems, state)
    assert again.session.history.depth == int(ended.stdout.split()[-1])
    again.close(discard=True)


def test_frames_say_where_the_document_was_saved(opened, state, file):
    document = opened()
    begin(document)
    document.save()
    *acts, plan, save = read_log(log_of(state, file).read_bytes()).entries
    assert all(isinstance(entry, HistoryEntry) for entry in acts)
    assert isinstance(plan, SavePlan)
    assert isinstance(save, SaveEntry)
    assert plan.origin == save.origin
    assert save.origin.digest
    assert save.origin.fight


def test_what_a_killed_restore_has_left_goes_after_a_day_and_nothing_else(tmp_path):
    names = (".restore-12-abc", ".restore-13-new", "library", ".restored")
    for name in names:
        (tmp_path / name / "creatures").mkdir(parents=True)
        os.utime(tmp_path / name, (0, 0) if name != ".restore-13-new" else None)
    sweep_restores(tmp_path / "library")
    assert {each.name for each in tmp_path.iterdir()} == {*names} - {".restore-12-abc"}


def test_awards_survive_a_crash_and_saving(opened, state, file, systems):
    document = opened()
    begin(document)
    document.do(EndEncounter())
    document.do(AwardExperience(275, note="the door", at="2026-11-28 20:31"))
    document.do(AwardTreasure("grey cloak"))
    awards = tuple(document.encounter.all(Award))
    crash(document, file, state)
    (found,) = find_leftovers(state).unsaved
    again = recover_document(found.log, systems, state)
    assert tuple(again.encounter.all(Award)) == awards
    again.undo()
    assert tuple(again.encounter.all(Award)) == awards[:1]
    again.redo()
    again.save()
    again.close()
    reopened = opened()
    assert tuple(reopened.encounter.all(Award)) == awards
