"""A fifth game takes one folder of data and one record: the verbs, the journal and the window speak its words."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomlkit
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from tests.handouts.pdf_pages import read_pages
from tests.systems.toy import DATA, SYSTEMS
from tests.ui.conftest import dressed, furnished
from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.turn_order.surprise import SetInitiative
from turnwright.rules.parts.d20_family import d20_system
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import cached_system_data
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.application.app import Application
from turnwright.ui.look.style import set_words
from turnwright.ui.shell.window import MainWindow
from turnwright.workspace.settings import HOME, Folders

FIGHT = """\
format = 3
system = "toy"
title = "The hedge"

[scene]
strictness = "off"

[creatures.imp]
name = "Imp"
hp = 9
ac = 11
speeds = { walk = 12 }
abilities = { brawn = 12, nerve = 14 }
resistances = ["nettle"]

[creatures.imp.features.whip]
name = "Whip"
cost = "action"
attack = 4
reach = 2
damage = "1d6 bramble"

[roster.pip]
creature = "imp"
name = "Pip"
side = "party"

[roster.nob]
creature = "imp"
name = "Nob"
"""
SCRIPT = """\
start
next
initiative pip 20 nob 10
next
move pip 7
damage nob 6 nettle
"""
ROUND = """\
start
next
initiative pip 20 nob 10
next
damage nob 6 bramble
end turn
condition pip itching
end turn
"""
FOREIGN = re.compile(r"\bft\b|\bfeet\b|[Hh]it points?|\bHP\b|\bAC\b|[Aa]rmou?r [Cc]lass|Narrator|Strength|Dexterity")


@pytest.fixture(autouse=True)
def usual_words_afterwards(qapp: QApplication) -> Iterator[None]:
    """What is said of no open encounter is said in the usual words again."""
    yield
    set_words(qapp, WordCatalogue.load())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hedge.toml"
    path.write_text(FIGHT, encoding="utf-8")
    return path


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, file: Path, tmp_path: Path) -> Iterator[MainWindow]:
    application = Application(SYSTEMS, Folders(tmp_path / "state", tmp_path / "config", tmp_path / "data"))
    for dressed_application in dressed(application):
        window = furnished(dressed_application, dressed_application.workspace.open(file), qtbot)
        yield window
        window.document.source.close(discard=True)
        window.hide()
        window.deleteLater()


def test_it_is_no_longer_than_a_page() -> None:
    lines = [line for path in (*DATA.iterdir(), DATA.parent / "__init__.py") for line in path.read_text().splitlines()]
    assert len(lines) < 60 + sum(not line for line in lines)


def test_check_knows_its_words(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file)], SYSTEMS) == 0
    strange = tmp_path / "strange.toml"
    strange.write_text(FIGHT.replace("1d6 bramble", "1d6 fire").replace("nerve = 14", "wis = 14"), encoding="utf-8")
    assert main(["check", str(strange)], SYSTEMS) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in said] == [
        "creatures.imp.abilities.wis: Hedge Skirmish: unknown ability 'wis'; kept",
        "creatures.imp.features.whip.damage: Hedge Skirmish: unknown damage type 'fire'; kept",
    ]


def test_without_its_record_nobody_knows_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file)]) == 1
    assert 'unknown rule system "toy"' in capsys.readouterr().err


def test_a_script_plays_it_and_the_journal_speaks_it(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    script = tmp_path / "hedge.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    code = main(["play", str(file), "--script", str(script)], SYSTEMS)
    said = capsys.readouterr()
    assert code == 0, said.err
    assert "Pip moves 7 paces" in said.out
    assert "nettle" in said.out
    assert FOREIGN.findall(said.out) == []


def test_a_folder_of_three_files_among_the_resources_plays_a_round(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    folder = tmp_path / "resources" / "systems" / "toy"
    folder.mkdir(parents=True)
    shutil.copytree(resource_path("environments"), tmp_path / "resources" / "environments")
    tables = tomllib.loads((DATA / "toy.toml").read_text(encoding="utf-8"))
    head = {key: tables.pop(key) for key in ("format", "kind", "system")}
    for name in ("conditions", "terms"):
        (folder / f"{name}.toml").write_text(tomlkit.dumps({**head, name: tables.pop(name)}), encoding="utf-8")
    (folder / "system.toml").write_text(tomlkit.dumps({**head, **tables}), encoding="utf-8")
    data = cached_system_data("toy", tmp_path / "cache", tmp_path / "resources")
    script = tmp_path / "round.txt"
    script.write_text(ROUND, encoding="utf-8")
    code = main(["play", str(file), "--script", str(script)], RuleSystems({"toy": lambda: d20_system(data)}))
    said = capsys.readouterr()
    assert code == 0, said.err
    for line in ("Nob takes 6 bramble", "Itching", "Round 2"):
        assert line in said.out
    assert main(["check", *map(str, sorted(folder.iterdir()))]) == 0


def test_the_window_speaks_it(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    for command in (StartEncounter(), AdvanceSetup(), SetInitiative((("pip", 20), ("nob", 10)))):
        assert document.execute(command)
    assert document.execute(AdvanceSetup())
    window.content.services.layout.arrange("run")
    assert document.execute(MoveFeet("pip", 5))
    for _ in range(3):
        QApplication.processEvents()
    said = list(texts(window))
    assert [text for text in said if FOREIGN.search(text)] == []
    for word in ("Grit", "HD", "paces", "Deed"):
        assert any(word in text for text in said), word


def texts(window: QWidget) -> Iterator[str]:
    """Yield what every widget of a window says."""
    for widget in window.findChildren(QWidget):
        yield from (widget.accessibleName(), widget.toolTip())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QSpinBox):
            yield from (widget.suffix(), widget.prefix())
        elif isinstance(widget, QAbstractSpinBox):
            yield widget.text()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(row) for row in range(widget.count()))


def test_paper_speaks_its_words(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    paper = tmp_path / "hedge.pdf"
    assert main(["handout", str(file), "-o", str(paper)], SYSTEMS) == 0, capsys.readouterr().err
    said = " ".join(page.text for page in read_pages(paper.read_bytes()))
    assert FOREIGN.findall(said) == []
    assert "Whip" in said
    assert "1d6) bramble" in said
