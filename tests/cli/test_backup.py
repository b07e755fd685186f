"""`turnwright backup` and `turnwright restore`."""

from __future__ import annotations

import pytest

from turnwright.workspace.settings import HOME, folders


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


def test_backup_and_restore(run, file, tmp_path):
    library = folders().library
    run("export", file, "-o", library, "--format", "toml")
    ran = run("backup", tmp_path / "b.zip")
    assert (ran.code, ran.out) == (0, f"2 files in {tmp_path / 'b.zip'}\n")
    ran = run("restore", tmp_path / "b.zip")
    assert ran.code == 0
    assert str(library) in ran.out
    assert len(list(library.rglob("*.toml"))) == 2
    ran = run("restore", file)
    assert ran.code == 1
    assert "nothing was changed" in ran.err
