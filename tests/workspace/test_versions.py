"""The program's log, and the privacy of the folder that it lies in."""

import os
import stat
import subprocess
import sys

import pytest

from turnwright.storage.atomic import make_private
from turnwright.workspace.locks import DocumentLock
from turnwright.workspace.versions import MOST, LogFile


def mode(folder):
    return stat.S_IMODE(folder.stat().st_mode)


def test_entries_have_their_time_and_process(tmp_path):
    log = LogFile(tmp_path / "state")
    assert log.write("Started\n")
    assert log.write("Uncaught \udcff")
    lines = log.path.read_text(encoding="utf-8").splitlines()
    assert [line.partition("] ")[2] for line in lines] == ["Started", "Uncaught \\udcff"]
    assert all(f"UTC [{os.getpid()}]" in line for line in lines)


def test_a_full_log_is_kept_once_and_another_begun(tmp_path):
    log = LogFile(tmp_path)
    for number in range(3):
        log.path.write_text(f"{number}" * (MOST + 1))
        log.write("the next")
    assert log.path.read_text().endswith("the next\n")
    assert len(log.path.read_text()) < 100
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["turnwright.log", "turnwright.log.1"]
    assert (tmp_path / "turnwright.log.1").read_text().startswith("2")


def test_a_log_that_cannot_be_written_is_no_fault(tmp_path):
    (tmp_path / "file").write_text("")
    assert not LogFile(tmp_path / "file").write("lost")


def test_a_full_log_that_cannot_be_renamed_grows_no_further(tmp_path):
    log = LogFile(tmp_path)
    log.path.write_text("x" * (MOST + 1))
    (tmp_path / "turnwright.log.1").mkdir()
    assert not log.write("one more")
    assert log.path.stat().st_size == MOST + 1


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_the_folders_of_state_are_private(tmp_path):
    lock = DocumentLock(tmp_path / "state" / "recovery", "one")
    lock.acquire()
    lock.release()
    assert (mode(tmp_path / "state"), mode(tmp_path / "state" / "recovery")) == (0o700, 0o700)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_folder_that_others_could_look_into_is_closed(tmp_path):
    old = tmp_path / "state"
    old.mkdir()
    old.chmod(0o755)
    make_private(old)
    assert mode(old) == 0o700


def test_a_crash_leaves_its_stack_in_the_log(tmp_path):
    code = (
        "import ctypes, sys; from pathlib import Path; from turnwright.ui.application.crash_handler import ExceptionHook;"
        "from turnwright.workspace.versions import LogFile;"
        "hook = ExceptionHook(LogFile(Path(sys.argv[1])), print); hook.install(); hook.begin_log();"
        "ctypes.string_at(0)"
    )
    ran = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    log = (tmp_path / "turnwright.log").read_text()
    assert "Started: turnwright" in log
    assert "string_at" in log
