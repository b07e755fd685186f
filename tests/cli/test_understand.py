"""`turnwright understand`: what it says, what it writes, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TROLL = {
    "Name": "Bog Troll",
    "Type": "Large giant",
    "HP": {"Value": 60},
    "AC": {"Value": 13},
    "Traits": [{"Name": "Regeneration", "Content": "The troll regains 10 hit points at the start of its turn."}],
}


@pytest.fixture
def imported(run, tmp_path):
    """A folder with an imported troll, as it was before the catalogue was there."""
    source = tmp_path / "theirs.json"
    source.write_text(json.dumps([TROLL]), encoding="utf-8")
    run("import", source, "--into", tmp_path / "in")
    file = tmp_path / "in" / "theirs" / "bog-troll.toml"
    lines = file.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(("trigger", "heals", "automation", "read"))]
    file.write_text("\n".join(["# mine", *kept, ""]), encoding="utf-8")
    return file


def test_a_check_says_what_would_change_and_writes_nothing(run, imported):
    before = imported.read_bytes()
    ran = run("understand", imported.parent, "--check")
    assert (ran.code, ran.err) == (1, "")
    assert "Bog Troll: Regeneration: whole: regeneration" in ran.out
    assert "1 feature of 1 creature would change" in ran.out
    assert imported.read_bytes() == before


def test_it_writes_the_fields_keeps_the_rest_and_the_file_before(run, imported):
    before = imported.read_bytes()
    ran = run("understand", imported.parent)
    assert (ran.code, ran.err) == (0, "")
    text = imported.read_text("utf-8")
    assert text.startswith("# mine\n")
    assert 'trigger = "turn-start"' in text
    assert 'heals = "10"' in text
    aside = ran.out.splitlines()[-1].removeprefix("the previous files are in ")
    assert (Path(aside) / "bog-troll.toml").read_bytes() == before
    again = run("understand", imported.parent, "--check")
    assert (again.code, again.out) == (0, "0 features of 0 creatures would change\n")


def test_what_a_person_entered_stays(run, imported):
    with imported.open("a", encoding="utf-8") as file:
        file.write('heals = "3"\ntrigger = "turn-end"\n')
    assert run("understand", imported.parent, "--check").code == 0


def test_a_tables_own_entries_come_first_and_its_mistakes_are_told(run, imported, tmp_path):
    system = "a5e" if 'system = "a5e"' in imported.read_text("utf-8") else "dnd5e"
    own = tmp_path / "in" / f"{system}.traits.toml"
    head = f'format = 3\nkind = "traits"\nsystem = "{system}"\n[traits.slow-healing]\n'
    matches = 'matches = ["{it} regains {n} hit points at the start of its turn"]\n'
    own.write_text(f'{head}{matches}gives = {{ automation = "asks" }}\n', encoding="utf-8")
    assert "Regeneration: whole: slow-healing" in run("understand", imported.parent, "--check").out
    own.write_text(f'{head}{matches}gives = {{ plaays = "asks" }}\n', encoding="utf-8")
    ran = run("understand", imported.parent, "--check")
    assert ran.code == 1
    assert f"{own}:6: traits.slow-healing.gives.plaays: unknown feature field" in ran.err


def test_no_folder_is_an_error(run, tmp_path):
    assert run("understand", tmp_path / "none").code == 1
