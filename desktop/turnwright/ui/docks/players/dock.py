"""The Players panel: a live preview of the players' screen, its pages, texts to send, known names, and settings."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, get_args

from PySide6 import QtWidgets
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from turnwright.encounter.prepared import Creature, Handout
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import scene_of
from turnwright.play.table.game_master import SetKnownName
from turnwright.players.view import ViewMode
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.players.screen import SIDES, PlayersScreen
from turnwright.ui.docks.players.thumbnail import Thumbnail
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import escaped_tooltip, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.players.window import screen_name
from turnwright.ui.services.actions import native_keys
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.services.settings_store import ask_open_path, local_files
from turnwright.ui.widgets.fields import ComboBox, with_options
from turnwright.ui.widgets.layout import FlowRow, SectionHeader, fill, frameless_scroll_area, horizontal, vertical
from turnwright.ui.widgets.text import name_and_tip, named, plain_label, push_button, tool_button

NAME, SHOWN_AS = range(2)
MOST_ROWS = 8


class NamesTable(QtWidgets.QTableWidget):
    """Creature names that players know, and false names shown instead. Editable in place, with undo."""

    def __init__(self, document: DocumentModel) -> None:
        super().__init__(0, 2)
        self._document = document
        self._filling = False
        self._of_row: list[str] = []  # for each row, the id of a combatant of that kind
        self.setHorizontalHeaderLabels([tr("ui.players.known"), tr("ui.players.shown-as")])
        self.setAccessibleName(tr("ui.players.names"))
        self.verticalHeader().hide()
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        header = self.horizontalHeader()
        header.setSectionResizeMode(NAME, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(SHOWN_AS, QtWidgets.QHeaderView.ResizeMode.Stretch)
        self.itemChanged.connect(self._on_edited)
        self.refresh()

    def refresh(self) -> None:
        """Show a row for each kind of creature in the fight."""
        encounter = self._document.encounter
        firsts: dict[str, Combatant] = {}
        counts = Counter[str]()
        for combatant in encounter.all(Combatant):
            if not is_ours(encounter, combatant):
                kind = combatant.creature or combatant.id
                firsts.setdefault(kind, combatant)
                counts[kind] += 1
        self._filling = True
        self._of_row = [first.id for first in firsts.values()]
        self.setRowCount(len(firsts))
        for row, (kind, combatant) in enumerate(firsts.items()):
            self._fill_row(row, combatant, counts[kind], self._known(combatant))
        self._filling = False
        self._fit()

    def _known(self, combatant: Combatant) -> KnownName | None:
        """Return the name that players know for creatures of a combatant's kind, or None if they don't know it."""
        id = kind_id(combatant.creature) if combatant.creature else combatant.id
        return self._document.encounter.get(KnownName, id)

    def _fill_row(self, row: int, combatant: Combatant, count: int, known_name: KnownName | None) -> None:
        creature = self._document.encounter.get(Creature, combatant.creature) if combatant.creature else None
        own = creature.name if creature is not None else combatant.label
        name = QtWidgets.QTableWidgetItem(tr("ui.players.many", name=own, n=count) if count > 1 else own)
        name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
        name.setCheckState(Qt.CheckState.Checked if known_name is not None else Qt.CheckState.Unchecked)
        shown_as = QtWidgets.QTableWidgetItem(known_name.shown_as if known_name is not None else "")
        self.setItem(row, NAME, name)
        self.setItem(row, SHOWN_AS, shown_as)

    def _fit(self) -> None:
        """Fit the table's height to its rows, up to `MOST_ROWS`."""
        height = self.fontMetrics().height() + scaled(8)
        for row in range(self.rowCount()):
            self.setRowHeight(row, height)
        rows = min(MOST_ROWS, self.rowCount()) * height
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth() + rows)

    def _on_edited(self, item: QtWidgets.QTableWidgetItem) -> None:
        if self._filling:
            return
        who = self._of_row[item.row()]
        name_item, shown_as_item = self.item(item.row(), NAME), self.item(item.row(), SHOWN_AS)
        text = shown_as_item.text().strip() if shown_as_item is not None else ""
        is_known = name_item is not None and name_item.checkState() == Qt.CheckState.Checked
        if item.column() == NAME and not is_known:
            command = SetKnownName((who,), forget=True)
        elif item.column() == SHOWN_AS and not text:
            known_name = self._known(self._document.encounter.need(Combatant, who))
            if known_name is None or not known_name.shown_as:
                return
            command = SetKnownName((who,), forget=True)  # the real name stays unknown even if the false one is deleted
        else:
            command = SetKnownName((who,), text)
        self._document.execute(command)
        self.refresh()


MODES = window_data("icon.modes", dict[ViewMode, str])
COLUMNS = 3
ZOOM = 1.25
READ_ALOUD, OWN_WORDS = "read-aloud", "own"
HEALTH_MODES = ("words", "numbers", "nothing")
THEMES = ("dark", "light")
TURN_LIMITS = (0, 30, 60, 90, 120, 180, 300)
SECONDS_PER_MINUTE = 60
TEXT_HEIGHT = 72


class PlayersDock(Dock):
    """Controls the players' screen. The panel stays empty until it has the window's services.

    Emits `phonesRequested` to open the settings of the page for phones, and `codeRequested` to show its code to players.
    """

    name = "players"
    phonesRequested = Signal()
    codeRequested = Signal()

    def use_services(self, services: Services) -> None:
        """Create the panel's widgets and connect them to the players' screen."""
        self._players = services.controller(PlayersScreen)
        self.phones_button = push_button("", self.phonesRequested.emit, icon_name="cellphone-link")
        self.code_button = push_button(tr("ui.players.phone-code"), self.codeRequested.emit, icon_name="qrcode")
        self.code_button.setToolTip(escaped_tooltip(tr("ui.players.phone-code-tip")))
        self._build(self._players)
        self._players.stateChanged.connect(self.refresh)
        self._document.follow(self._on_changed)
        self.visibilityChanged.connect(lambda _visible: self._on_changed())
        self.refresh()

    def _build(self, players: PlayersScreen) -> None:
        self.thumbnail = Thumbnail(players, "thumbnail", lambda: players.view)
        self.coming_title = plain_label(tr("ui.players.coming"), "caption", "muted")
        self.coming = Thumbnail(players, "coming", lambda: players.coming)
        self.status = plain_label("", "caption", "muted", wraps=True)
        self.mode_buttons = {mode: self._mode_button(mode, symbol) for mode, symbol in MODES.items()}
        self.open_button = push_button("", players.toggle_window, icon_name="monitor-screenshot")
        self.hold_button = push_button(tr("ui.players.hold"), players.toggle_hold, icon_name="pause")
        self.hold_button.setToolTip(escaped_tooltip(tr("ui.players.hold-tip")))
        self.screen_choice = named(ComboBox(), tr("ui.players.screen"))
        self.screen_choice.activated.connect(self._choose_screen)
        self.what = named(ComboBox(), tr("ui.players.send-what"))
        self.what.currentIndexChanged.connect(lambda _at: self._show_words())
        self.map_tools = self._map_tools(players)
        self.words = QtWidgets.QPlainTextEdit(placeholderText=tr("ui.players.words"), tabChangesFocus=True)
        self.words.setAccessibleName(tr("ui.players.words"))
        self.words.setFixedHeight(scaled(TEXT_HEIGHT))
        self.send_button = push_button(tr("ui.players.send"), self._send, icon_name="send")
        self.back_button = push_button(tr("ui.players.stop-showing"), players.take_handout_back)
        self.file_button = push_button(tr("ui.players.picture-file"), self._ask_picture, icon_name="image-outline")
        self.paste_button = push_button(tr("ui.players.picture-paste"), players.paste_picture)
        for button in (self.file_button, self.paste_button):
            button.setToolTip(escaped_tooltip(tr("ui.players.picture-tip")))
        self.setAcceptDrops(True)
        self.words.setAcceptDrops(False)  # so that a picture dropped here is sent instead of its path inserted
        self.names = NamesTable(self._document)
        modes = [(mode, tr(f"ui.players.health-as-{mode}")) for mode in HEALTH_MODES]
        self.health = {side: _choice(f"health-{side}", modes, partial(players.set_health, side)) for side in SIDES}
        self.title_box = _box("show-title", lambda on: players.set_options(players_title=on))
        self.fog_box = _box("fog-hides", lambda on: players.set_options(players_fog_hides=on))
        self.countdowns_box = _box("show-countdowns", lambda on: players.set_options(players_countdowns=on))
        sides = ("own", "other")
        self.effect_boxes = {side: _box(f"show-effects-{side}", partial(players.set_effects, side)) for side in sides}
        themes = [(theme, tr(f"ui.players.theme-{theme}")) for theme in THEMES]
        self.theme_choice = _choice("theme", themes, players.set_theme)
        limits = [(seconds, _limit_text(seconds)) for seconds in TURN_LIMITS]
        self.limit_choice = _choice("turn-limit", limits, players.set_turn_limit)
        self.setWidget(self._laid_out())

    def _laid_out(self) -> QtWidgets.QWidget:
        inside = QtWidgets.QWidget()
        column = vertical(inside, spacing=8, margins=(12, 8, 12, 8))
        fill(column, self.thumbnail, self.status, self.coming_title, self.coming)
        column.addWidget(fill(FlowRow(), self.open_button, self.hold_button, self.phones_button, self.code_button))
        grid = QtWidgets.QGridLayout()
        grid.setSpacing(scaled(4))
        for place, button in enumerate(self.mode_buttons.values()):
            grid.addWidget(button, place // COLUMNS, place % COLUMNS)
        fill(column, grid, self.map_tools, _row("screen", self.screen_choice))
        fill(column, SectionHeader(tr("ui.players.send-title")), self.what, self.words)
        column.addWidget(fill(FlowRow(), self.send_button, self.back_button))
        column.addWidget(fill(FlowRow(), self.file_button, self.paste_button))
        fill(column, SectionHeader(tr("ui.players.names")), self.names, SectionHeader(tr("ui.players.see")))
        fill(column, *(_row(f"health-{side}", choice) for side, choice in self.health.items()))
        fill(column, _row("turn-limit", self.limit_choice), _row("theme", self.theme_choice))
        fill(column, *self.effect_boxes.values(), self.fog_box, self.title_box, self.countdowns_box)
        column.addStretch()
        return frameless_scroll_area(inside)

    def _map_tools(self, players: PlayersScreen) -> QtWidgets.QWidget:
        """Create the controls for the part of the map that players see."""
        tools = FlowRow()
        buttons = (
            ("magnify-minus-outline", "map-out", lambda: players.zoom_map(1 / ZOOM)),
            ("magnify-plus-outline", "map-in", lambda: players.zoom_map(ZOOM)),
            ("fit-to-screen-outline", "map-all", players.fit_map),
            ("rotate-right", "map-turn", players.turn_map),
        )
        fill(tools, *(tool_button(symbol, tr(f"ui.players.{name}"), act) for symbol, name, act in buttons))
        self.follow_box = _box("map-follow", lambda on: players.change(map_follows=on))
        self.prepared_box = _box("map-prepared", lambda on: players.change(has_prepared_map=on))
        self.inch_box = _box("map-inch", lambda on: players.set_inch_squares(is_on=on))
        prefix, suffix = tr("ui.players.map-diagonal-prefix"), tr("ui.players.map-diagonal-unit")
        self.diagonal = QtWidgets.QDoubleSpinBox(maximum=200, decimals=1, prefix=prefix, suffix=suffix)
        self.diagonal.setSpecialValueText(tr("ui.players.map-diagonal-none"))
        name_and_tip(self.diagonal, tr("ui.players.map-diagonal"))
        self.diagonal.editingFinished.connect(lambda: players.set_options(players_diagonal=self.diagonal.value()))
        self.floor_box = _box("map-floor", lambda on: players.change(floor=self._document.floor.id if on else ""))
        return fill(tools, self.prepared_box, self.floor_box, self.follow_box, self.inch_box, self.diagonal)

    def _mode_button(self, mode: ViewMode, symbol: str) -> QtWidgets.QPushButton:
        button = push_button(tr(f"ui.players.mode-{mode}"), partial(self._set_mode, mode))
        button.setProperty("kind", "bulk")
        button.setIcon(icon(symbol))
        button.setCheckable(True)
        button.setToolTip(escaped_tooltip(native_keys(f"Alt+{get_args(ViewMode).index(mode) + 1}")))
        return button

    def _set_mode(self, mode: ViewMode) -> None:
        self._players.set_mode(mode)
        self.refresh()  # a button stays checked if it is clicked again

    # Showing the state -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the current state of the players' screen."""
        players, showing = self._players, self._players.presenter.showing
        for mode, button in self.mode_buttons.items():
            button.setChecked(showing.mode == mode)
        self.map_tools.setVisible(showing.mode == "map")
        self.follow_box.setChecked(showing.map_follows)
        self.prepared_box.setChecked(showing.has_prepared_map)
        self.floor_box.setChecked(bool(showing.floor))
        self.floor_box.setVisible(bool(self._document.floor.name))
        self.inch_box.setChecked(players.has_inch_squares)
        if not self.diagonal.hasFocus():
            self.diagonal.setValue(players.diagonal)
        self.open_button.setText(tr("ui.players.close" if players.is_open else "ui.players.open"))
        self.hold_button.setText(tr("ui.players.go-on" if players.presenter.is_held else "ui.players.hold"))
        self.phones_button.setText(tr("ui.players.phones-on" if players.has_phones else "ui.players.phones"))
        self.code_button.setVisible(players.has_phones)
        self.status.setText(self._status_text())
        for widget in (self.coming_title, self.coming):
            widget.setVisible(players.presenter.is_held or players.presenter.reveal is not None)
        self.coming.update()
        self._list_screens()
        self._list_sendable()
        self.names.refresh()
        for side, choice in self.health.items():
            choice.setCurrentIndex(choice.findData(showing.health_mode(side)))
        self.fog_box.setChecked(showing.fog_hides)
        self.title_box.setChecked(showing.has_title)
        self.countdowns_box.setChecked(showing.has_countdowns)
        self.effect_boxes["own"].setChecked(showing.has_own_effects)
        self.effect_boxes["other"].setChecked(showing.has_other_effects)
        self.theme_choice.setCurrentIndex(self.theme_choice.findData("dark" if players.theme.dark else "light"))
        self.limit_choice.setCurrentIndex(max(0, self.limit_choice.findData(players.presenter.turn_limit)))
        self.back_button.setEnabled(showing.handout is not None)

    def _on_changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def _status_text(self) -> str:
        players = self._players
        if players.problem:
            return players.problem
        if players.presenter.is_held:
            return tr("ui.players.is-held")
        if players.presenter.showing.mode == "map" and not players.presenter.showing.has_map_picture:
            return tr("ui.players.map-picture-missing")
        return tr("ui.players.is-open" if players.is_open else "ui.players.is-closed")

    def _list_screens(self) -> None:
        screens = self._players.screens()
        self.screen_choice.clear()
        for screen in screens:
            self.screen_choice.addItem(screen_name(screen))
        if not screens:
            self.screen_choice.addItem(tr("ui.players.no-screen"))
        self.screen_choice.setEnabled(bool(screens))
        if (chosen_screen := self._players.screen) is not None:
            self.screen_choice.setCurrentIndex(screens.index(chosen_screen))

    def _list_sendable(self) -> None:
        """List the texts and handouts that can be sent, and keep the current choice."""
        encounter, current = self._document.encounter, self.what.currentData()
        items = [(OWN_WORDS, tr("ui.players.own-words"))]
        if scene_of(encounter).read_aloud.strip():
            items.append((READ_ALOUD, tr("ui.players.read-aloud")))
        items += [(f"handout {handout.id}", handout.title or handout.id) for handout in encounter.all(Handout)]
        if [self.what.itemData(at) for at in range(self.what.count())] == [id for id, _ in items]:
            return
        self.what.blockSignals(True)
        self.what.clear()
        with_options(self.what, items)
        self.what.setCurrentIndex(max(0, self.what.findData(current)))
        self.what.blockSignals(False)
        self._show_words()

    def _show_words(self) -> None:
        self.words.setVisible(self.what.currentData() == OWN_WORDS)

    # Pictures --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        event.setAccepted(data.hasImage() or bool(local_files(data)))

    def dropEvent(self, event: QDropEvent) -> None:
        """Send the dropped picture."""
        if self._players.send_data(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def _ask_picture(self) -> None:
        encounter = self._document.source.path
        folder = encounter.parent if encounter is not None else Path()
        if (path := ask_open_path(self, tr("ui.portrait.choose"), folder, tr("ui.portrait.kind"))) is not None:
            self._players.send_file(path)

    # Commands --------------------------------------------------------------------------------------------------------

    def _choose_screen(self, at: int) -> None:
        screens = self._players.screens()
        if at < len(screens):
            self._players.choose_screen(screens[at])

    def _send(self) -> None:
        """Send the selected text or handout."""
        item = str(self.what.currentData())
        if item == OWN_WORDS:
            self._players.send_text(self.words.toPlainText())
        elif item == READ_ALOUD:
            self._players.send_text(scene_of(self._document.encounter).read_aloud)
        elif (handout := self._document.encounter.get(Handout, item.removeprefix("handout "))) is not None:
            self._players.send_handout(handout)


def _row(name: str, widget: QtWidgets.QWidget) -> QtWidgets.QWidget:
    row = QtWidgets.QWidget()
    label = plain_label(tr(f"ui.players.{name}"), "body", "muted")
    fill(horizontal(row), (label, 2, Qt.AlignmentFlag.AlignVCenter), (widget, 3))
    return row


def _box(name: str, switch: Callable[[bool], object]) -> QtWidgets.QCheckBox:
    box = QtWidgets.QCheckBox(tr(f"ui.players.{name}"))
    box.toggled.connect(switch)
    return box


def _choice(name: str, items: Iterable[tuple[object, str]], choose: Callable[[Any], object]) -> ComboBox:
    choice = with_options(named(ComboBox(), tr(f"ui.players.{name}")), items)
    choice.activated.connect(lambda at: choose(choice.itemData(at)))
    return choice


def _limit_text(seconds: int) -> str:
    if not seconds:
        return tr("ui.players.no-limit")
    if seconds % SECONDS_PER_MINUTE:
        return tr("ui.players.limit-seconds", n=seconds)
    return tr("ui.players.limit-minutes", n=seconds // SECONDS_PER_MINUTE)
