"""Whole processes with windows: several files at once, and a file that is open already."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import pytest

from turnwright.workspace.locks import lock_name

PATIENCE = 60


@pytest.fixture
def start(repository, tmp_path):
    """Start the program with files; what still runs at the end is ended."""
    environment = os.environ | {
        "PYTHONPATH": str(repository / "desktop"),
        "TURNWRIGHT_HOME": str(tmp_path / "home"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    processes = []

    def started(*files):
        command = [sys.executable, "-m", "turnwright", *map(str, files)]
        processes.append(subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL))
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.wait()


def window_of(file, home):
    """Return the process whose window has a file open, once there is one."""
    presence = home / "state" / "requests" / f"{lock_name(file)}.window"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if presence.exists() and presence.read_text():
            return int(presence.read_text())
        time.sleep(0.05)
    raise AssertionError(f"no window has {file.name}")


def test_several_files_get_windows_of_their_own_and_none_gets_two(start, file, tmp_path):
    home, other = tmp_path / "home", tmp_path / "other.toml"
    shutil.copy(file, other)
    first = start("ice.toml", other)
    assert window_of(file, home) == first.pid
    second = window_of(other, home)
    try:
        assert second != first.pid
        assert start(other, file).wait(PATIENCE) == 0
        assert first.poll() is None
    finally:
        os.kill(second, 9)
