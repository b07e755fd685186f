"""The form of using an item: it lists items carried and within reach, and has a line for another item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from tests.conftest import ROOT
from tests.ui.conftest import model_of
from tests.ui.docks.running_fight import settle
from turnwright.bootstrap import RuleSystems
from turnwright.play.actions.action import TakeAction
from turnwright.play.setup.roster import AdvanceSetup, StartEncounter
from turnwright.play.table.game_master import SetDice
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.docks.turn.dock import TurnDock
from turnwright.ui.docks.turn.forms.action_forms import SystemActionForm
from turnwright.ui.docks.turn.turn_actions import option_request
from turnwright.ui.look.style import set_words, theme_source
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.document import open_document

FILE = ROOT / "tests" / "playthroughs" / "toll-bridge.toml"
THINGS = """
[map.obstacles.vial]
name = "Vial"
at = [3, 2]
item = true
[map.obstacles.flask]
name = "Flask"
at = [8, 2]
item = true
"""


@pytest.fixture
def document(qapp: QApplication, tmp_path: Path, systems: RuleSystems) -> Iterator[DocumentModel]:
    """Return Bob's turn at the toll bridge, with a vial beside him and a flask farther off."""
    path = tmp_path / "toll.toml"
    path.write_text(FILE.read_text(encoding="utf-8") + THINGS, encoding="utf-8")
    source = open_document(path, systems, tmp_path / "state", seed=7)
    document = model_of(source)
    document.execute(SetDice("roll"))
    document.execute(StartEncounter())
    for _ in range(2):
        document.execute(AdvanceSetup())
        settle(document)
    document.execute(SetInitiative((("bob", 12), ("goblin", 9), ("emily", 7), ("orc", 1))))
    document.execute(AdvanceSetup())
    settle(document)
    yield document
    source.close(discard=True)
    set_words(qapp, WordCatalogue.load())


def card(document: DocumentModel, who: str) -> SystemActionForm:
    meaning = option_request(document, who, document.rules.actions["item"])
    assert isinstance(meaning, SystemActionForm)
    return meaning


@pytest.mark.rule("ap.action.item.access")
def test_what_can_be_used_is_listed_on_the_card(document, qtbot):
    dock = TurnDock(document, theme_source())
    qtbot.addWidget(dock)
    dock.show()
    assert "item" in dock.action_bar.buttons
    form = card(document, "bob")
    assert [pick.label for pick in form.ways()] == ["Bitter draught", "Vial", "Something else"]
    assert form.draft.value().choice == "draught"
    form.draft.write(replace(form.draft.value(), choice="vial"), "choice")
    assert form.command(form.draft.value()) == TakeAction("bob", "item", choice="vial")


def test_something_else_has_to_be_put_into_words(document):
    form, other = card(document, "bob"), TakeAction("bob", "item", choice="something-else")
    assert form.missing(other)
    assert not form.missing(replace(other, note="a stone"))
    assert form.command(replace(other, note="a stone ")).note == "a stone"


def test_whoever_has_nothing_says_what_it_is(document):
    assert card(document, "goblin").ways() == []
    assert card(document, "goblin").missing(TakeAction("goblin", "item"))
