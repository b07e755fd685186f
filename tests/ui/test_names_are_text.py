"""Names from files are text everywhere in the window: none is rendered as markup, and no picture in one is loaded."""

import ast
from collections.abc import Iterator
from itertools import count, takewhile
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMessageBox

from tests.ui.conftest import Kept
from turnwright.cli.play import ScriptRunner, read_script
from turnwright.encounter.prepared import Creature
from turnwright.play.setup.prepared_records import Edit
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.application.app import Application
from turnwright.ui.dialogs.message_bar import confirm
from turnwright.ui.shell.window import MainWindow

EVIL = '<h1>Bo</h1><img src="file:///etc/logo.png" width="400">&Ann'
NOWHERE = QModelIndex()
TIPS = ("setToolTip", "setStatusTip", "setWhatsThis")
LITERAL = ("dialogs/help.py", "dialogs/message_bar.py", "plots/lazy_plot.py", "widgets/text.py")  # they say so at once
SHOWN = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole, Qt.ItemDataRole.WhatsThisRole)


@pytest.fixture
def evil(tmp_path: Path, sample: Path) -> Path:
    """The sample with markup in every name and text."""
    lines = []
    for line in sample.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" = ")
        is_name = key in ("name", "title", "player", "place", "ac_note", "languages") and value.startswith('"')
        lines.append(f"{key} = '{EVIL}'" if is_name else line)
    path = tmp_path / "evil.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def window(qtbot, kept: Kept, application: Application, evil: Path) -> Iterator[MainWindow]:
    window = kept.window_with(application.workspace.open(evil), qtbot)
    yield window
    kept.tidy()


def is_markup(text: object) -> bool:
    """Whether Qt would render a name in a text as markup."""
    return isinstance(text, str) and "<h1>" in text


def items(model: QAbstractItemModel, parent: QModelIndex = NOWHERE) -> Iterator[QModelIndex]:
    for row in range(model.rowCount(parent)):
        yield from takewhile(QModelIndex.isValid, (model.index(row, column, parent) for column in count()))
        yield from items(model, model.index(row, 0, parent))


def rendered(window: MainWindow) -> Iterator[str]:
    """Yield each place of the window that renders a name as markup."""
    for widget in QApplication.allWidgets():
        if any(map(is_markup, (widget.toolTip(), widget.statusTip(), widget.whatsThis()))):
            yield f"tip of {type(widget).__name__} {widget.objectName()}"
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and is_markup(widget.text()):
            yield f"label in {type(widget.parent()).__name__}"
    for action in window.findChildren(QAction):
        if is_markup(action.toolTip()) and not isinstance(action.parent(), QMenu):  # menus show no tips
            yield f"tip of action {action.objectName()}"
    for model in window.findChildren(QAbstractItemModel):
        for index in items(model):
            if any(is_markup(index.data(role)) for role in SHOWN):
                yield f"{type(model).__name__} column {index.column()}"


def sweep(window: MainWindow, places: str) -> list[str]:
    """Return what is rendered as markup, after the window has been drawn."""
    QApplication.processEvents()
    return [f"{places}: {one}" for one in rendered(window)]


def test_no_name_is_rendered_as_markup(window: MainWindow, repository: Path, qtbot) -> None:
    document = window.document
    found = sweep(window, "prepared")
    creature = next(iter(document.encounter.all(Creature)))
    document.execute(Edit(msgspec.structs.replace(creature, notes=EVIL)))
    document.select((Creature.table, creature.id))
    found += sweep(window, "edited")
    window.content.services.layout.arrange("run")
    script = repository / "docs" / "pictures" / "third-round.txt"
    ScriptRunner(document.source, str(script), WordCatalogue.load(), as_json=False).run(read_script(script))
    for dock in tuple(window.content.docks.all):
        window.content.docks.show(dock)
    found += sweep(window, "third round")
    assert sorted(set(found)) == []


def test_menus_show_no_tips(window: MainWindow) -> None:
    assert [menu.title() for menu in window.findChildren(QMenu) if menu.toolTipsVisible()] == []


def test_a_question_shows_names_literally(window: MainWindow) -> None:
    answered = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        answered.extend(label.textFormat() for label in box.findChildren(QLabel) if is_markup(label.text()))
        box.reject()

    QTimer.singleShot(0, look)
    assert not confirm(window, f"Remove {EVIL}?", EVIL, "Remove")
    creature = next(iter(window.document.encounter.all(Creature)))
    window.document.execute(Edit(msgspec.structs.replace(creature, notes=EVIL)))
    QTimer.singleShot(0, look)
    assert not window.content.file_controller.confirm_close()
    assert answered == [Qt.TextFormat.PlainText] * 3


def is_literal(node: ast.expr) -> bool:
    """Whether the expression of a tip holds no name, or one that is escaped."""
    match node:
        case ast.Constant():
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return is_literal(body) and is_literal(orelse)
        case ast.Call(func=ast.Name("escaped_tooltip") | ast.Attribute(attr="escaped_tooltip" | "toolTip" | "_tip")):
            return True
        case ast.Call(func=ast.Name("tr"), keywords=[]):
            return True
    return False


def test_every_tip_and_label_is_literal_where_it_is_made(repository: Path) -> None:
    found = []
    for path in sorted((repository / "desktop" / "turnwright" / "ui").rglob("*.py")):
        name = path.relative_to(repository / "desktop" / "turnwright" / "ui").as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=attr), args=[*_, tip]) if attr in TIPS and not is_literal(tip):
                    found.append(f"{name}:{node.lineno} {ast.unparse(node)}")
                case ast.Call(func=ast.Name("QLabel" | "QMessageBox")) if name not in LITERAL:
                    found.append(f"{name}:{node.lineno} {ast.unparse(node)}")
    assert not found
