"""`turnwright report`: the report of the fight that is saved beside an encounter."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.handouts.sample_pages import text_of
from turnwright.storage.resources import sample_encounters

BRIDGE = next(file for file in sample_encounters() if file.stem == "cold-ford-bridge")


@pytest.fixture
def fought(tmp_path, run):
    """A copy of a sample with a fight of one round beside it."""
    script, path = tmp_path / "fight.txt", tmp_path / "bridge.toml"
    script.write_text(
        "start\nbegin\ndamage mira 5 from captain\ndamage raiders-1 99 from mira\nsave\n", encoding="utf-8"
    )
    shutil.copy(BRIDGE, path)
    ran = run("play", path, "--script", script, "--seed", 7)
    assert ran.code == 0, ran.err
    return path


def test_it_says_who_dealt_and_took_what(run, fought):
    ran = run("report", fought)
    assert ran.code == 0
    assert ran.out.startswith("# Fight report: The bridge at Cold Ford\n\nThe fight took 1 round.")
    mira = next(line for line in ran.out.splitlines() if line.startswith("| Mira |"))
    assert mira.split(" | ")[1:4] == ["26", "5", "Raider 1"]


def test_json_has_every_figure(run, fought):
    found = json.loads(run("report", fought, "--json").out)
    captain = next(one for one in found["combatants"] if one["label"] == "Captain")
    assert (captain["dealt"], captain["party"]) == (5, False)
    assert found["course"][0]["fell"] == ["Raider 1"]


def test_for_players_it_leaves_out_the_figures_of_their_enemies(run, fought):
    found = json.loads(run("report", fought, "--players", "--json").out)
    others = {one["label"]: one["dealt"] for one in found["combatants"] if not one["party"]}
    assert (others["Creature 1"], "Captain" in others) == (0, False)
    assert found["course"][0]["others"] is None
    assert run("report", fought, "--players").out.startswith("# Fight report: Encounter\n")  # a title may spoil it


def test_it_is_printed_for_the_game_master_and_for_the_players(run, fought, tmp_path):
    for edition in ("game-master", "players"):
        out = tmp_path / f"{edition}.pdf"
        ran = run("handout", fought, "-o", out, "--kind", "fight-report", "--edition", edition, "--json")
        assert (ran.code, json.loads(ran.out)["kinds"]) == (0, ["fight-report"])
        assert out.read_bytes().startswith(b"%PDF")
        assert (b"Cold Ford" in out.read_bytes()) == (edition == "game-master")
    ran = run("handout", BRIDGE, "-o", tmp_path / "none.pdf", "--kind", "fight-report", "--json")
    assert (ran.code, json.loads(ran.out)["empty"]) == (1, ["fight-report"])


def test_without_a_fight_it_says_so(run):
    ran = run("report", BRIDGE)
    assert ran.code == 1
    assert ran.err.endswith("contains no fight\n")


def test_the_state_of_the_fight_is_printed_if_asked_for(run, play, file, tmp_path):
    """A sample's sheet takes 500 MB."""
    assert play("start\nbegin\ndamage mira 5 from raiders-1\nsave\n").code == 0
    for option, is_told in ((("--now",), True), ((), False)):
        out = tmp_path / f"sheet{len(option)}.pdf"
        assert run("handout", file, "-o", out, "--kind", "running-sheet", *option).code == 0
        assert ("35/40" in text_of(out.read_bytes())) == is_told
