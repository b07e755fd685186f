"""The panels *Adventure* and *Step* of an adventure.

The list of the steps shows their difficulty or results, and the totals since the last long rest. The form edits a step.
"""

from functools import partial

import msgspec
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPainterStateGuard
from PySide6.QtWidgets import QInputDialog, QMenu, QStyle, QStyleOptionViewItem, QWidget

from turnwright.encounter.adventure import AdventureStep, StepDone, with_done, without_done
from turnwright.play.kernel.events import game_time
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView, draw_background, draw_text, is_heading
from turnwright.ui.forms.form import Form, form_layout
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import GAP, ThemeSource, current_theme, role_metrics, scaled, tr
from turnwright.ui.look.window_data import icons
from turnwright.ui.models.adventure import FILE, ROW_ROLE, STEP, AdventureModel, AdventureRow
from turnwright.ui.models.row_list_model import HEADING, Index
from turnwright.ui.services.adventure import CurrentAdventure, now, parties_of
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import add_action_with_key, add_check, pop_up, set_menu
from turnwright.ui.widgets.text import named, plain_label, text_button, tool_button
from turnwright.workspace.adventure import tally

ROW_HEIGHT = 44
RESTS = ("short", "long", "haven")
STEP_FORM = form_layout("step", AdventureStep, words="ui.step")


class StepDelegate(RowDelegate):
    """Paints a step: its icon, its title above the details, and its difficulty or experience at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: AdventureRow = index.data(ROW_ROLE)
        with QPainterStateGuard(painter):
            draw_background(painter, option, index)
            if is_heading(index):
                self.draw_heading(painter, option.rect, index)
                return
            selected = QStyle.StateFlag.State_Selected in option.state
            quiet = "selection_text" if selected else "muted"
            text = quiet if row.kind in ("done", "skipped", "missing") else "selection_text" if selected else "text"
            name, tone = icons("adventure")[row.kind]
            room, side = option.rect.adjusted(scaled(GAP), 0, -scaled(GAP), 0), scaled(16)
            area = QRect(room.left(), room.center().y() - side // 2, side, side)
            draw_icon(painter, name, area, current_theme().colour(quiet if selected else tone))
            room.setLeft(area.right() + scaled(GAP))
            upper = QRect(room.left(), room.top() + scaled(3), room.width(), scaled(21)) if row.detail else room
            lower = QRect(room.left(), upper.bottom(), room.width(), scaled(17)) if row.detail else upper
            end_tone = quiet if selected else row.tone or quiet
            draw_text(painter, lower, row.end, "caption", end_tone, align=Qt.AlignmentFlag.AlignRight)
            width = role_metrics("caption").horizontalAdvance(row.end)
            lower.setRight(lower.right() - width - scaled(GAP) if row.end else lower.right())
            used = draw_text(painter, upper, row.text, "strong" if row.kind == "current" else "body", text)
            if row.kind == "missing":
                painter.drawLine(upper.left(), upper.center().y(), upper.left() + used, upper.center().y())
            draw_text(painter, lower, row.detail, "caption", quiet)


class AdventureDock(Dock):
    """The steps of the adventure.

    Emits `openRequested(key)`, `addRequested(kind, text)`, `findRequested(key)` for a missing file,
    `stepRequested(direction)` and `newRequested`.
    """

    name = "adventure"
    openRequested = Signal(str)
    addRequested = Signal(str, str)
    findRequested = Signal(str)
    stepRequested = Signal(int)
    newRequested = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.current: CurrentAdventure
        self.model: AdventureModel
        self.heading = layout.ElidedLabel("", "strong")
        self.view = named(RowView(row_height=ROW_HEIGHT), tr("ui.adventure.title"))
        self.view.setItemDelegate(StepDelegate(self.view))
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.totals = plain_label("", "caption", "muted", wraps=True)
        add = text_button("plus", tr("ui.adventure.add"))
        set_menu(add, self.fill_menu)
        back = tool_button("chevron-left", tr("ui.tip.previous-adventure-step"), lambda: self.stepRequested.emit(-1))
        forth = tool_button("chevron-right", tr("ui.tip.next-adventure-step"), lambda: self.stepRequested.emit(1))
        head = layout.fill(layout.horizontal(margins=(12, GAP, GAP, 0)), (self.heading, 1), back, forth)
        foot = layout.fill(layout.vertical(margins=(12, GAP, 12, GAP)), add, self.totals)
        whole = QWidget()
        layout.fill(layout.vertical(whole, spacing=0), head, (self.view, 1), foot)
        self.empty = layout.EmptyState("map-marker-path", tr("ui.adventure.empty"), tr("ui.adventure.new-title"))
        self.empty.clicked.connect(self.newRequested)
        self.set_pages(self.empty, whole)

    def use_services(self, services: Services) -> None:
        self.current = services.controller(CurrentAdventure)
        self.model = AdventureModel(self.current, services.workspace, self)
        self.view.setModel(self.model)
        for keys, name, slot in (
            ("Ins", "add", self._open_menu),
            ("F2", "title", lambda: self.view.edit(self.view.currentIndex())),
            ("Alt+Up", "earlier", partial(self.move_step, -1)),
            ("Alt+Down", "later", partial(self.move_step, 1)),
            ("Space", "done", self.toggle_done),
            ("Del", "remove", self.remove),
        ):
            add_action_with_key(self.view, tr(f"ui.keys.adventure-{name}"), keys, slot)
        self.view.rowActivated.connect(self._activate)
        self.view.selectionModel().currentRowChanged.connect(self._select)
        self.model.renamed.connect(self._rename)
        self.current.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the title, the selected step and the totals."""
        opened = self.current.open
        self._stack.setCurrentIndex(int(opened is not None))
        if opened is None:
            return
        self.heading.setText(opened.title)
        self.view.go_to(self.model.row_of((STEP, self.current.selected)))
        total = tally(self.current.plan, self.current.run)
        parts = [tr("ui.adventure.fights", n=total.fights), tr("ui.adventure.xp", n=f"{total.xp:,}")]
        parts += [game_time(total.seconds)] if total.seconds else []
        lines = [tr("ui.adventure.since"), " · ".join(parts), tr("ui.adventure.ahead", n=total.ahead)]
        if opened.adventure is None:
            lines = [str(finding) for finding in opened.findings[:1]]
        self.totals.setText("\n".join(lines))

    def focus_prompt(self) -> bool:
        """Focus the list. Return whether an adventure is open."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.current.open is not None

    @property
    def key(self) -> str:
        """The key of the selected step, or an empty string for another row."""
        kind, key = self.model.key_at(self.view.currentIndex()) or ("", "")
        return key if kind == STEP else ""

    def _select(self, *_: QModelIndex) -> None:
        if not self.model.is_refreshing:
            self.current.select(self.key)

    # Keys ------------------------------------------------------------------------------------------------------------

    def _activate(self, index: QModelIndex) -> None:
        kind, key = self.model.key_at(index) or (HEADING, "")
        row: AdventureRow = index.data(ROW_ROLE)
        if kind == FILE:
            self.addRequested.emit("encounter", key)
        elif row.kind == "missing":
            menu = QMenu(self.view)
            menu.addAction(tr("ui.adventure.find"), partial(self.findRequested.emit, key))
            menu.addAction(tr("ui.adventure.remove"), self.remove)
            pop_up(menu, self.view.viewport().mapToGlobal(self.view.visualRect(index).bottomLeft()))
        elif row.kind == "part":
            self.view.edit(index)
        else:
            self.openRequested.emit(key)

    def toggle_done(self) -> None:
        """Mark the selected step as done, or as not done."""
        key, done = self.key, StepDone(self.key, now().isoformat())
        is_done = key in self.current.run.by_key
        if key and self.current.change_run(lambda run: without_done(run, key) if is_done else with_done(run, done)):
            self.current.changed.emit()

    def remove(self) -> None:
        """Take the selected step off the list. Its file stays."""
        steps, place = self.current.plan.steps, self.current.plan.place_of(self.key)
        if place >= 0 and self.current.edit("remove", steps[:place] + steps[place + 1 :]):
            self.view.go_to(min(place, self.model.rowCount() - 1))

    def move_step(self, by: int) -> None:
        """Move the selected step up or down."""
        steps, place = list(self.current.plan.steps), self.current.plan.place_of(self.key)
        if place >= 0 and 0 <= place + by < len(steps):
            steps.insert(place + by, steps.pop(place))
            self.current.edit("move", tuple(steps))

    def _rename(self, key: str, title: str) -> None:
        if (step := self.current.step_of(key)) is not None:
            field = {"encounter": "title", "part": "part"}.get(step.kind, "scene")
            self.current.replace_step(key, msgspec.structs.replace(step, **{field: title}))

    def _open_menu(self) -> None:
        menu = QMenu(self.view)
        self.fill_menu(menu)
        pop_up(menu, self.view.viewport().mapToGlobal(QPoint(0, 0)))

    def fill_menu(self, menu: QMenu) -> None:
        """Fill a menu with the steps that can be added."""
        for kind in ("new", "scene", "part"):
            menu.addAction(tr(f"ui.adventure.add-{kind}"), partial(self._ask, kind))
        for rest in RESTS:
            menu.addAction(tr(f"ui.adventure.add-{rest}"), partial(self.addRequested.emit, "rest", rest))
        parties = menu.addMenu(tr("ui.adventure.party"))
        for id, name in parties_of(self.current.rules.id):
            choose = partial(self.current.set_party, id)
            add_check(parties, name, lambda _on, choose=choose: choose(), checked=id == self.current.plan.party)
        for name in self.current.unlisted:
            menu.addAction(name.replace("&", "&&"), partial(self.addRequested.emit, "encounter", name))

    def _ask(self, kind: str) -> None:
        text, agreed = QInputDialog.getText(self, tr("ui.adventure.title"), tr(f"ui.adventure.ask-{kind}"))
        if agreed and text.strip():
            self.addRequested.emit(kind, text.strip())


class StepDock(Dock):
    """The form of the selected step."""

    name = "step"

    def use_services(self, services: Services) -> None:
        self._current, body = services.controller(CurrentAdventure), QWidget()
        area, contents, column = layout.form_scroll_area(body, tr("ui.step.title"))
        self.form = Form(STEP_FORM, self._current, FormContext.of(self._document), contents)
        column.addWidget(self.form)
        layout.fill(layout.vertical(body, margins=(0, GAP, 0, 0)), area)
        self.setWidget(body)
        self._current.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the selected step."""
        self.form.setVisible(self._current.value() is not None)
        self.form.refresh()
