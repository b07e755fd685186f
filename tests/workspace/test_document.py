"""A document and its files: saving, the modified state, and that nothing is written over."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.workspace.conftest import TEXT
from tests.workspace.steps import begin, edit, many_acts
from turnwright import __version__
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.running import Clock, Dice
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.kernel.transaction import Refused
from turnwright.play.setup.encounter_course import ResetToPrepared
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.table.game_master import AddNote, SetDice
from turnwright.storage import atomic
from turnwright.storage.atomic import backups_of
from turnwright.storage.fights import fight_path
from turnwright.workspace import files
from turnwright.workspace.document import (
    DocumentInUseError,
    NoPathError,
    open_document,
    recover_document,
    untitled_document,
)
from turnwright.workspace.files import FightUnreadError, FileChangedError, OpenError, find_leftovers, read_files


def said_of_the_fight(document):
    return [finding.key for finding in document.findings if finding.file.endswith(".fight.toml")]


def test_running_leaves_what_was_prepared_alone(opened, file):
    document = opened()
    begin(document)
    document.do(ApplyDamage(("mira",), "7"))
    document.save()
    assert file.read_bytes() == TEXT.encode()
    assert fight_path(file).exists()


def test_a_fight_saved_and_opened_again_is_the_same(opened, state, file):
    document = opened()
    begin(document)
    many_acts(document, 60, lambda: None)
    document.save()
    assert not document.is_modified
    encounter, journal = document.encounter, list(document.session.journal())
    document.close()
    again = opened(seed=None)
    assert said_of_the_fight(again) == []
    assert again.encounter == encounter
    assert list(again.session.journal()) == journal
    assert not again.is_modified
    again.do(AddNote("Later"))
    assert [*again.session.journal()][:-1] == journal
    assert [*again.session.journal()][-1].serial > max(line.serial for line in journal)


def marked(text: str) -> str:
    """Return a file's text with the version that saved it, below the title."""
    return re.sub(r"(\ntitle = .*\n)", rf'\1made_with = "{__version__}"\n', text, count=1)


def test_an_edit_changes_its_own_line_and_no_other(opened, file):
    document = opened()
    edit(document, 31)
    document.save()
    assert file.read_text(encoding="utf-8") == marked(TEXT.replace("hp = 30", "hp = 31"))


def test_undo_back_to_where_it_was_saved_is_unmodified(opened):
    document = opened()
    assert not document.is_modified
    edit(document, 31)
    assert document.is_modified
    document.undo()
    assert not document.is_modified
    document.redo()
    document.save()
    assert not document.is_modified
    document.undo()
    assert document.is_modified
    edit(document, 99)
    assert document.is_modified


def test_nothing_joins_a_step_over_a_save_point(opened):
    document = opened()
    edit(document, 31, "drag")
    document.save()
    edit(document, 32, "drag")
    document.undo()
    assert document.encounter.need(Creature, "guard").hp == 31
    assert not document.is_modified


def test_how_the_dice_are_rolled_is_no_change_to_a_prepared_file(opened):
    document = opened()
    document.do(SetDice("ask"))
    assert not document.is_modified


def test_reset_to_prepared_removes_the_fight_file_on_saving_and_keeps_a_copy(opened, state, file):
    document = opened()
    begin(document)
    document.save()
    fought = fight_path(file).read_bytes()
    document.do(ResetToPrepared())
    assert fight_path(file).exists()
    document.save()
    assert not fight_path(file).exists()
    assert [copy.read_bytes() for copy in backups_of(fight_path(file), state / "backups")] == [fought]
    document.undo()
    document.save()
    assert fight_path(file).exists()


def test_saving_keeps_a_dated_copy_of_what_was_there(opened, state, file):
    document = opened()
    edit(document, 31)
    document.save()
    assert [copy.read_text(encoding="utf-8") for copy in backups_of(file, state / "backups")] == [TEXT]


def test_a_second_one_only_reads_until_it_is_saved_elsewhere(opened, file, tmp_path):
    first, second = opened(), opened()
    assert not first.read_only
    assert second.read_only
    with pytest.raises(Refused):
        second.do(AddNote("mine"))
    with pytest.raises(DocumentInUseError):
        second.save()
    second.save_as(tmp_path / "copy.toml")
    assert not second.read_only
    edit(second, 31)
    second.save()
    assert file.read_text(encoding="utf-8") == TEXT
    assert "hp = 31" in (tmp_path / "copy.toml").read_text(encoding="utf-8")
    with pytest.raises(DocumentInUseError):
        second.save_as(file)
    assert second.path == tmp_path / "copy.toml"
    first.close()
    assert not opened().read_only


def test_a_failing_save_leaves_files_history_and_log_as_they_were(opened, systems, state, file, monkeypatch):
    document = opened()
    edit(document, 31)
    depth = document.session.history.depth

    def full(*_):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        document.save()
    monkeypatch.undo()
    assert document.is_modified
    assert document.session.history.depth == depth
    assert file.read_text(encoding="utf-8") == TEXT
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]
    document.close()  # unsaved: the log stays
    (found,) = find_leftovers(state).unsaved
    again = recover_document(found.log, systems, state)
    assert again.encounter == document.encounter
    again.save()
    assert "hp = 31" in file.read_text(encoding="utf-8")
    again.close()


def test_a_save_that_fails_halfway_blames_nobody_afterwards(opened, systems, state, file, monkeypatch):
    document = opened()
    begin(document)
    edit(document, 31)
    replace_atomically = files.replace_atomically

    def full(path, *rest):
        if path == fight_path(file):
            raise OSError(28, "no space left on device")
        replace_atomically(path, *rest)

    monkeypatch.setattr(files, "replace_atomically", full)
    with pytest.raises(OSError, match="no space"):
        document.save()
    monkeypatch.undo()
    assert ("hp = 31" in file.read_text(encoding="utf-8"), fight_path(file).exists()) == (True, False)
    assert (document.is_modified, document.changed_on_disk()) == (True, False)
    document.close()
    (left,) = find_leftovers(state).unsaved
    again = recover_document(left.log, systems, state)
    assert not again.changed_on_disk()
    again.save()
    assert fight_path(file).exists()
    again.close()


def test_a_file_that_changed_on_disk_is_not_written_over_blindly(opened, state, file):
    document = opened()
    edit(document, 31)
    theirs = TEXT.replace("# Two against one, at a gate.", "# Somebody else's words.").replace("ac = 15", "ac = 16")
    file.write_text(theirs, encoding="utf-8", newline="")
    assert document.changed_on_disk()
    with pytest.raises(FileChangedError):
        document.save()
    assert file.read_text(encoding="utf-8") == theirs
    assert document.is_modified
    document.save(overwrite=True)
    assert file.read_text(encoding="utf-8") == marked(
        theirs.replace("hp = 30", "hp = 31").replace("ac = 16", "ac = 15")
    )
    assert theirs in [copy.read_text(encoding="utf-8") for copy in backups_of(file, state / "backups")]
    assert not document.changed_on_disk()


def test_a_changed_file_can_be_read_again_instead(opened, systems, state, file):
    document = opened()
    edit(document, 31)
    file.write_text(TEXT.replace("hp = 30", "hp = 5"), encoding="utf-8")
    again = document.reopen(read_files(file, systems))
    assert again.encounter.need(Creature, "guard").hp == 5
    assert not again.is_modified
    again.close()
    assert find_leftovers(state).unsaved == ()


def test_a_changed_file_that_is_broken_now_leaves_the_document_open(opened, systems, state, file):
    document = opened()
    edit(document, 31)
    file.write_text("format = ", encoding="utf-8")
    with pytest.raises(OpenError) as refused:
        document.reopen(read_files(file, systems))
    assert refused.value.findings[0].line == 1
    assert document.encounter.need(Creature, "guard").hp == 31
    document.save(overwrite=True)
    assert "hp = 31" in file.read_text(encoding="utf-8")
    assert "their_own" in file.read_text(encoding="utf-8")


def test_a_file_that_has_gone_is_written_again(opened, file):
    document = opened()
    edit(document, 31)
    file.unlink()
    document.save()
    assert file.read_text(encoding="utf-8") == marked(TEXT.replace("hp = 30", "hp = 31"))


def test_somebody_elses_fight_is_not_written_over(opened, file):
    document = opened(locked=False)
    begin(document)
    fight_path(file).write_text("# theirs", encoding="utf-8")
    with pytest.raises(FileChangedError):
        document.save()
    assert fight_path(file).read_text(encoding="utf-8") == "# theirs"


def test_a_broken_fight_file_is_said_and_stays(opened, file):
    fight_path(file).write_text("clock = 3\n", encoding="utf-8")
    document = opened()
    assert "clock" in said_of_the_fight(document)
    edit(document, 31)
    document.save()
    assert fight_path(file).read_text(encoding="utf-8") == "clock = 3\n"


def test_a_fight_that_could_not_be_read_is_not_written_over_unasked(opened, file):
    fight_path(file).write_text("clock = 3\n", encoding="utf-8")
    document = opened()
    begin(document)
    with pytest.raises(FightUnreadError):
        document.save()
    assert fight_path(file).read_text(encoding="utf-8") == "clock = 3\n"
    document.save(overwrite=True)
    document.do(AddNote("From here on it is ours"))
    document.save()
    assert "From here on" in fight_path(file).read_text(encoding="utf-8")


def test_a_fight_whose_encounter_was_edited_since_is_said(opened, file):
    document = opened()
    begin(document)
    document.save()
    document.close()
    file.write_text(TEXT.replace("ac = 15", "ac = 12"), encoding="utf-8")
    again = opened()
    assert said_of_the_fight(again) == ["of"]
    assert again.encounter.need(Clock, "clock").phase == "rounds"


def test_what_cannot_be_opened_says_why_and_holds_no_lock(opened, file):
    file.write_text('format = 3\ncolour = 3\nsystem = "a6e"\n[roster.x]\ncount = "two"\n', encoding="utf-8")
    with pytest.raises(OpenError) as refused:
        opened()
    assert [(finding.line, finding.severity) for finding in refused.value.findings] == [
        (3, "error"),
        (4, "error"),
        (5, "error"),
        (2, "warning"),
    ]
    assert "a6e" in str(refused.value)
    file.write_text(TEXT, encoding="utf-8")
    assert not opened().read_only


BROKEN = TEXT.replace("hp = 30", 'hp = "thirty" # as we agreed')


def test_a_record_that_cannot_be_read_stays_in_the_file(opened, file):
    file.write_text(BROKEN, encoding="utf-8")
    document = opened()
    assert document.encounter.get(Creature, "guard") is None
    assert [finding.key for finding in document.findings if finding.severity == "error"] == ["creatures.guard.hp"]
    document.do(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), title="The gate at night")))
    document.save()
    assert file.read_text(encoding="utf-8") == marked(BROKEN.replace('"The gate"', '"The gate at night"'))
    document.undo()
    document.save()
    assert file.read_text(encoding="utf-8") == BROKEN


def test_a_file_with_errors_is_not_opened_without_a_window(opened, file):
    file.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(OpenError):
        opened(locked=False)


def test_a_new_document_has_dice_of_its_own_and_no_path(systems, state, tmp_path):
    document, other = untitled_document(systems, state, title="New"), untitled_document(systems, state)
    assert document.encounter.need(Dice, "dice").seed != other.encounter.need(Dice, "dice").seed
    assert (document.path, document.title, document.is_modified) == (None, "New", False)
    with pytest.raises(NoPathError):
        document.save()
    document.do(Add((Creature("owl", "Owl"),)))
    document.save_as(tmp_path / "new.toml")
    assert not document.is_modified
    assert 'title = "New"' in (tmp_path / "new.toml").read_text(encoding="utf-8")
    document.close()
    other.close()
    assert list((state / "recovery").glob("*.log")) == []


def test_saving_as_takes_the_fight_along(opened, file, tmp_path):
    document = opened()
    begin(document)
    other = tmp_path / "other.toml"
    fight_path(other).write_text("old", encoding="utf-8")
    document.save_as(other)
    assert other.read_text(encoding="utf-8") == TEXT
    assert not fight_path(file).exists()
    document.close()
    assert opened(other, seed=None).encounter == document.encounter


def test_a_title_follows_the_scene_and_then_the_file(opened, file):
    document = opened()
    assert document.title == "The gate"
    scene = document.encounter.need(Scene, "scene")
    document.do(Edit(msgspec.structs.replace(scene, title="")))
    assert document.title == "gate"


def test_a_picture_goes_with_an_encounter_that_is_saved_elsewhere(tmp_path):
    (tmp_path / "yard.png").write_bytes(b"\x89PNG\r\n\x1a\n....")
    file = tmp_path / "yard.toml"
    file.write_text('format = 3\nsystem = "a5e"\n\n[map]\ncolumns = 4\nrows = 4\npicture = { file = "yard.png" }\n')
    document = open_document(file, RuleSystems(), tmp_path / "state")
    (tmp_path / "other").mkdir()
    document.save_as(tmp_path / "other" / "yard.toml")
    document.close()
    assert (tmp_path / "other" / "yard.png").read_bytes() == (tmp_path / "yard.png").read_bytes()
