"""The library of compiled kernels is used if it fits the source, made beside the program in a checkout, or left out."""

from __future__ import annotations

import subprocess
import sys
from shutil import copy

import pytest

from turnwright.battlemap.compiled import PLAIN, Kernels
from turnwright.forecast.compiled import FightLoop
from turnwright.workspace import kernel_library
from turnwright.workspace.kernel_library import KernelLibrary, await_kernels, library_file, library_name


@pytest.fixture
def compiled():
    """The library of this checkout."""
    assert await_kernels()
    path = library_file(kernel_library.kernel_library().folder)
    assert path is not None
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, and a program in which no kernels are compiled."""
    assert await_kernels()  # before: the others in this process use them
    kernels, loop = Kernels(), FightLoop()
    monkeypatch.setattr(kernel_library, "shared", lambda: kernels)
    monkeypatch.setattr("turnwright.forecast.compiled.fight_loop", lambda: loop)
    return tmp_path


@pytest.fixture
def steps(folder, monkeypatch):
    """The processes that are started, which end at once."""
    started = []

    class Process:
        def __init__(self, command, **_):
            started.append([str(word) for word in command])

        def poll(self):
            return 1

    monkeypatch.setattr(subprocess, "Popen", Process)
    return started


def is_plain():
    return kernel_library.shared().current is PLAIN


def library(folder, script="none"):
    return KernelLibrary(folder, folder / script)


def test_a_library_of_this_source_is_used(folder, compiled):
    copy(compiled, folder)
    one = library(folder)
    assert one.load()
    assert not is_plain()
    assert one.load()


def test_there_may_be_none(folder):
    assert not library(folder / "nowhere").load()
    assert is_plain()


@pytest.mark.parametrize("kept", [0, 100, 5000, -1])
def test_a_damaged_library_is_left_out(folder, compiled, kept):
    (folder / compiled.name).write_bytes(compiled.read_bytes()[:kept])
    assert not library(folder).load()
    assert is_plain()


def test_a_library_of_another_source_is_left_out(folder, compiled):
    copy(compiled, folder / library_name(compiled.read_bytes(), "0" * 8))
    assert not library(folder).load()


@pytest.mark.parametrize("content", [b"", b"\x7fELF" + bytes(5000), b"something else"])
def test_what_the_system_does_not_load_is_left_out(folder, content):
    (folder / library_name(content, kernel_library.edition())).write_bytes(content)
    assert not library(folder).load()
    assert is_plain()


def test_a_library_without_the_kernels_is_left_out(folder, compiled):
    content = compiled.read_bytes().replace(b"\0seen_squares\0", b"\0seen_triples\0")
    (folder / library_name(content, kernel_library.edition())).write_bytes(content)
    assert not library(folder).load()
    assert is_plain()


def test_the_libraries_of_another_build_of_python_are_left_out(folder, compiled, monkeypatch):
    copy(compiled, folder)
    monkeypatch.setattr(kernel_library, "HEADER", 32)
    assert not library(folder).load()


def test_a_program_without_its_source_uses_what_it_came_with(folder, compiled, monkeypatch):
    copy(compiled, folder)
    monkeypatch.setattr(kernel_library, "edition", lambda: "*")
    assert library(folder).load()


def test_the_edition_changes_with_the_source(tmp_path, monkeypatch):
    before = kernel_library.edition.__wrapped__()
    for name in kernel_library.SOURCES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(kernel_library.PACKAGE / name, tmp_path / name)
    monkeypatch.setattr(kernel_library, "PACKAGE", tmp_path)
    assert kernel_library.edition.__wrapped__() == before
    with (tmp_path / "forecast" / "policy.py").open("a", encoding="utf-8") as file:
        file.write("# more\n")
    assert kernel_library.edition.__wrapped__() != before
    (tmp_path / "forecast" / "policy.py").unlink()
    assert kernel_library.edition.__wrapped__() == "*"


def test_a_checkout_compiles_once(steps, folder):
    (folder / "script").touch()
    one = library(folder, "script")
    assert [*one.compile()] == []
    assert [*one.compile()] == []
    assert steps == [[sys.executable, str(folder / "script"), "--into", str(folder)]]
    assert is_plain()


def test_nothing_is_compiled_where_the_library_is_there(steps, folder, compiled):
    copy(compiled, folder)
    (folder / "script").touch()
    assert [*library(folder, "script").compile()] == []
    assert steps == []
    assert not is_plain()


def test_nothing_is_compiled_without_numba_or_outside_a_checkout(steps, folder, monkeypatch):
    assert [*library(folder).compile()] == []
    (folder / "script").touch()
    monkeypatch.setattr(kernel_library, "find_spec", lambda _: None)
    assert [*library(folder, "script").compile()] == []
    assert steps == []


def test_a_process_that_does_not_start_changes_nothing(folder, monkeypatch):
    def fails(*_args, **_options):
        raise OSError

    monkeypatch.setattr(subprocess, "Popen", fails)
    (folder / "script").touch()
    assert [*library(folder, "script").compile()] == []
    assert is_plain()


def test_progress_is_told_until_the_library_is_there(folder, compiled, monkeypatch):
    monkeypatch.setattr(kernel_library, "PAUSE", 0.01)
    (folder / "script").write_text(
        "import pathlib, shutil, sys, time\n"
        f"folder, made = pathlib.Path(sys.argv[2]), {str(compiled)!r}\n"
        "(folder / 'progress').write_text('40')\n"
        "time.sleep(0.5)\n"
        "shutil.copy(made, folder)\n",
        encoding="utf-8",
    )
    seen = [*library(folder, "script").compile()]
    assert seen == sorted(seen)
    assert {*seen} <= {0, 40}
    assert seen[-1] == 40
    assert not is_plain()
