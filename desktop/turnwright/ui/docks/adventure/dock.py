"""The panel *Adventure*: the steps in order, their difficulty and results, and the totals since the last long rest."""

from __future__ import annotations

from functools import partial

import msgspec
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPainterStateGuard
from PySide6.QtWidgets import QInputDialog, QMenu, QStyle, QStyleOptionViewItem, QWidget

from turnwright.encounter.adventure import StepDone, with_done, without_done
from turnwright.play.kernel.events import game_time
from turnwright.storage.adventures import encounter_files
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView, draw_background, draw_text, is_heading
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import GAP, ThemeSource, current_theme, escaped_tooltip, role_font, scaled, tr
from turnwright.ui.models.adventure import END_ROLE, STEP, STRUCK_ROLE, AdventureModel
from turnwright.ui.models.row_list_model import DETAIL_ROLE, HEADING, ICON_ROLE, QUIET_ROLE, TONE_ROLE, Index
from turnwright.ui.services.adventure import CurrentAdventure, now_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.widgets import layout
from turnwright.ui.widgets.fields import pop_up, set_menu
from turnwright.ui.widgets.text import plain_label, text_button, tool_button
from turnwright.workspace.adventure import tally

ROW_HEIGHT = 44
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Insert, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter)
RESTS = ("short", "long", "haven")


class StepDelegate(RowDelegate):
    """Paints a step: its icon, its title above the details, and its difficulty or experience at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        with QPainterStateGuard(painter):
            draw_background(painter, option, index)
            if is_heading(index):
                self.draw_heading(painter, option.rect, index)
                return
            selected = QStyle.StateFlag.State_Selected in option.state
            quiet = "selection_text" if selected else "muted"
            text = quiet if index.data(QUIET_ROLE) else "selection_text" if selected else "text"
            mark, tone = index.data(TONE_ROLE)
            room, side = option.rect.adjusted(scaled(GAP), 0, -scaled(GAP), 0), scaled(16)
            area = QRect(room.left(), room.center().y() - side // 2, side, side)
            draw_icon(painter, index.data(ICON_ROLE), area, current_theme().colour(mark or quiet))
            room.setLeft(area.right() + scaled(GAP))
            end = index.data(END_ROLE)
            width = QFontMetrics(role_font("caption")).horizontalAdvance(end)
            right = Qt.AlignmentFlag.AlignRight
            draw_text(painter, room, end, "caption", quiet if selected else tone or quiet, align=right)
            room.setRight(room.right() - width - scaled(GAP) if end else room.right())
            detail = index.data(DETAIL_ROLE)
            upper = QRect(room.left(), room.top() + scaled(3), room.width(), scaled(21)) if detail else room
            used = draw_text(painter, upper, index.data(), "strong" if mark == "accent" else "body", text)
            if index.data(STRUCK_ROLE):
                painter.drawLine(upper.left(), upper.center().y(), upper.left() + used, upper.center().y())
            if detail:
                lower = QRect(room.left(), upper.bottom(), room.width(), scaled(17))
                draw_text(painter, lower, detail, "caption", quiet)


class StepView(RowView):
    """The list of steps. Emits `keyPressed(key)` for its own keys, before they reach the window's shortcuts."""

    keyPressed = Signal(int)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            alone = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
            moves = event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in (
                Qt.Key.Key_Up,
                Qt.Key.Key_Down,
            )
            if moves or (alone and event.key() in KEYS):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == RowView.State.EditingState:
            super().keyPressEvent(event)
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in (
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
        ):
            self.moveRequested.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Insert, Qt.Key.Key_F2):
            self.keyPressed.emit(event.key())
        else:
            super().keyPressEvent(event)


class AdventureDock(Dock):
    """The steps of the adventure.

    Emits `openRequested(key)`, `addRequested(kind, text)`, `findRequested(key)` for a missing file,
    `editRequested(key)`, `stepRequested(direction)` and `newRequested`.
    """

    name = "adventure"
    openRequested = Signal(str)
    addRequested = Signal(str, str)
    findRequested = Signal(str)
    editRequested = Signal(str)
    stepRequested = Signal(int)
    newRequested = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.current: CurrentAdventure
        self.model: AdventureModel
        self.heading = layout.ElidedLabel("", "strong")
        self.view = StepView(row_height=ROW_HEIGHT)
        self.view.setAccessibleName(tr("ui.adventure.title"))
        self.view.setItemDelegate(StepDelegate(self.view))
        self.totals = plain_label("", "caption", "muted", wraps=True)
        add = text_button("plus", tr("ui.adventure.add"))
        set_menu(add, self.fill_menu)
        back = tool_button("chevron-left", tr("ui.action.previous-adventure-step"), lambda: self.stepRequested.emit(-1))
        forth = tool_button("chevron-right", tr("ui.action.next-adventure-step"), lambda: self.stepRequested.emit(1))
        add.setToolTip(escaped_tooltip(f"{tr('ui.adventure.add')} (Ins)"))
        for button in (back, forth):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = layout.fill(layout.horizontal(margins=(12, GAP, GAP, 0)), (self.heading, 1), back, forth)
        foot = layout.fill(layout.vertical(margins=(12, GAP, 12, GAP)), add, self.totals)
        whole = QWidget()
        layout.fill(layout.vertical(whole, spacing=0), head, (self.view, 1), foot)
        self.empty = layout.EmptyState("map-marker-path", tr("ui.adventure.empty"), tr("ui.adventure.new"))
        self.empty.clicked.connect(self.newRequested)
        self.set_pages(self.empty, whole)

    def use_services(self, services: Services) -> None:
        self.current = services.controller(CurrentAdventure)
        self.model = AdventureModel(self.current, services.workspace, self)
        self.view.setModel(self.model)
        self.view.rowActivated.connect(self._activate)
        self.view.removeRequested.connect(self.remove)
        self.view.moveRequested.connect(self.move_step)
        self.view.keyPressed.connect(self._on_key)
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
        if opened.adventure is None and opened.findings:
            lines = [tr("ui.files.first-finding", line=opened.findings[0].line, message=opened.findings[0].text)]
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
        step = self.current.open.step(key) if kind == STEP and self.current.open is not None else None
        if kind == "file":
            self.addRequested.emit("encounter", key)
        elif step is not None and step.part:
            self.editRequested.emit(key)
        elif index.data(STRUCK_ROLE):
            menu = QMenu(self.view)
            menu.addAction(tr("ui.adventure.find"), partial(self.findRequested.emit, key))
            menu.addAction(tr("ui.adventure.remove"), self.remove)
            pop_up(menu, self.view.viewport().mapToGlobal(self.view.visualRect(index).bottomLeft()))
        elif step is not None:
            self.openRequested.emit(key)

    def _on_key(self, key: int) -> None:
        if key == Qt.Key.Key_Insert:
            menu = QMenu(self.view)
            self.fill_menu(menu)
            pop_up(menu, self.view.viewport().mapToGlobal(QPoint(0, 0)))
        elif key == Qt.Key.Key_F2 and self.key:
            self.view.edit(self.view.currentIndex())
        elif key == Qt.Key.Key_Space and self.key:
            self.toggle_done()

    def toggle_done(self) -> None:
        """Mark the selected step as done, or as not done."""
        key, now = self.key, now_text()
        is_done = key in self.current.run.by_key
        self.current.change_run(lambda run: without_done(run, key) if is_done else with_done(run, StepDone(key, now)))
        self.current.changed.emit()

    def remove(self) -> None:
        """Take the selected step off the list. Its file stays."""
        key, plan = self.key, self.current.plan
        if key:
            row = self.view.currentIndex().row()
            self.current.edit("remove", tuple(s for k, s in zip(plan.keys, plan.steps, strict=True) if k != key))
            self.view.go_to(min(row, self.model.rowCount() - 1))

    def move_step(self, by: int) -> None:
        """Move the selected step up or down."""
        steps, place = list(self.current.plan.steps), self.current.plan.place_of(self.key)
        if place >= 0 and 0 <= place + by < len(steps):
            steps.insert(place + by, steps.pop(place))
            self.current.edit("move", tuple(steps))

    def _rename(self, key: str, title: str) -> None:
        step = self.current.open.step(key) if self.current.open is not None else None
        if step is not None:
            field = "part" if step.part else "scene" if step.kind in ("scene", "rest") else "title"
            self.current.replace_step(key, msgspec.structs.replace(step, **{field: title}), "edit")

    def fill_menu(self, menu: QMenu) -> None:
        """Fill a menu with the steps that can be added."""
        for kind in ("new", "scene", "part"):
            menu.addAction(tr(f"ui.adventure.add-{kind}"), partial(self._ask, kind))
        for rest in RESTS:
            menu.addAction(tr(f"ui.adventure.add-{rest}"), partial(self.addRequested.emit, "rest", rest))
        listed = {step.encounter for step in self.current.plan.steps}
        names = encounter_files(self.current.open.folder) if self.current.open is not None else ()
        for name in names:
            if name not in listed:
                menu.addAction(name.replace("&", "&&"), partial(self.addRequested.emit, "encounter", name))

    def _ask(self, kind: str) -> None:
        text, agreed = QInputDialog.getText(self, tr("ui.adventure.title"), tr(f"ui.adventure.ask-{kind}"))
        if agreed and text.strip():
            self.addRequested.emit(kind, text.strip())
