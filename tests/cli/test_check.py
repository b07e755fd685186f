"""`turnwright check`: every finding of every file, and the budget of an encounter."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import TEXT
from turnwright.storage.resources import resource_path


def test_check_is_silent_about_sound_files(run, file, repository):
    shipped = sorted((repository / "resources" / "library" / "a5e").glob("*.toml"))[:3]
    assert run("check", file, *shipped) == (0, "", "")


def test_check_says_every_finding_of_every_file_with_its_line(run, file, tmp_path):
    broken, creature, gone = tmp_path / "broken.toml", tmp_path / "owl.toml", tmp_path / "gone.toml"
    broken.write_text(TEXT.replace("hp = 12", "hp = -2").replace("count = 2", 'count = "two"'), encoding="utf-8")
    creature.write_text('format = 3\nkind = "creature"\nsystem = "a5e"\nid = "owl"\nname = 3\n', encoding="utf-8")
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
format = 3
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
    text = 'format = 3\nkind = "creature"\nsystem = "a5e"\nid = "owl"\nname = "Owl"\nresistances = ["cold"]\n'
    file.write_text(text, encoding="utf-8")
    assert run("check", file).code == 0
    file.write_text(text.replace('["cold"]', '["cold", "fier"]'), encoding="utf-8")
    wanted = f"{file}:6: resistances[2]: A5E: unknown damage type 'fier' (did you mean 'fire'?); kept\n"
    assert run("check", file) == (1, "", wanted)


def test_check_checks_a_file_of_a_rule_system_with_the_others(run, tmp_path):
    for name in ("conditions.toml", "ledger.toml", "options.toml"):
        assert run("check", resource_path(f"systems/action_points/{name}")).code == 0
    shipped = resource_path("systems/dnd5e/conditions.toml").read_text(encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(shipped, encoding="utf-8")
    assert run("check", file).code == 0
    file.write_text(shipped.replace('what = "sight"', 'what = "sigth"', 1), encoding="utf-8")
    ran = run("check", file)
    assert ran.code == 1
    assert "unknown what can be denied 'sigth' (did you mean 'sight'?)" in ran.err
    file.write_text(shipped.replace('"dnd5e"', '"dnd5"', 1), encoding="utf-8")
    assert "(did you mean 'dnd5e'?)" in run("check", file).err


@pytest.mark.parametrize(
    ("name", "key", "right", "wrong"),
    [
        ("conditions.toml", "conditions.blinded.icon", "mdi6.eye-off", "mdi6.eye-of"),
        ("conditions.toml", "conditions.charmed.icon", "mdi6.heart", "heartt"),
        ("elsewhere.toml", "elsewhere.marks.hearing-limited.icon", "mdi6.ear-hearing-off", "mdi6.ear-haering-off"),
    ],
)
def test_check_names_the_nearest_icon(run, tmp_path, name, key, right, wrong):
    shipped = resource_path(f"systems/dnd5e/{name}").read_text(encoding="utf-8")
    file = tmp_path / name
    assert f'"{right}"' in shipped
    file.write_text(shipped.replace(f'"{right}"', f'"{wrong}"', 1), encoding="utf-8")
    line = file.read_text(encoding="utf-8").partition(wrong)[0].count("\n") + 1
    found = f"mdi6.{wrong.removeprefix('mdi6.')}"
    wanted = f"{file}:{line}: {key}: unknown icon {found!r} (did you mean {right!r}?)\n"
    assert run("check", file) == (1, "", wanted)
    file.write_text(shipped.replace(f'"{right}"', f'"{right.removeprefix("mdi6.")}"', 1), encoding="utf-8")
    assert run("check", file).code == 0


def test_check_checks_a_trait_catalogue_and_a_ledger(run, tmp_path):
    traits, ledger = tmp_path / "dnd5e.traits.toml", tmp_path / "ledger.toml"
    traits.write_text(
        'format = 3\nkind = "traits"\nsystem = "dnd5e"\n[traits.a]\nsays = ["{it} burns"]\ngives = { when = "prnoe" }\n',
        encoding="utf-8",
    )
    assert "traits.a.gives.when: unknown condition, gear or specialty 'prnoe'" in run("check", traits).err
    ledger.write_text('[[rule]]\nid = "a.b"\ntitel = "A"\n', encoding="utf-8")
    assert "unknown key (did you mean 'title'?)" in run("check", ledger).err
