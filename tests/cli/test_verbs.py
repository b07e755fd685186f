"""`turnwright check` and `odds`, the ways of asking wrongly, and that none of them needs Qt."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.conftest import TEXT
from turnwright import __version__

# Dice: rolls on average at slow, medium and fast, as the table of the game gives them.
TABLE = {
    1: (6, 3, 2),
    2: (9, 4, 3),
    3: (11, 5, 3),
    4: (12, 6, 4),
    5: (13, 6, 4),
    6: (14, 7, 4),
    7: (15, 7, 4),
    8: (15, 7, 4),
    9: (16, 7, 5),
    10: (17, 8, 5),
}
CELLS = [
    pytest.param(dice, speed, figure, marks=pytest.mark.rule(f"a5e.countdown.table.{dice}d6"))
    for dice, row in TABLE.items()
    for speed, figure in zip(("slow", "medium", "fast"), row, strict=True)
]


@pytest.mark.parametrize(("dice", "speed", "figure"), CELLS)
def test_odds_give_every_figure_of_the_countdown_table(run, dice, speed, figure):
    ran = run("odds", "countdown", "--dice", dice, "--speed", speed, "--json")
    odds = json.loads(ran.out)
    assert ran.code == 0
    assert round(odds["mean"]) == figure


def test_countdown_odds_begin_at_round_1_and_end_where_nothing_remains(run):
    odds = json.loads(run("odds", "countdown", "--dice", 1, "--speed", "slow", "--json").out)
    assert odds["pmf"][:2] == pytest.approx([1 / 6, 5 / 36])
    assert odds["cdf"][1] == pytest.approx(11 / 36)
    assert 1 - 1e-12 < odds["cdf"][-1] <= 1
    assert (5 / 6) ** (len(odds["cdf"]) - 1) > 1e-12
    assert odds["quantiles"]["50"] == 4


def test_a_face_can_be_named_instead_of_a_speed(run):
    by_face = json.loads(run("odds", "countdown", "--dice", 3, "--face", 5, "--json").out)
    assert by_face == json.loads(run("odds", "countdown", "--dice", 3, "--speed", "medium", "--json").out)
    assert "3d6" in run("odds", "countdown", "--dice", 3).out


def test_odds_of_a_roll(run):
    odds = json.loads(run("odds", "roll", "2d6+3", "--json").out)
    assert (odds["mean"], odds["min"], odds["max"]) == (pytest.approx(10), 5, 15)
    assert odds["distribution"]["10"] == pytest.approx(1 / 6)
    assert len(run("odds", "roll", "1d20+5 adv").lines) == 21


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "countdown", "--dice", 0),
        ("odds", "countdown", "--dice", 5, "--speed", "sluggish"),
        ("odds", "countdown", "--dice", 5, "--system", "chess"),
        ("odds", "countdown"),
        ("odds", "roll", "2d6 +"),
        ("odds",),
        ("check",),
        ("play", "x.toml"),
        ("screenshot", "x.toml", "-o", "x.png", "--size", "big"),
        ("--sideways",),
    ],
)
def test_bad_usage_is_said_with_2(run, arguments):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_version_and_help(run):
    assert run("--version").out == f"turnwright {__version__}\n"
    assert "turnwright check FILE" in run("--help").out


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
        [f"{gone}:1", "there is no such file"],
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


def test_no_verb_without_a_window_imports_qt(file, tmp_path, repository):
    script = tmp_path / "script.txt"
    script.write_text("start\nsave\n")
    code = f"""
import sys
from turnwright.cli import main
assert main(["check", {str(file)!r}]) == 0
assert main(["odds", "roll", "2d6+3"]) == 0
assert main(["odds", "countdown", "--dice", "5"]) == 0
assert main(["play", {str(file)!r}, "--script", {str(script)!r}]) == 0
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("PySide6", "pyqtgraph", "tomlkit")))
"""
    environment = os.environ | {"PYTHONPATH": str(repository / "desktop"), "TURNWRIGHT_HOME": str(tmp_path / "home")}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert ran.stderr == ""
    assert ran.stdout.splitlines()[-1] == "[]"


def test_python_m_turnwright_is_the_same_program(repository):
    environment = os.environ | {"PYTHONPATH": str(repository / "desktop")}
    command = [sys.executable, "-m", "turnwright", "odds", "roll", "1d2", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (ran.returncode, json.loads(ran.stdout)["distribution"]) == (0, {"1": 0.5, "2": 0.5})


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
    worth = f"{file}: 150 XP, less than easy for 3 of level 3; no level or rating: Thing\n"
    assert run("check", file) == (0, worth, "")
    newer = "[scene]\noptions = ['budget-2024']\n\n[creatures.ann]"
    file.write_text(text.replace("[creatures.ann]", newer, 1).replace('"1/8"', '"1"'))
    assert run("check", file).out == f"{file}: 600 XP, moderate for 3 of level 3; no level or rating: Thing\n"
