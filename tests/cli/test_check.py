"""`turnwright check`: every finding of every file, and the budget of an encounter."""

from __future__ import annotations

import json

from tests.cli.conftest import TEXT


def test_check_is_silent_about_sound_files(run, file, repository):
    shipped = sorted((repository / "resources" / "library" / "a5e").glob("*.toml"))[:3]
    assert run("check", file, *shipped) == (0, "", "")


def test_check_says_every_finding_of_every_file_with_its_line(run, file, tmp_path):
    broken, creature, gone = tmp_path / "broken.toml", tmp_path / "owl.toml", tmp_path / "gone.toml"
    broken.write_text(TEXT.replace("hp = 12", "hp = -2").replace("count = 2", 'count = "two"'), encoding="utf-8")
    creature.write_text('format = 1\nkind = "creature"\nsystem = "a5e"\nid = "owl"\nname = 3\n', encoding="utf-8")
    ran = run("check", file, broken, creature, gone)
    assert (ran.code, ran.out) == (1, "")
    places = [line.split(": ")[:2] for line in ran.err.splitlines()]
    assert places == [
        [f"{broken}:7", "creatures.raider.hp"],
        [f"{broken}:24", "roster.raiders.count"],
        [f"{creature}:5", "name"],
        [f"{gone}:1", "file not found"],
    ]


def test_check_prints_findings_as_json(run, file, tmp_path):
    assert json.loads(run("check", file, "--json").out) == []
    ran = run("check", tmp_path / "gone.toml", "--json")
    (finding,) = json.loads(ran.out)
    assert ran.code == 1
    assert (finding["file"], finding["line"], finding["severity"]) == (str(tmp_path / "gone.toml"), 1, "error")


def test_check_looks_at_the_fight_beside_an_encounter(run, file):
    file.with_name("ice.fight.toml").write_text("clock = 3\n", encoding="utf-8")
    assert "ice.fight.toml:1: clock" in run("check", file).err


def test_check_says_what_an_encounter_is_worth_where_its_party_has_levels(run, tmp_path):
    file = tmp_path / "pit.toml"
    text = """\
format = 1
system = "dnd5e"

[creatures.ann]
name = "Ann"

[creatures.rat]
name = "Rat"
rating = "1/8"

[creatures.thing]
name = "Thing"

[roster.ann]
creature = "ann"
side = "party"
player = "Kim"
level = 3
count = 3

[roster.rats]
creature = "rat"
count = 3

[roster.thing]
creature = "thing"
"""
    file.write_text(text)
    worth = f"{file}: 150 XP, less than easy for 3 of level 3; without a level or rating: Thing\n"
    assert run("check", file) == (0, worth, "")
    newer = "[scene]\noptions = ['budget-2024']\n\n[creatures.ann]"
    file.write_text(text.replace("[creatures.ann]", newer, 1).replace('"1/8"', '"1"'))
    assert run("check", file).out == f"{file}: 600 XP, moderate for 3 of level 3; without a level or rating: Thing\n"


def test_check_looks_up_the_ids_of_a_library_file_in_its_game(run, tmp_path):
    file = tmp_path / "owl.toml"
    text = 'format = 1\nkind = "creature"\nsystem = "a5e"\nid = "owl"\nname = "Owl"\nresistances = ["cold"]\n'
    file.write_text(text, encoding="utf-8")
    assert run("check", file).code == 0
    file.write_text(text.replace('["cold"]', '["cold", "fier"]'), encoding="utf-8")
    wanted = f"{file}:6: resistances[2]: A5E: unknown damage type 'fier' (did you mean 'fire'?); kept\n"
    assert run("check", file) == (1, "", wanted)
