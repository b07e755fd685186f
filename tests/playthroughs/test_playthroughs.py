"""Encounters played from a script with scripted dice, each journal compared line by line with a golden one.

All samples are played, and the encounters that stand beside their scripts here. The scripts say by hand why the figures
are what they are. `TURNWRIGHT_REWRITE_GOLDEN=1` writes the journals anew; read what has changed before you keep it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from difflib import unified_diff
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.for_each import for_each
from tests.playthroughs.typed import TypedTable
from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.cli.play import ScriptRunner
from turnwright.encounter.running import Clock, Combatant, CountdownPool, Effect, EntryState, Slot, Track
from turnwright.encounter.state import Encounter
from turnwright.storage.resources import sample_encounters
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document, open_document

HERE = Path(__file__).parent
# A sample without a script is only played at random, by the tests of the samples.
FILES = {
    file.stem: file
    for file in (*sample_encounters(), *HERE.glob("*.toml"))
    if file.with_suffix(".txt").name in {one.name for one in HERE.glob("*.txt")}
}
RULE_ID = re.compile(r"\([a-z0-9-]+(?:\.[a-z0-9_-]+)+\)$")  # behind a refusal
REWRITE = os.environ.get("TURNWRIGHT_REWRITE_GOLDEN") == "1"
SAID = "\nRefused:\n"
SINGULAR = re.compile(
    r"(?<![\d–−.])1 (?:more )?(?:rounds|turns|dice|hours|levels|Actions|Action Points|Reaction Points)\b"
)
DOTTED_KEY = re.compile(r"\b[a-z][a-z-]+\.[a-z][a-z-]+\b")
TAKES = re.compile(r"takes (?P<taken>\d+) \((?P<dealt>[^()]*)\)")
REASON = re.compile(r"[,;] (?!\d)")
ANY_DICE = (
    """\
start
next
next
roll initiative
next
targets suggested
targets suggested
damage all 2d6+3 fire from "a spilled pot" half
"""
    + "try end turn\n" * 10
)  # to the top of round 2, or as far as the dice let it come before somebody has to choose


def script(name: str) -> Path:
    return HERE / f"{name}.txt"


def told(name: str, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The journal that `turnwright play` prints, and what it says to standard error about the script's `try` lines."""
    path = script(name)
    code = main(["play", str(FILES[name]), "--script", str(path), *options])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out + SAID + err.replace(f"{path}:", "line ")


def opened(name: str, folder: Path) -> Document:
    return open_document(FILES[name], RuleSystems(), folder, seed=2, dice="roll", locked=False)


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Document]:
    """Plays a script, once for all tests that look at how it ends."""

    @lru_cache(1)
    def play(name: str) -> Document:
        document = opened(name, tmp_path_factory.mktemp("state"))
        assert ScriptRunner(document, name, WordCatalogue.load()).run(script(name).read_text(encoding="utf-8")) == 0
        return document

    return play


def journal(document: Document) -> list[str]:
    return list(ScriptRunner(document, "", WordCatalogue.load()).journal())


def standing(encounter: Encounter) -> list[object]:
    """All that a table could see of an encounter; ids of effects differ with the number of prompts there were."""
    effects = [(one.target, one.name, one.value, one.ends, one.source, one.break_free) for one in encounter.all(Effect)]
    seen = (Clock, Combatant, Slot, Track, CountdownPool, EntryState)
    return [*effects, *(record for kind in seen for record in encounter.all(kind))]


def test_every_encounter_is_played():
    assert {path.stem for path in HERE.glob("*.txt")} == set(FILES)
    assert {path.stem for path in HERE.glob("*.toml")} <= set(FILES)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_scripted_fight_is_told_as_it_was_before(name, capsys):
    golden = HERE / f"{name}.journal"
    now = told(name, capsys, "--seed", "1", "--all")
    if REWRITE:
        golden.write_text(now, encoding="utf-8")
    before = golden.read_text(encoding="utf-8")
    differing = list(unified_diff(before.splitlines(), now.splitlines(), golden.name, "now", lineterm="", n=2))
    assert not differing, "\n".join(differing)


@for_each("name", sorted(FILES))
def test_a_journal_has_words_for_everything(name):
    text = (HERE / f"{name}.journal").read_text(encoding="utf-8")
    said = [RULE_ID.sub("", line) for line in text.splitlines()]
    assert [line for line in said if any(mark in line for mark in ("{", "}", "<", ">", "_"))] == []
    assert "still open" not in text
    assert text.count("\nRound ") >= 4


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(FILES), scope="module")
def test_no_line_of_play_is_said_twice_in_a_row_or_with_a_key_or_a_wrong_plural(name, scripted):
    of_play = list(ScriptRunner(scripted(name), "", WordCatalogue.load()).journal(with_bookkeeping=False))
    assert [line for line, after in pairwise(of_play) if line == after] == []
    assert [line for line in of_play if DOTTED_KEY.search(line) or SINGULAR.search(line)] == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(FILES), scope="module")
def test_damage_that_differs_from_what_was_dealt_says_why(name, scripted):
    for found in map(TAKES.search, journal(scripted(name))):
        if found is not None:
            dealt = sum(map(int, re.findall(r"(?:^|\+ |; )(\d+)", found["dealt"])))
            assert dealt == int(found["taken"]) or REASON.search(found["dealt"]), found[0]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(FILES), scope="module")
def test_scripted_faces_leave_nothing_to_the_seed(name, scripted):
    golden = (HERE / f"{name}.journal").read_text(encoding="utf-8")
    assert journal(scripted(name)) == golden.partition(SAID)[0].splitlines()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(FILES), scope="module")
def test_the_table_s_own_dice_lead_to_the_same_fight(name, scripted, tmp_path):
    typed = opened(name, tmp_path)
    TypedTable(typed).plays(script(name).read_text(encoding="utf-8"))
    assert journal(typed) == journal(scripted(name))
    assert standing(typed.encounter) == standing(scripted(name).encounter)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(FILES), scope="module")
def test_undone_to_the_start_a_fight_is_what_was_prepared(name, scripted, tmp_path):
    prepared = opened(name, tmp_path).encounter
    document = scripted(name)
    ended, steps = document.encounter, document.session.history.depth
    assert sum(document.undo() for _ in range(steps)) == steps
    assert document.encounter == prepared
    assert journal(document) == []
    assert sum(document.redo() for _ in range(steps)) == steps
    assert document.encounter == ended


def test_the_same_seed_prints_the_same_journal_twice(capsys, tmp_path):
    path = tmp_path / "any-dice.txt"
    path.write_text(ANY_DICE, encoding="utf-8")

    def printed(seed: str) -> str:
        assert main(["play", str(FILES["cold-ford-bridge"]), "--script", str(path), "--seed", seed]) == 0
        return capsys.readouterr().out

    first, second, other = printed("4"), printed("4"), printed("5")
    assert "Round 2" in first
    assert first == second
    assert first != other
