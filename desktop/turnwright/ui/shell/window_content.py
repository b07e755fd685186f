"""Contents of the window: actions, docks, tool bars and messages, which are updated when the document changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMenu, QTabBar, QTabWidget, QWidget

from turnwright.play.kernel.steps import Changed
from turnwright.play.kernel.transaction import Refused
from turnwright.ui.docks.arrangements import (
    DOCKS,
    LAYOUTS,
    ArrangementName,
    apply_arrangement,
    big_scale,
    has_room,
    layout_name,
    set_sizes,
    tab_bars,
)
from turnwright.ui.docks.dock_connections import WindowSlots, connect_dock
from turnwright.ui.docks.docking import DockClass, Docks
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.settings_store import SettingsStore, bytes_of, text_of
from turnwright.ui.services.timers import single_shot_timer
from turnwright.ui.services.window_parts import WindowParts
from turnwright.ui.shell.action_context import ActionContext
from turnwright.ui.shell.status_bar import StatusBar
from turnwright.ui.shell.tool_bar import ToolBar
from turnwright.ui.shell.undo_keys import UndoKeys
from turnwright.ui.shell.window_actions import action_table
from turnwright.workspace.text import Phrasebook

if TYPE_CHECKING:
    from turnwright.play.kernel.commands import Command
    from turnwright.ui.dialogs.message_bar import MessageBar
    from turnwright.ui.docks.turn.dock import TurnDock
    from turnwright.ui.shell.window import MainWindow
    from turnwright.workspace.app_context import AppContext

LIST_MENUS = ("open-sample", "open-recent", "export")


class WindowContent(QObject):
    """Fills one window. Emits `docksBuilt` when all docks are built."""

    docksBuilt = Signal()

    def __init__(
        self,
        window: MainWindow,
        document: DocumentModel,
        workspace: AppContext,
        settings_store: SettingsStore,
        theme: ThemeSource,
    ) -> None:
        super().__init__(window)
        self.window = window
        self.document = document
        self.settings_store = settings_store
        self.theme = theme
        self.arrangement: ArrangementName = settings_store.settings.arrangement
        self._set_type()
        self._had_room = True  # whether the side columns had enough room
        self._widening = single_shot_timer(self, self._follow_width)
        self._messages: MessageBar | None = None
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = Docks(window, DOCKS, self._make_dock)
        parts = WindowParts(window, document, workspace, settings_store, self.messages)
        self.context = ActionContext(parts, self, self.docks, theme)
        self.file_controller = self.context.files
        self._slots = self._make_slots()
        self.window_actions = action_table().install(window, lambda: self.context, self._perform)
        self.tool_bar = ToolBar(
            self.window_actions, ("new", "open", "save"), ("roll-dice", "undo", "redo", "palette"), ("prepare", "run")
        )
        window.addToolBar(self.tool_bar)
        self.status = StatusBar(window.statusBar(), self.docks, document)
        self.undo_keys = UndoKeys(self.document, self)
        self._fill_lists()
        self._connect()
        self._lay_out()
        window.resized.connect(self._on_resized)
        self.refresh()
        window.setFocus()
        self.docks.allBuilt.connect(self.docksBuilt)
        self.docks.build_all()

    def _make_slots(self) -> WindowSlots:
        """Return the window slots for the signals of docks."""
        context = self.context
        return WindowSlots(
            open_record=context.view.open_record,
            open_file=lambda path: context.files.open(Path(path)),
            leave_rules=context.rule_navigation.back,
            open_manual_form=lambda id: context.manual.open_form(id),  # noqa: PLW0108 - created on first call
            use_roll=context.run.use_roll,
            go_home=context.run.go_home,
            begin_rounds=context.run.begin,
            choose_target=context.run.choose_target,
            lay_area=context.run.lay_area,
            show_journal=lambda: context.docks.focus_dock("journal"),
            portraits=lambda: context.portraits,
            find_map_picture=lambda: context.maps.ask_missing_picture(),  # noqa: PLW0108
            show_report=lambda: context.docks.focus_dock("report"),
            print_report=lambda edition: context.printing.open_report(edition),  # noqa: PLW0108
            players=lambda: context.players,
            open_phones=lambda: context.phones.open(),  # noqa: PLW0108 - created on first call
            show_phone_code=lambda: context.phones.show_code(),  # noqa: PLW0108
            keep_party=lambda: context.library.keep_party(),  # noqa: PLW0108
            rest_party=lambda party, system: context.library.rest_party(party, system),  # noqa: PLW0108
            write_amount=context.run.write_amount,
            open_condition=context.run.open_condition,
            open_checks=context.run.open_checks,
            open_quick_add=lambda: context.add.open_quick_add(),  # noqa: PLW0108
            open_choices=lambda id: context.palette.open_choices(id),  # noqa: PLW0108
            recent_choices=context.files.recent_choices,
            notify_saved=lambda text: context.library.notify_saved(text),  # noqa: PLW0108
            compare=lambda first, second: context.library.compare(first, second),  # noqa: PLW0108
            ask_save_path=self._ask_save_path,
            settings=lambda: self.settings_store.settings,
            update_settings=self.settings_store.update,
            open_variant_dialog=lambda side, save: context.library.open_variant_dialog(side, save),  # noqa: PLW0108
        )

    def _ask_save_path(self, title: str, suggested: Path, kinds: str, suffix: str) -> Path | None:
        from turnwright.ui.dialogs.save_path import ask_save_path

        return ask_save_path(self.window, title, suggested, kinds, suffix)

    def first_by_tab(self) -> list[QWidget]:
        """Return the widgets that the Tab key visits first: docks used in a hurry, then the message buttons."""
        docks: list[QWidget] = [*self.docks.first_by_tab()]
        return [*docks, self._messages] if docks and self._messages is not None else docks

    # Arrangements --------------------------------------------------------------------------------------------------

    def arrange(self, name: ArrangementName) -> None:
        """Switch to an arrangement and restore its last layout."""
        if name == self.arrangement:
            return
        focused, size = self.window.focusWidget(), self.window.size()
        self.save_layout()
        self.arrangement = name
        self.settings_store.update(arrangement=name)
        self._set_type()
        self._lay_out()
        self.refresh()
        self.docks.focus_arrangement(focused)
        self._keep_size(size)

    def _keep_size(self, size: QSize) -> None:
        """Restore the window's size. It may have grown while fonts and docks of both arrangements were mixed."""
        layout = self.window.layout()
        if layout is not None:
            layout.activate()
        if self.window.size() != size:
            self.window.resize(size)

    def set_big_type(self, big: bool) -> None:
        """Enlarge text and controls while the encounter is running, or use the normal size."""
        self.save_layout()
        self.settings_store.update(big_type=big)
        self._set_type()
        self._lay_out()

    def _set_type(self) -> None:
        """Select the layout and the font size for the current arrangement."""
        runs, width = self.arrangement == "run", self.window.width()
        big = runs and self.settings_store.settings.big_type
        self.theme.set_at_table(runs, big_scale(width) if big else 1.0)
        self._layout = layout_name(self.arrangement, width, big=big)

    def reset_layout(self) -> None:
        """Restore the default layout of the current arrangement."""
        stale = tab_bars(self.window)
        self.docks.prepare_arrangement(LAYOUTS[self._layout])
        apply_arrangement(self.window, self.docks.all, LAYOUTS[self._layout])
        self._finish_layout(stale)

    def _lay_out(self) -> None:
        stale = tab_bars(self.window)
        self.docks.prepare_arrangement(LAYOUTS[self._layout])
        saved_state = self.settings_store.settings.layouts.get(self._layout, "")
        if not (saved_state and self.window.restoreState(bytes_of(saved_state))):
            apply_arrangement(self.window, self.docks.all, LAYOUTS[self._layout])
            QTimer.singleShot(0, self, self._set_sizes)  # repeat this when the window has its final size
        self._finish_layout(stale)

    def _set_sizes(self) -> None:
        set_sizes(self.window, self.docks.all, LAYOUTS[self._layout])

    def _on_resized(self) -> None:
        self._had_room = self._had_room and has_room(self.window, LAYOUTS[self._layout])
        self._widening.start()

    def _follow_width(self) -> None:
        """Repeat the dock layout if the window has become wide or narrow, or its text large or small."""
        big = self.settings_store.settings.big_type
        if self._layout != layout_name(self.arrangement, self.window.width(), big=big):
            self.save_layout()
            self._set_type()
            self._lay_out()
        if not self._had_room and has_room(self.window, LAYOUTS[self._layout]):
            self._had_room = True
            self._set_sizes()  # Qt never widens columns that it has narrowed

    def _finish_layout(self, stale: Sequence[QTabBar]) -> None:
        self._had_room = has_room(self.window, LAYOUTS[self._layout])
        for bar in stale:
            bar.hide()
        self.window.statusBar().setVisible(self.arrangement != "run")
        self.docks.update_title_bars()

    def save_layout(self) -> None:
        """Save the layout of the docks."""
        layouts = {**self.settings_store.settings.layouts, self._layout: text_of(self.window.saveState())}
        self.settings_store.update(layouts=layouts)

    # Contents ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the window title, the texts of undo and redo, and the enabled actions."""
        self.window_actions.refresh()
        document = self.document.source
        self.settings_store.update(last_game=self.document.rules.id)
        title = document.title or tr("ui.window.untitled")
        self.window.setWindowTitle(tr("ui.window.title", title=title))
        self.window.setWindowModified(document.is_modified)
        self.status.refresh()
        self._name_undo()
        self.tool_bar.show_encounter(
            self.document.encounter, self.document.rules, preparing=self.arrangement == "prepare"
        )

    def _name_undo(self) -> None:
        texts = {}
        for id, label in (("undo", self.context.status.undo_label), ("redo", self.context.status.redo_label)):
            text = tr(f"ui.action.{id}")
            if label is not None:
                what = Phrasebook(self.document.words, self.document.rules).phrase_text(label).replace("&", "&&")
                text = tr(f"ui.action.{id}-what", what=what)
            texts[id] = text
        self.window_actions.set_texts(texts)

    def messages(self) -> MessageBar:
        """Return the message bar."""
        if self._messages is None:
            from turnwright.ui.dialogs.message_bar import MessageBar

            self._messages = MessageBar(self.window, self._message_place)
            self._messages.focusReleased.connect(self._leave_messages)
        return self._messages

    def _leave_messages(self) -> None:
        if self.arrangement == "run":
            self.context.run.go_home()
        else:
            self.docks.focus_arrangement(None)

    def _message_place(self) -> QWidget | None:
        """Return the widget over which messages appear: the active turn's stage while running, otherwise None."""
        turn = self.docks.built("turn") if self.arrangement == "run" else None
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
        for entry in self.context.palette.choices(id):
            menu.addAction(entry.text.replace("&", "&&")).triggered.connect(lambda _checked=False, run=entry.run: run())

    # Connections ---------------------------------------------------------------------------------------------------

    def _perform(self, command: object) -> None:
        self.document.execute(cast("Command", command))

    def _make_dock(self, kind: DockClass) -> QDockWidget:
        dock = kind(self.document, self.theme, self.window)
        connect_dock(dock, self._slots)
        return dock

    def _connect(self) -> None:
        self.document.changed.connect(self._on_changed)
        self.document.documentChanged.connect(self._on_document)
        self.document.saved.connect(self.refresh)
        self.document.refused.connect(self._on_refused)
        self.document.allowed.connect(self._on_allowed)
        self.docks.docksChanged.connect(self._on_docks)
        self.theme.changed.connect(self.docks.follow_scale)
        self.theme.changed.connect(self._widening.start)  # larger text leaves less room
        by_hand = self.window_actions.menus["manual"]
        by_hand.aboutToShow.connect(lambda: self.context.manual.complete_menu(by_hand))
        self.settings_store.failed.connect(lambda: self.messages().notify(tr("ui.settings.failed"), "warn"))

    def _on_changed(self, _changed: Changed) -> None:
        if self._messages is not None:
            self._messages.dismiss_verdict()
        self.refresh()

    def _on_document(self) -> None:
        self.window_actions.update_texts()
        self.refresh()

    def _on_refused(self, refused: Refused, command: Command) -> None:
        self.messages().show_refusal(self.document, refused, command)

    def _on_allowed(self, text: str) -> None:
        self.messages().show_allowed(self.document, text)

    def _on_docks(self) -> None:
        self.window_actions.refresh()
        self.status.refresh()
