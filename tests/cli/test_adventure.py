"""`turnwright adventure`, and the packet of `turnwright handout`: exit codes and messages."""

from __future__ import annotations

import pytest

from turnwright.workspace.settings import HOME, folders

PLAN = (
    'format = 3\nkind = "adventure"\nsystem = "a5e"\ntitle = "Ice"\nparty = "us"\n[[steps]]\nencounter = "ice.toml"\n'
)


@pytest.fixture
def plan(file, tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    path = tmp_path / "trip" / "adventure.toml"
    path.parent.mkdir()
    path.write_text(PLAN, encoding="utf-8")
    (path.parent / "ice.toml").write_bytes(file.read_bytes())
    return path


def test_an_adventure_is_exported_imported_and_listed(run, plan, tmp_path):
    assert run("adventure", "list").code == 1
    exported = run("adventure", "export", plan, "-o", tmp_path / "ice.zip", "--with-party")
    assert (exported.code, exported.lines) == (0, [f"2 files in {tmp_path / 'ice.zip'}"])
    assert "the party isn't in your library" in exported.err
    new = folders().adventures / "ice" / "adventure.toml"
    assert run("adventure", "import", tmp_path / "ice.zip").lines == [str(new)]
    assert run("adventure", "list").lines == [f"{new}: Ice"]


def test_a_zip_that_isnt_one_changes_nothing(run, plan, tmp_path):
    ran = run("adventure", "import", plan)
    assert (ran.code, ran.err.count("nothing was changed")) == (1, 1)
    (tmp_path / "bad.toml").write_text("format = 3\n", encoding="utf-8")
    assert run("adventure", "export", tmp_path / "bad.toml", "-o", tmp_path / "x.zip").code == 1


def test_a_packet_is_printed(run, plan, tmp_path):
    ran = run("handout", plan, "-o", tmp_path / "ice.pdf", "--kind", "stat-blocks")
    assert (ran.code, ran.err, ran.lines) == (0, "", [str(tmp_path / "ice.pdf")])
    plan.write_text(PLAN.replace("ice.toml", "gone.toml"), encoding="utf-8")
    ran = run("handout", plan, "-o", tmp_path / "gone.pdf")
    assert ran.code == 1
    assert 'no file "gone.toml"' in ran.err
