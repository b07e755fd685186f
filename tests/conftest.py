"""What every test has: an offscreen Qt, folders of its own instead of the person's, and real data where there is some.

`TURNWRIGHT_DATA` says where the real files of other programs are; tests that want them are skipped where they are not.
"""

from __future__ import annotations

import gc
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.effort import PROFILE

# Before pytest-qt imports Qt; a person who wants to watch sets another one.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

pytest_plugins = ["pytester", "tests.plugins.memory", "tests.plugins.rules", "tests.plugins.tiers"]

ROOT = Path(__file__).resolve().parent.parent
REAL_DATA = Path(os.environ.get("TURNWRIGHT_DATA") or ROOT.parent / "shared" / "data")

# What is imported and collected stays to the end: looking through it again and again took a fifth of the time.
gc.disable()
gc.set_threshold(20_000, 20, 20)

settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(PROFILE)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Let workers collect one after another in a fresh clone: the first writes the bytecode that all need.

    Without bytecode, collecting takes four times as long.
    """
    is_compiled = any((ROOT / "tests" / "__pycache__").glob("test_samples.*.pyc"))
    if is_compiled or sys.platform == "win32" or not hasattr(session.config, "workerinput"):
        return (yield)
    import fcntl

    with Path(__file__).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return (yield)


def pytest_collection_finish() -> None:
    """Leave what was collected out of the collector's sight, and let it work from now on."""
    gc.freeze()
    gc.enable()


class Homes:
    """Empty folders, each of them until a test has left something in it: most tests leave nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder  # numbered here, for pytest reads a whole folder to find the next number
        self._numbers = itertools.count()
        self._last = self._new()

    def empty(self) -> Path:
        """Return an empty folder."""
        with os.scandir(self._last) as entries:
            if any(entries):
                self._last = self._new()
        return self._last

    def _new(self) -> Path:
        home = self._folder / str(next(self._numbers))
        home.mkdir()
        return home


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    return Homes(tmp_path_factory.mktemp("homes"))


@pytest.fixture(autouse=True)
def own_folders(homes: Homes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home of its own, so that no settings, recovery logs or libraries of the person are touched."""
    home = homes.empty()
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    return home


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of the checkout."""
    return ROOT


@pytest.fixture
def real_data() -> Path:
    """Return the folder of real files of other programs, or skip and say so."""
    if not REAL_DATA.is_dir():
        pytest.skip("no real data: TURNWRIGHT_DATA does not name a folder")
    return REAL_DATA
