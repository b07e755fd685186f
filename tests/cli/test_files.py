"""`turnwright import`: foreign files into a folder of the library, with a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.characters import BUILD
from turnwright.encounter.prepared import Creature
from turnwright.storage.library.entries import read_library_file
from turnwright.workspace.settings import HOME

GOBLIN = {"Name": "Gob\x1b[31mlin", "HP": {"Value": 7}, "AC": {"Value": 15}, "Speed": ["30 ft."], "Challenge": "1/4"}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps([GOBLIN, {"Name": "Odd", "HP": {"Value": "?"}}]), encoding="utf-8")
    return path


def test_import_says_what_came_in_and_what_could_not_be_read(run, theirs, tmp_path):
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "1 creature (dnd5e)"
    assert ran.out.splitlines()[-1] == str(tmp_path / "in" / "theirs")
    assert "Odd: " in ran.err
    assert "\x1b" not in ran.out + ran.err


def test_import_as_json_has_every_record_and_report(run, theirs, tmp_path):
    ran = run("import", theirs, "--into", tmp_path / "in", "--json", "--system", "a5e")
    found = json.loads(ran.out)
    assert [one["system"] for one in found["placed"]] == ["a5e"]
    assert [one["record"] for one in found["unread"]] == ["Odd"]


def test_imported_characters_join_a_party_or_become_creatures(run, tmp_path):
    for name, levels in (("ansa", 4), ("bela", 6)):
        text = json.dumps({"build": BUILD | {"name": name.title(), "level": levels}})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    ran = run("import", tmp_path / "ansa.json", "--into", tmp_path / "in", "--party", "The Delvers")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "1 character (pf2e)")
    assert ran.out.splitlines()[-1] == str(tmp_path / "in" / "the-delvers.toml")
    assert (
        'Ansa: The entry "Dagger: attack" is missing in the file; worked out from level 4, expert, Strength +4'
        in ran.out
    )
    run("import", tmp_path / "bela.json", "--into", tmp_path / "in", "--party", "The Delvers")
    assert list((tmp_path / "home").rglob("the-delvers.toml"))  # the old version is in the backups
    (file,) = (tmp_path / "in").rglob("*.toml")
    party, _ = read_library_file(file)
    assert (party.name, [one.name for one in party.roster if one.role == "character"]) == ("The Delvers", ["", ""])
    assert [(one.name, one.level) for one in party.creatures if one.level] == [("Ansa", 4), ("Bela", 6)]
    run("import", tmp_path / "ansa.json", "--into", tmp_path / "in", "--as-creatures", "--again", "both")
    creature, _ = read_library_file(tmp_path / "in" / "ansa" / "ansa.toml")
    assert isinstance(creature, Creature)


def test_import_into_what_is_no_folder_says_so(run, theirs, tmp_path):
    (tmp_path / "in").write_text("x", encoding="utf-8")
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing was imported" in ran.err


def test_import_by_rules_that_nobody_knows_is_bad_usage(run, theirs, tmp_path):
    assert run("import", theirs, "--into", tmp_path, "--system", "chess").code == 2


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*.toml")}


def test_importing_again_keeps_nothing_double_and_says_what_is_the_same(run, theirs, tmp_path):
    run("import", theirs, "--into", tmp_path / "in")
    before = files(tmp_path / "in")
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert ran.out.splitlines() == ["compared with the last import: 1 unchanged", "nothing was imported"]
    assert files(tmp_path / "in") == before
    ran = run("import", theirs, "--into", tmp_path / "in", "--again", "both")
    assert ran.out.splitlines()[-1] == str(tmp_path / "in" / "theirs-2")


def test_what_has_changed_is_written_over_only_where_update_is_chosen(run, theirs, tmp_path):
    run("import", theirs, "--into", tmp_path / "in")
    before = files(tmp_path / "in")
    theirs.write_text(json.dumps([{**GOBLIN, "HP": {"Value": 9}}, {**GOBLIN, "Name": "Boss"}]), encoding="utf-8")
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert ran.out.splitlines()[:3] == [
        "compared with the last import: 1 new, 1 changed",
        "changed records were skipped; --again update overwrites them",
        "1 creature (dnd5e)",
    ]
    added = files(tmp_path / "in")
    assert added == {**before, "boss.toml": added["boss.toml"]}
    ran = run("import", theirs, "--into", tmp_path / "in", "--again", "update", "--json")
    found = json.loads(ran.out)
    assert found["counts"] == {"new": 0, "changed": 1, "same": 1, "edited": 0, "removed": 0}
    assert [one["state"] for one in found["placed"]] == ["changed"]
    assert b"hp = 9" in files(tmp_path / "in")[Path(found["placed"][0]["path"]).name]
    ((_, held),) = files(Path(found["written"][0]["aside"])).items()
    assert b"hp = 7" in held


def test_what_its_source_no_longer_has_is_listed(run, theirs, tmp_path):
    theirs.write_text(json.dumps([GOBLIN, {**GOBLIN, "Name": "Hob\x1b[31m"}]), encoding="utf-8")
    run("import", theirs, "--into", tmp_path / "in")
    theirs.write_text(json.dumps([GOBLIN]), encoding="utf-8")
    out = run("import", theirs, "--into", tmp_path / "in").out
    assert "1 kept, although no longer in the source: Hob" in out
    assert "\x1b" not in out


def test_an_import_is_taken_back_except_what_was_edited(run, theirs, tmp_path):
    theirs.write_text(json.dumps([GOBLIN, {**GOBLIN, "Name": "Hob"}]), encoding="utf-8")
    run("import", theirs, "--into", tmp_path / "in")
    folder = tmp_path / "in" / "theirs"
    (folder / "hob.toml").write_text((folder / "hob.toml").read_text("utf-8") + "# mine\n", encoding="utf-8")
    ran = run("undo-import", folder)
    assert (ran.code, ran.err) == (0, "")
    moved, kept = ran.out.splitlines()
    aside = Path(moved.removeprefix("1 file moved to "))
    assert len(list(aside.glob("*.toml"))) == 1
    assert kept == "Hob: kept, because you edited it"
    assert [path.name for path in folder.glob("*.toml")] == ["hob.toml"]


def test_a_folder_of_no_import_is_not_taken_back(run, tmp_path):
    ran = run("undo-import", tmp_path)
    assert ran.code == 1
    assert "is not the folder of an import" in ran.err


def test_a_report_stays_a_page(run, tmp_path):
    fields = {f"odd{chr(97 + n)}": n for n in range(20)}
    beasts = [
        {"index": f"b{n}", "name": f"Beast {n}", "hit_points": 4, "armor_class": 12, "strength": 9, **fields}
        for n in range(99)
    ]
    (tmp_path / "many.json").write_text(json.dumps(beasts), encoding="utf-8")
    lines = run("import", tmp_path / "many.json", "--into", tmp_path / "in").out.splitlines()
    assert len(lines) < 60
    assert (
        '  99 records: The entry "oddb" is an unknown field; it is ignored (Beast 0, Beast 1, Beast 2 and 96 more).'
        in lines
    )
    assert "  and 1188 others, which --json lists" in lines
