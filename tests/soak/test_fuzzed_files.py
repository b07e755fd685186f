"""Damaged files, thousands of every kind: each is refused in words or opens, within seconds and half a gigabyte.

`TURNWRIGHT_FUZZ=minutes` says how long each kind is tried, beyond its cases; a failure names the seed of its case.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from tests.soak.fuzz_readers import READERS

resource = pytest.importorskip("resource", reason="Windows has no limits of this kind")

CASES = 20  # of each share, where no time is named
SECONDS = 10  # of the processor's time, where a case takes milliseconds
MEGABYTES = 500
MINUTES = float(os.environ.get("TURNWRIGHT_FUZZ") or 0)
FIRST = int(os.environ.get("TURNWRIGHT_FUZZ_SEED") or 0)


class TooLong(BaseException):
    """Raised in a case that takes too long; no reader catches it."""


@contextmanager
def limit() -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seeds(share: int) -> Iterator[int]:
    end = time.process_time() + MINUTES * 60
    number = FIRST
    while number - FIRST < CASES * share or time.process_time() < end:
        yield number
        number += 1


def megabytes(*, anew: bool = False) -> float:
    """Return the most memory that was held so far, or what is held now and counts anew."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if anew:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) / 1024


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_refused_or_open(name: str, tmp_path: Path):
    share, sample, read = READERS[name]
    opened, count, most = 0, 0, 0.0
    for seed in seeds(share):
        case = sample(Random(seed))
        before = megabytes(anew=True)
        try:
            with limit():
                opened += read(case, tmp_path / "case")
        except BaseException as error:
            raise AssertionError(f"{name}: case {seed}: {error!r}") from error
        most = max(most, megabytes() - before)
        assert most < MEGABYTES, f"{name}: case {seed}"
        count += 1
    print(f"{name}: {count} cases, {opened} opened, at most {most:.0f} MB for one")
    assert 0 < opened < count
