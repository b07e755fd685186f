"""Fights worked out on paper, held to what the program tells of them: every line, every sum, every rule, and the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.playthroughs.by_hand import standing_at_the_end, steps
from turnwright.bootstrap import RuleSystems
from turnwright.cli.play import ScriptRunner
from turnwright.encounter.running import Combatant
from turnwright.storage.resources import sample_encounters
from turnwright.storage.system_data import read_ledger
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import Document, open_document

HERE = Path(__file__).parent
FILES = {file.stem: file for file in (*sample_encounters(), *HERE.glob("*.toml"))}
PAPERS = sorted(HERE.glob("*.md"))
by_name = pytest.mark.parametrize("paper", PAPERS, ids=[path.stem for path in PAPERS])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], ScriptRunner]:
    """Plays what belongs to a paper, once for all that look at it."""

    @cache
    def play(paper: Path) -> ScriptRunner:
        state = tmp_path_factory.mktemp("state")
        document = open_document(FILES[paper.stem], RuleSystems(), state, seed=1, dice="roll", locked=False)
        player = ScriptRunner(document, paper.stem, WordCatalogue.load())
        assert player.run(paper.with_suffix(".txt").read_text(encoding="utf-8")) == 0
        return player

    return play


def lines(document: Document, player: ScriptRunner) -> list[tuple[str, str]]:
    """Each line of the journal with the rule that it names."""
    said = (line.strip() for line in player.journal())
    return [(text, line.rule) for text, line in zip(said, document.session.journal(), strict=True)]


def test_there_is_something_worked_out():
    assert [path.stem for path in PAPERS] != []


@by_name
def test_steps_are_counted_and_add_up(paper):
    found = steps(paper)
    assert [step.number for step in found] == list(range(1, len(found) + 1))
    assert [(step.number, *each) for step in found for each in step.sums if each[1] != each[2]] == []
    assert sum(len(step.sums) for step in found) > len(found) / 3


@pytest.mark.sampled(2)
@by_name
def test_the_journal_tells_what_was_worked_out(paper, played):
    player = played(paper)
    told = [text for text, _ in lines(player.document, player)]
    assert [step.line for step in steps(paper)] == told


@by_name
def test_each_line_names_a_rule_by_which_it_was_worked_out(paper, played):
    player = played(paper)
    told = lines(player.document, player)
    otherwise = [
        (step.number, rule) for step, (_, rule) in zip(steps(paper), told, strict=True) if rule not in {"", *step.rules}
    ]
    assert otherwise == []


@by_name
def test_only_rules_of_the_game_s_ledger_are_named(paper, played):
    known = {rule.id for rule in read_ledger(played(paper).document.session.rules.data.id)}
    assert {rule for step in steps(paper) for rule in step.rules} - known == set()


@by_name
def test_everybody_ends_up_as_worked_out(paper, played):
    document = played(paper).document
    ended = [(one.label, one.hp, one.position, one.dead) for one in document.encounter.all(Combatant)]
    assert sorted(ended) == sorted(tuple(one) for one in standing_at_the_end(paper))
