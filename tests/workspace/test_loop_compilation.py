"""The forecast's loop is compiled by a process beside the window, where it isn't in the cache yet."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from turnwright.compilation import edition_of
from turnwright.forecast.compiled import MODULES, FightLoop
from turnwright.workspace import loop_compilation


@pytest.fixture
def steps(monkeypatch, tmp_path):
    """What is done one after another, with a cache that is empty."""
    done = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(loop_compilation, "fight_loop", FightLoop)
    monkeypatch.setattr(FightLoop, "warm", lambda self: done.append("loaded") or True)
    monkeypatch.setattr(loop_compilation, "find_spec", lambda name: SimpleNamespace(name=name))
    monkeypatch.setattr(subprocess, "run", lambda command, **_: done.append(command[-1]))
    return done


def test_a_process_of_its_own_compiles_before_the_window_loads(steps):
    assert loop_compilation.warm_beside()
    assert steps == [loop_compilation.OPTION, "loaded"]


def test_what_is_in_the_cache_is_loaded_at_once(steps, tmp_path):
    (tmp_path / "forecast").mkdir()
    (tmp_path / "forecast" / f"kernel.play_fights-{edition_of(MODULES)}-1.py311.nbi").touch()
    assert loop_compilation.warm_beside()
    assert steps == ["loaded"]


def test_what_is_in_the_cache_from_another_version_is_not_enough(steps, tmp_path):
    (tmp_path / "kernel.play_fights-00000000-1.py311.nbi").touch()
    loop_compilation.warm_beside()
    assert steps == [loop_compilation.OPTION, "loaded"]


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.TimeoutExpired("x", 1)])
def test_where_no_process_can_be_had_it_is_compiled_here(steps, monkeypatch, error):
    def fails(*_args, **_options):
        raise error

    monkeypatch.setattr(subprocess, "run", fails)
    assert loop_compilation.warm_beside()
    assert steps == ["loaded"]


def test_no_process_is_started_without_numba(steps, monkeypatch):
    monkeypatch.setattr(loop_compilation, "find_spec", lambda _: None)
    loop_compilation.warm_beside()
    assert steps == ["loaded"]
