"""`turnwright forecast`: an encounter's probable course, in sentences and as JSON."""

from __future__ import annotations

import json

import pytest

from turnwright.cli import forecast
from turnwright.storage.resources import sample_encounters

FILES = {file.stem: file for file in sample_encounters()}
BRIDGE = FILES["cold-ford-bridge"]


def test_it_says_who_wins_who_falls_and_what_is_left_out(run):
    ran = run("forecast", BRIDGE, "--fights", 2000)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("The party wins ")
    assert lines[1].startswith("With other tactics, ")
    assert " is the most likely to fall, in " in lines[2]
    assert any(line.startswith("  Mira ") and " down " in line for line in lines)
    assert any(line.startswith("Left out (") for line in lines)


def test_a_checkout_tells_how_far_the_loop_is_compiled(run, monkeypatch):
    monkeypatch.setattr(forecast, "compiled_kernels", lambda: iter((0, 0, 10, 40, 59, 80)))
    ran = run("forecast", BRIDGE, "--fights", 10)
    assert ran.err.splitlines() == [f"Compiling the simulation, once: {percent} %" for percent in (0, 40, 80)]
    assert ran.out.startswith("The party wins ")


def test_a_terminal_shows_the_seconds_that_compiling_takes(run, monkeypatch):
    times = iter((10.0, 10.5, 12.2, 14.9))
    monkeypatch.setattr(forecast, "compiled_kernels", lambda: iter((0, 0, 45)))
    monkeypatch.setattr(forecast, "monotonic", lambda: next(times))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    shown = run("forecast", BRIDGE, "--fights", 10).err.splitlines()
    assert shown == [f"Compiling the simulation, once: {part}" for part in ("0 %", "0 % · 2 s", "40 % · 4 s")]


def test_json_has_every_figure_and_the_same_seed_the_same_ones(run):
    first = run("forecast", BRIDGE, "--fights", 300, "--seed", 4, "--json").out
    found = json.loads(first)
    assert found["fights"] == 300
    assert found["won"]["low"] <= found["won"]["value"] <= found["won"]["high"]
    assert sum(found[one]["value"] for one in ("won", "lost", "undecided")) == pytest.approx(1)
    assert {one["label"] for one in found["combatants"]} >= {"Mira", "Captain", "Archer 1"}
    assert {note["list"] for note in found["notes"]} == {"used", "never-chosen", "assumed", "left-out"}
    assert run("forecast", BRIDGE, "--fights", 300, "--seed", 4, "--json").out == first
    assert run("forecast", BRIDGE, "--fights", 300, "--seed", 5, "--json").out != first


def test_it_says_what_would_change_it(run):
    ran = run("forecast", BRIDGE, "--fights", 1000, "--changes")
    assert ran.code == 0
    lines = ran.out.splitlines()
    changes = lines[lines.index("Effect of each change on wins in 100 fights") + 1 :]
    assert any(line.startswith("  Without Captain: +") for line in changes)
    assert any("The ice gives way" in line for line in changes)


def test_a_search_shows_its_progress_each_second(run, monkeypatch):
    times = iter(range(1000))
    monkeypatch.setattr(forecast, "monotonic", lambda: next(times) / 4)
    ran = run("forecast", BRIDGE, "--fights", 10, "--changes")
    shown = [int(line.removeprefix("Variants tried: ")) for line in ran.err.splitlines()]
    assert shown[:2] == [0, 1]
    assert len(shown) > 4
    assert shown == sorted(set(shown))


def test_it_plays_one_fight_and_prints_its_journal(run):
    ran = run("forecast", BRIDGE, "--play")
    assert (ran.code, ran.err) == (0, "")
    first, down, *journal = ran.out.splitlines()
    assert first.startswith("Fight 1: the party ")
    assert down.startswith(("Down at some point: ", "No character falls."))
    assert journal[0] == "The fight begins"
    assert any(line.startswith("Round 2 ") for line in journal)
    assert json.loads(run("forecast", BRIDGE, "--play", 1, "--json").out) == [first, down, *journal]
    assert run("forecast", BRIDGE, "--play", 2).out.startswith("Fight 2: the party ")
    assert run("forecast", BRIDGE, "--play", 1, "--seed", 2).out.splitlines()[2:] != journal


@pytest.mark.soak
def test_several_processes_give_the_same_figures(run):
    told = [run("forecast", BRIDGE, "--fights", 3000, "--processes", n, "--json").out for n in (1, 3)]
    assert told[0] == told[1]


def test_an_encounter_without_a_party_or_foes_is_told_so(run, tmp_path):
    empty = tmp_path / "empty.toml"
    empty.write_text('format = 3\nkind = "encounter"\nsystem = "dnd5e"\n', encoding="utf-8")
    ran = run("forecast", empty)
    assert ran.code == 1
    assert "Add player characters" in ran.err


@pytest.mark.parametrize("words", [("--fights", "0"), ("--fights", "many"), ("--processes", "0"), ("--seed", "x")])
def test_bad_numbers_are_bad_usage(run, words):
    assert run("forecast", BRIDGE, *words).code == 2


def test_sides_fight_by_the_policies_that_are_given(run):
    usual, fleeing = (
        json.loads(run("forecast", BRIDGE, "--fights", 2000, "--json", *words).out)
        for words in ((), ("--enemies", "flees-at=30"))
    )
    assert fleeing["won"]["low"] > usual["won"]["high"] or fleeing["mean_rounds"] < usual["mean_rounds"]
    assert run("forecast", BRIDGE, "--party", "target=me").code == 2


@pytest.mark.soak
def test_it_offers_plans_within_the_bounds_that_it_is_given(run):
    words = ("--fights", 500, "--changes", "--tune", "won=80", "--may", "count:raiders=2..6", "--may", "hp:captain")
    found = json.loads(run("forecast", BRIDGE, *words, "--json").out)
    assert found["changes"][0]["difference"]["otherwise"] > 0
    assert {one["what"] for plan in found["plans"] for one in plan["values"]} <= {"count:raiders", "hp:captain"}
    told = run("forecast", BRIDGE, *words).out
    assert told.count("someone falls") >= len(found["plans"]) > 0
    assert run("forecast", BRIDGE, "--tune", "won=all").code == 2
    assert run("forecast", BRIDGE, "--tune", "won=60", "--may", "goblins").code == 2
