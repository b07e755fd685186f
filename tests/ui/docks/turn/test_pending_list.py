"""Declared actions in the turn dock: combatant, action and price, in the order of resolution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from tests.conftest import ROOT
from tests.ui.conftest import model_of
from tests.ui.docks.running_fight import settle
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.asking.answer import Answer
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.look.style import set_words, theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import open_document

FILE = ROOT / "tests" / "playthroughs" / "stone-wall.toml"
DAN = """
[roster.dan]
creature = "emily"
name = "Dan"
positions = [[9, 5]]
side = "party"

[map]"""
MOVE, WALL = "Bob: Move", "Evil Wizard: Stone Wall, in response to Bob (Move)"
DODGE = "Emily: Move, in response to Evil Wizard (Stone Wall)"


@pytest.fixture
def document(qapp: QApplication, tmp_path: Path, systems: RuleSystems) -> Iterator[DocumentModel]:
    """Return Bob's turn in the worked example, in which Dan could still respond."""
    path = tmp_path / "wall.toml"
    path.write_text(FILE.read_text(encoding="utf-8").replace("\n[map]", DAN), encoding="utf-8")
    source = open_document(path, systems, tmp_path / "state", seed=7)
    document = model_of(source)
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    for _ in range(2):
        document.execute(AdvanceSetup())
        settle(document)
    document.execute(SetInitiative((("bob", 12), ("wizard", 9), ("emily", 7), ("dan", 5))))
    document.execute(AdvanceSetup())
    settle(document)
    yield document
    source.close(discard=True)
    set_words(qapp, WordCatalogue.load())


@pytest.fixture
def dock(document, qtbot):
    dock = TurnDock(document, theme_source())
    qtbot.addWidget(dock)
    dock.resize(420, 760)
    dock.show()
    return dock


def answer(document: DocumentModel, **chosen: str) -> None:
    prompt = open_prompts(document.encounter)[0]
    document.execute(
        Answer(prompt.id, tuple(Reply(ask, chosen=(one,)) for ask, one in chosen.items()), prompt.revision)
    )


def newest(document: DocumentModel) -> str:
    return [one.id for one in document.encounter.all(Declaration)][-1]


@pytest.fixture
def three(document, dock):
    """Declare a move, a spell in response to it, and a move in response to the spell."""
    document.execute(MovePath("bob", ((2, 1), (3, 1))))
    answer(document, who="wizard")
    answer(document, how="stone-wall")
    answer(document, who="emily")
    answer(document, how="move", answered=newest(document))
    return [one.id for one in document.encounter.all(Declaration)]


def shown(dock: TurnDock) -> list[str]:
    return [label.text() for label in dock.pending.findChildren(QLabel) if label.isVisible()]


def test_nothing_is_listed_while_nothing_is_announced(dock):
    assert not dock.pending.isVisible()


@pytest.mark.rule("ap.reaction.moves_last", "ap.reaction.stack_order")
def test_the_newest_stands_on_top_and_moves_last(dock, three):
    assert dock.pending.isVisible()
    assert [text for _, text in dock.pending.shown] == [WALL, DODGE, MOVE]


@pytest.mark.rule("ap.reaction.points_spent_at_resolution")
def test_each_says_what_is_kept_for_it(dock, three):
    words = shown(dock)
    assert [words[words.index(text) + 1] for text in (WALL, DODGE, MOVE)] == ["3 RP, 2 WP", "1 RP", "1 AP"]
    assert [word for word in words if word.endswith(".")] == ["1.", "2.", "3."]


def test_the_newest_is_taken_back_by_itself(document, dock, three, qtbot):
    qtbot.mouseClick(dock.pending.buttons[three[2]], Qt.MouseButton.LeftButton)
    assert [text for _, text in dock.pending.shown] == [WALL, MOVE]
    assert [one.id for one in open_prompts(document.encounter)[0].asks] == ["how", "answered"]  # Emily may do otherwise
    document.redo()
    assert [text for _, text in dock.pending.shown] == [WALL, DODGE, MOVE]


def test_with_an_older_one_goes_all_that_came_after_it(document, dock, three, qtbot):
    qtbot.mouseClick(dock.pending.buttons[three[0]], Qt.MouseButton.LeftButton)
    assert [text for _, text in dock.pending.shown] == []
    assert not dock.pending.isVisible()
    assert open_prompts(document.encounter) == []


def test_what_is_done_is_listed_no_more(document, dock, three):
    answer(document, who="nobody")
    assert [text for _, text in dock.pending.shown] == [MOVE]  # the wall stands, and Emily says where she goes


def test_buttons_say_what_they_take_back(dock, three):
    assert dock.pending.buttons[three[1]].accessibleName().endswith(WALL)
