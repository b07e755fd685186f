"""Contents of the window: actions, docks, tool bars, messages and the status bar, updated when the document changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QStatusBar, QTabWidget, QToolButton, QWidget

from turnwright.play.kernel.scheduler import Changed
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.dialogs.message_bar import MessageBar
from turnwright.ui.docks import arrangements, docking
from turnwright.ui.look.style import ThemeSource, scaled, set_role, tr
from turnwright.ui.services import document_model, encounter_status, services
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.ui.shell import controllers, tool_bar, window_actions
from turnwright.ui.widgets.dialog import ProgressDialog
from turnwright.ui.widgets.text import plain_label, text_button

if TYPE_CHECKING:
    from turnwright.ui.docks.map.dock import MapDock
    from turnwright.ui.docks.turn.dock import TurnDock
    from turnwright.workspace.document import AppContext


DOCK_BUTTONS = (("journal", "script-text-outline"), ("problems", "alert-circle-outline"))


class StatusBar:
    """Fills a status bar. `refresh` must be called after every change."""

    def __init__(self, bar: QStatusBar, docks: docking.Docks, document: document_model.DocumentModel) -> None:
        self._docks = docks
        self._document = document
        self._status = encounter_status.EncounterStatus(document)
        bar.setSizeGripEnabled(False)
        self.buttons = {id: self._button(bar, id, icon_name) for id, icon_name in DOCK_BUTTONS}
        self._dice = plain_label("", "caption", "muted")
        self._file = plain_label("", "caption", "muted")
        for label in (self._dice, self._file):
            label.setContentsMargins(scaled(12), 0, scaled(12), 0)
            bar.addPermanentWidget(label)

    def refresh(self) -> None:
        """Update the contents of the status bar."""
        for id, button in self.buttons.items():
            button.setChecked(self._docks.is_open(id))
            button.setText(self._docks.all[id].windowTitle())
        self._file.setText(self._file_words())
        self._dice.setText(tr(f"ui.status.dice-{self._status.dice_mode}"))

    def _file_words(self) -> str:
        document = self._document.source
        if document.read_only:
            return tr("ui.status.read-only")
        if document.path is None:
            return tr("ui.status.no-file")
        return tr("ui.status.unsaved" if document.is_modified else "ui.status.saved")

    def _button(self, bar: QStatusBar, id: str, icon_name: str) -> QToolButton:
        button = text_button(icon_name, tr(f"ui.dock.{id}"))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(button, "caption")
        button.clicked.connect(lambda checked, id=id: self._docks.set_open(id, is_open=checked))
        bar.addWidget(button)
        return button


LIST_MENUS = ("open-sample", "open-recent", "export")


class WindowContent(QObject):
    """Fills one window. Emits `docksBuilt` when all docks are built."""

    docksBuilt = Signal()

    def __init__(
        self,
        window: QMainWindow,
        document: document_model.DocumentModel,
        workspace: AppContext,
        settings_store: SettingsStore,
        theme: ThemeSource,
    ) -> None:
        super().__init__(window)
        self.window = window
        self.document = document
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = docking.Docks(window, arrangements.DOCKS, self._make_dock)
        messages = services.Messages(document, self._make_bar)
        self.services = services.Services(
            window=window,
            document=document,
            workspace=workspace,
            settings_store=settings_store,
            theme=theme,
            status=encounter_status.EncounterStatus(document),
            messages=messages,
            jobs=services.Jobs(messages, lambda title: ProgressDialog(title, self.window), self),
            docks=self.docks,
            layout=docking.DockLayout(window, self.docks, settings_store, theme),
        )
        self.file_controller = self.services.controller(FileController)
        self.window_actions = self.services.actions = window_actions.action_table().install(window, self.services)
        self.tool_bar = tool_bar.ToolBar(
            self.window_actions, ("new", "open", "save"), ("roll-dice", "undo", "redo", "palette"), ("prepare", "run")
        )
        window.addToolBar(self.tool_bar)
        self.question_bar = tool_bar.QuestionBar(self.window_actions)
        self.status = StatusBar(window.statusBar(), self.docks, document)
        self.undo_keys = window_actions.UndoKeys(self.document, self)
        self._fill_lists()
        self._connect()
        if self.services.status.is_unused:
            self.services.layout.show_start()
        else:
            self.services.layout.lay_out()
        self.refresh()
        if not self.services.layout.has_start:
            window.setFocus()
        controllers.connect("window", window, self.services)
        self.docks.allBuilt.connect(self._take_focus)
        self.docks.allBuilt.connect(self._watch_players)
        self.docks.allBuilt.connect(self.docksBuilt)
        self.docks.build_all()

    def _take_focus(self) -> None:
        """Begin on the start page, or in the turn order while running, unless something else has got the focus."""
        if self.window.focusWidget() not in (None, self.window):
            return
        if self.services.layout.has_start:
            self.docks.focus_dock(arrangements.START)
        elif self.services.layout.arrangement == "run":
            controllers.call(self.services, "run.go_home")

    def _watch_players(self) -> None:
        """Show in the tool bars what players see that is old, and what they would see again."""
        players = controllers.part_of(self.services, "players")
        for signal in (players.stateChanged, players.viewChanged, self.services.layout.arranged):
            signal.connect(self._show_players)
        self._show_players()

    def _show_players(self) -> None:
        players = controllers.part_of(self.services, "players")
        self.tool_bar.show_players(players.state)
        self.question_bar.ask(self.window, players.reveal_labels)
        if (map_dock := self.docks.built("map")) is not None:
            cast("MapDock", map_dock).show_frame(players.map_frame)

    def _make_dock(self, kind: docking.DockClass) -> QDockWidget:
        dock = kind(self.document, self.services.theme, self.window)
        controllers.connect_dock(dock, self.services)
        return dock

    def first_by_tab(self) -> list[QWidget]:
        """Return the widgets that the Tab key visits first: docks used in a hurry, then the message buttons."""
        docks: list[QWidget] = [*self.docks.first_by_tab()]
        messages = self.services.messages
        return [*docks, messages.bar] if docks and messages.is_bar_made else docks

    # Contents ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the window title, the texts of undo and redo, and the enabled actions."""
        self.window_actions.refresh()
        document = self.document.source
        self.services.settings_store.update(last_game=self.document.rules.id)
        self.services.layout.follow_phase(self.services.status.phase)
        self.window.setWindowTitle(tr("ui.window.title", title=document.title or tr("ui.window.untitled")))
        self.window.setWindowModified(document.is_modified)
        self.status.refresh()
        self._name_undo()
        layout = self.services.layout
        self.tool_bar.show_encounter(
            self.document.encounter,
            self.document.rules,
            preparing=layout.arrangement == "prepare",
            has_start=layout.has_start or layout.has_page,
        )

    def _name_undo(self) -> None:
        texts = {}
        for id, label in (("undo", self.services.status.undo_label), ("redo", self.services.status.redo_label)):
            text = tr(f"ui.action.{id}")
            if label is not None:
                what = self.document.phrasebook.phrase_text(label).replace("&", "&&")
                text = tr(f"ui.action.{id}-what", what=what)
            texts[id] = text
        self.window_actions.set_texts(texts)

    def _make_bar(self) -> MessageBar:
        bar = MessageBar(self.window, self._message_place)
        bar.focusReleased.connect(self._leave_messages)
        self.docks.docksChanged.connect(bar.settle)  # a dock that is built or raised would cover it
        self.services.layout.arranged.connect(bar.settle)
        return bar

    def _leave_messages(self) -> None:
        if self.services.layout.arrangement == "run":
            controllers.call(self.services, "run.go_home")
        else:
            self.docks.focus_arrangement(None)

    def _message_place(self) -> QWidget | None:
        """Return the widget over which messages appear: the active turn's stage while running, otherwise None."""
        turn = self.docks.built("turn") if self.services.layout.arrangement == "run" else None
        return cast("TurnDock", turn).stage if turn is not None else None

    def _fill_lists(self) -> None:
        for id in LIST_MENUS:
            menu = QMenu(self.window)
            menu.aboutToShow.connect(lambda id=id, menu=menu: self._fill_list(id, menu))
            self.window_actions.action(id).setMenu(menu)
        if hasattr(QMenu, "setAsDockMenu"):  # macOS only
            dock_menu = QMenu(self.window)
            dock_menu.aboutToShow.connect(lambda: self._fill_list("open-recent", dock_menu))
            dock_menu.setAsDockMenu()  # type: ignore[attr-defined]

    def _fill_list(self, id: str, menu: QMenu) -> None:
        menu.clear()
        for entry in controllers.part_of(self.services, "palette").choices(id):
            menu.addAction(entry.text.replace("&", "&&")).triggered.connect(lambda _checked=False, run=entry.run: run())

    def _connect(self) -> None:
        document, settings_store = self.document, self.services.settings_store
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._on_document)
        document.saved.connect(self.refresh)
        self.services.layout.arranged.connect(self._on_arranged)
        self.docks.docksChanged.connect(self.refresh)
        menu = self.window_actions.menus["manual"]
        menu.aboutToShow.connect(lambda: controllers.part_of(self.services, "manual").complete_menu(menu))
        settings_store.failed.connect(lambda: self.services.messages.notify(tr("ui.settings.failed"), "warn"))

    def _on_changed(self, _changed: Changed) -> None:
        self.services.layout.leave_start()
        self.refresh()

    def _on_arranged(self) -> None:
        self.refresh()
        if self.services.status.phase == "rounds":
            controllers.part_of(self.services, "run").offer_prepared()

    def _on_document(self) -> None:
        if not self.services.status.is_unused:
            self.services.layout.leave_start()
        self.window_actions.update_texts()
        self.refresh()
