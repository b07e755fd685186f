"""The docks of a window, built one after another, visible ones first, and their arrangement with its saved layouts.

An empty placeholder with the same name represents each dock that hasn't been built. Arrangements can therefore be laid
out, saved and restored at any time.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QDockWidget, QHBoxLayout, QMainWindow, QTabBar, QToolButton, QWidget

from turnwright.ui.docks import arrangements
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import SPACE, ThemeSource, base_font, scaled, table_style_sheet, tr
from turnwright.ui.services.settings_store import SettingsStore, bytes_of, text_of
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.layout import ElidedLabel, fill, focus_order
from turnwright.ui.widgets.text import name_and_tip

FIRST = ("roster", "order")  # built and painted before all other docks, since people begin there
CORNER = Qt.DockWidgetArea.LeftDockWidgetArea
FOLLOWED = "is-followed"  # property of a tab bar whose clicks are connected


DockClass = Callable[..., Any]  # called with the document, the theme and the parent
DockFactory = Callable[[DockClass], QDockWidget]


class DockTitleBar(QWidget):
    """Title bar with the dock's name, its optional `title_button`, and float and close buttons. Hidden in tabs."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        self._folded = False
        row = QHBoxLayout(self)
        row.setContentsMargins(scaled(12), scaled(2), scaled(SPACE), scaled(2))
        row.setSpacing(scaled(SPACE) // 2)
        self._name = ElidedLabel(dock.windowTitle(), "caption", tone="muted")
        self._own: QWidget | None = getattr(dock, "title_button", None)
        self._float = self._button("open-in-new", "ui.dock.float", lambda: dock.setFloating(not dock.isFloating()))
        self._close = self._button("close", "ui.dock.close", dock.close)
        fill(row, (self._name, 1), *([self._own] if self._own is not None else ()), self._float, self._close)
        dock.windowTitleChanged.connect(self._name.setText)

    def set_collapsed(self, collapsed: bool) -> None:
        """Collapse the title bar to zero height, or show it."""
        if collapsed != self._folded:
            self._folded = collapsed
            for widget in (self._name, self._own, self._float, self._close):
                if widget is not None:
                    widget.setVisible(not collapsed)
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        if self._folded:
            return QSize(0, 0)
        own = self._own.sizeHint() if self._own is not None else QSize(0, 0)
        return QSize(scaled(80) + own.width(), max(scaled(30), own.height() + scaled(SPACE)))

    sizeHint = minimumSizeHint

    def _button(self, icon_name: str, key: str, slot: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(icon_name, "muted"))
        button.setIconSize(QSize(scaled(14), scaled(14)))
        name_and_tip(button, tr(key, name=self._dock.windowTitle()))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _checked=False: slot())
        return button


class Docks(QObject):
    """The docks of one window by id. Emits `docksChanged` when a dock is shown, hidden, floated or built.

    Emits `allBuilt` after `build_all` has built the last dock, and `startLeft` before it shows another dock than the
    start page while that fills the window.
    """

    docksChanged = Signal()
    allBuilt = Signal()
    startLeft = Signal()

    def __init__(self, window: QMainWindow, specs: Mapping[str, arrangements.DockSpec], make: DockFactory) -> None:
        super().__init__(window)
        self._window = window
        self._specs = specs
        self._make = make
        self.all: dict[str, QDockWidget] = {}  # by id, including placeholders
        self._built: set[str] = set()
        self._ready: dict[str, QDockWidget] = {}  # built docks, to replace their placeholders all at once
        self._unpainted = False  # whether visible docks have changed since the last paint
        self._arrangement: arrangements.Arrangement | None = None
        self._restyling = single_shot_timer(self, self._on_moved)
        self._building = single_shot_timer(self, self._build_next)
        if isinstance(application := QApplication.instance(), QApplication):
            application.focusChanged.connect(self._on_focus)

    # Lookup ------------------------------------------------------------------------------------------------------

    def built(self, id: str) -> QDockWidget | None:
        """Return a dock if it has been built, else None."""
        return self.all[id] if id in self._built else None

    def dock(self, id: str) -> QDockWidget:
        """Return a dock, building it now if necessary."""
        if id not in self._built:
            self._put((id,))
        return self.all[id]

    def is_open(self, id: str) -> bool:
        """Whether a dock is open: on top, behind another tab, or floating."""
        return id in self.all and not self.all[id].isHidden()

    # Visibility and focus ----------------------------------------------------------------------------------------

    def show(self, id: str) -> QDockWidget:
        """Show a dock and bring it to the top of its tabs."""
        if self.is_open(arrangements.START) and id != arrangements.START:
            self.startLeft.emit()
        dock = self.dock(id)
        opens = dock.isHidden()
        dock.show()
        dock.raise_()
        if opens and self.is_folded:
            QTimer.singleShot(0, self, self._set_sizes)  # so that the column takes no space from the left
        return dock

    def _set_sizes(self) -> None:
        if self._arrangement is not None:
            arrangements.set_sizes(self._window, self.all, self._arrangement)

    def is_raised(self, id: str) -> bool:
        """Whether a dock is on top of its tabs and therefore visible."""
        return self.is_open(id) and not self.all[id].visibleRegion().isEmpty()

    def focus_dock(self, id: str) -> None:
        """Show a dock, and focus its most recently focused widget, or its first focusable one."""
        dock = self.show(id)
        dock.activateWindow()
        if hasattr(dock, "focus_prompt") and dock.focus_prompt():
            return
        if (before := dock.focusWidget()) is not None and before.isEnabled() and before.isVisibleTo(dock):
            before.setFocus(Qt.FocusReason.TabFocusReason)
            return
        if hasattr(dock, "prepare"):  # an editor builds its form on demand
            dock.prepare()
        if (first := next(focus_order(dock), None)) is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def first_by_tab(self) -> list[QDockWidget]:
        """Return the docks that the Tab key visits first while running: the active turn and then the turn order."""
        plain = self._arrangement.plain if self._arrangement is not None else ""
        columns = (plain, *self._arrangement.left) if self._arrangement is not None and plain else ()
        return [self.all[id] for id in columns if id in self.all]

    def focus_arrangement(self, focused: QWidget | None) -> None:
        """Move the focus to the middle of the arrangement, or to the visible dock that covers it.

        When a dock is hidden, Qt moves the focus to the next widget, which may be a button of the status bar.
        `focused`, the widget that had the focus before, keeps it if its dock is still visible.
        """
        if self._arrangement is None or not self._window.isActiveWindow():
            return
        raised = [dock for id, dock in self.all.items() if self.is_raised(id)]
        if focused is not None and any(dock.isAncestorOf(focused) for dock in raised):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        candidates = (*self._arrangement.middle, *self._arrangement.left, *self._arrangement.right)
        if (visible := next((id for id in candidates if self.is_raised(id)), None)) is not None:
            self.focus_dock(visible)

    def focus_next_dock(self, step: int) -> None:
        """Move the focus to the next open dock, or to the previous one (`step` -1)."""
        open_docks = [id for id in self._specs if self.is_open(id)]
        if not open_docks:
            return
        focus = QApplication.focusWidget()
        focused = [n for n, id in enumerate(open_docks) if focus is not None and self.all[id].isAncestorOf(focus)]
        current = next(iter(focused), None)
        first = 0 if step > 0 else -1
        self.focus_dock(open_docks[first if current is None else (current + step) % len(open_docks)])

    def follow_scale(self) -> None:
        """Adapt the height of controls in docks used at the table to the current scale."""
        sheet = table_style_sheet(base_font().scale)
        for id, spec in self._specs.items():
            dock = self._ready.get(id) or self.built(id)
            if spec.is_at_table and dock is not None and dock.styleSheet() != sheet:
                dock.setStyleSheet(sheet)

    def set_open(self, id: str, *, is_open: bool) -> None:
        """Show or close a dock."""
        if is_open:
            self.show(id)
        else:
            self.all[id].hide()

    def toggle_right_column(self) -> None:
        """Hide the docks of the right column if any is visible. Otherwise show them all, with the first one on top."""
        right = (*self._arrangement.right, *self._arrangement.right_low) if self._arrangement is not None else ()
        is_visible = any(self.is_raised(id) for id in right)
        for id in reversed(right):
            self.set_open(id, is_open=not is_visible)

    def close_right_column(self) -> None:
        """Hide the docks of the right column."""
        for id in self._arrangement.right if self._arrangement is not None else ():
            self.set_open(id, is_open=False)

    @property
    def is_folded(self) -> bool:
        """Whether the right column is initially hidden and covers part of the middle when it is shown."""
        return self._arrangement is not None and self._arrangement.folded

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Hide a right column that covers the middle as soon as the middle gets the focus."""
        arrangement = self._arrangement
        if arrangement is None or not arrangement.folded or now is None:
            return
        if self.all[arrangement.plain].isAncestorOf(now):
            self.close_right_column()

    def prepare_arrangement(self, arrangement: arrangements.Arrangement) -> None:
        """Prepare an arrangement for its layout: build the middle dock, and create placeholders for the others."""
        self._arrangement = arrangement
        for id in self._specs:
            if id == arrangement.middle[0] and id not in self._built:
                self._change(id, self._real(id))
            elif id not in self.all:
                self._change(id, QDockWidget(tr(f"ui.dock.{id}"), self._window))
            arrangements.set_stretch(self.all[id], arrangement)
            if hasattr(dock := self.all[id], "set_coverable"):
                dock.set_coverable(coverable=arrangement.folded)

    # Construction ------------------------------------------------------------------------------------------------

    def build_all(self) -> None:
        """Build all docks one by one, visible ones first, keeping the window responsive."""
        self._paint_later()

    def _paint_later(self) -> None:
        """Suspend painting until the layout is done, so the window is painted only once. Then continue building."""
        self._unpainted = True
        self._window.setUpdatesEnabled(False)
        self._building.start()

    def _paint(self) -> None:
        self._unpainted = False
        self._window.setUpdatesEnabled(True)
        for id in self._specs:
            dock = self.built(id)
            if dock is not None and hasattr(dock, "prepare_in_sight") and self.is_raised(id):
                dock.prepare_in_sight()
        self._window.repaint()

    def _build_next(self) -> None:
        """Build the next dock. Replace the placeholders of the list of creatures, then of visible docks, then of all others."""
        if self._unpainted:
            self._paint()
            self._building.start()
            return
        waiting = [id for id in self._specs if id not in self._built]
        in_sight = [id for id in waiting if self.is_raised(id)]
        batch = [id for id in in_sight if id in FIRST] or in_sight or waiting
        if unmade := [id for id in batch if id not in self._ready]:
            self._ready[unmade[0]] = self._made(unmade[0])
        elif waiting:
            self._put(batch)
            self._paint_later()
        else:
            self.allBuilt.emit()
            return
        self._building.start()

    def _put(self, ids: Sequence[str]) -> None:
        """Replace placeholders with their docks. All other docks keep their positions."""
        layout = self._window.saveState()
        for id in ids:
            self._change(id, self._real(id))
        self._window.restoreState(layout)
        self.update_title_bars()
        self.docksChanged.emit()

    def _real(self, id: str) -> QDockWidget:
        """Return the dock for a placeholder, building it now if necessary."""
        self._built.add(id)
        return self._ready.pop(id, None) or self._made(id)

    def _made(self, id: str) -> QDockWidget:
        spec = self._specs[id]
        module, _, class_name = spec.path.rpartition(".")
        dock = self._make(getattr(importlib.import_module(f"turnwright.ui.docks.{module}"), class_name))
        if spec.is_at_table:
            dock.setStyleSheet(table_style_sheet(base_font().scale))
        if not dock.windowTitle():
            dock.setWindowTitle(tr(f"ui.dock.{id}"))
        dock.hide()
        return dock

    def _change(self, id: str, dock: QDockWidget) -> None:
        """Replace a dock with another. The new dock stays hidden in a corner until it is laid out."""
        if (before := self.all.pop(id, None)) is not None:
            before.setObjectName("")
            self._window.removeDockWidget(before)
            before.deleteLater()
        self._enter(id, dock)
        self._window.addDockWidget(CORNER, dock)
        dock.hide()

    def _enter(self, id: str, dock: QDockWidget) -> None:
        dock.setObjectName(id)
        in_sight = self._arrangement is not None and id in self._arrangement.on_top
        dock.setTitleBarWidget(DockTitleBar(dock) if in_sight or id in self._built else QWidget(dock))
        if self._arrangement is not None:
            arrangements.set_stretch(dock, self._arrangement)
        self.all[id] = dock
        for moved in (dock.visibilityChanged, dock.windowTitleChanged, dock.topLevelChanged, dock.dockLocationChanged):
            moved.connect(self._on_moved_soon)

    def _on_moved_soon(self) -> None:
        self._restyling.start(0)

    def _on_moved(self) -> None:
        self.update_title_bars()
        self.docksChanged.emit()

    def update_title_bars(self) -> None:
        """Hide the title bars of tabbed docks and show all others. Tab names are never elided."""
        for dock in self.all.values():
            bar = dock.titleBarWidget()
            beside = self._window.tabifiedDockWidgets(dock) if not dock.isFloating() else []
            tabbed = any(not other.isHidden() and not other.isFloating() for other in beside)
            if isinstance(bar, DockTitleBar):
                plain = self._arrangement is not None and dock.objectName() == self._arrangement.plain
                bar.set_collapsed(tabbed or (plain and not dock.isFloating()))
        for tabs in arrangements.tab_bars(self._window):
            if not tabs.property(FOLLOWED):
                tabs.setProperty(FOLLOWED, True)
                tabs.setElideMode(Qt.TextElideMode.ElideNone)
                tabs.tabBarClicked.connect(lambda place, tabs=tabs: self._on_tab(tabs, place))

    def _on_tab(self, tabs: QTabBar, place: int) -> None:
        """Move the focus to a dock when its tab is clicked, so that its shortcuts work immediately."""
        name = tabs.tabText(place)
        id = next((id for id, dock in self.all.items() if dock.windowTitle() == name and self.is_open(id)), None)
        if id is not None:
            QTimer.singleShot(0, self, lambda: self._focus_in(self.dock(id)))

    def _focus_in(self, dock: QDockWidget) -> None:
        if not hasattr(dock, "focus_prompt") or dock.focus_prompt():
            return
        if (before := dock.focusWidget()) is not None and before.isEnabled() and before.isVisibleTo(dock):
            before.setFocus(Qt.FocusReason.OtherFocusReason)


class DockLayout(QObject):
    """Lays out the docks of one window. Emits `arranged` after a switch to another arrangement.

    `has_start`: the start page fills the window instead of the arrangement.
    """

    arranged = Signal()

    def __init__(self, window: QMainWindow, docks: Docks, settings_store: SettingsStore, theme: ThemeSource) -> None:
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._settings_store = settings_store
        self._theme = theme
        self.arrangement: arrangements.ArrangementName = settings_store.settings.arrangement
        self._has_ended = False  # whether the fight has
        self.has_start = False
        self._set_type()
        self.has_adventure = False  # whether the panels of an adventure are in the side columns
        self.has_page = False  # whether a page with its own first button is shown instead of the fight
        self._had_room = True  # whether the side columns had enough room
        self._widening = single_shot_timer(self, self._follow_width)
        docks.startLeft.connect(self.leave_start)
        theme.changed.connect(docks.follow_scale)
        theme.changed.connect(self._widening.start)  # larger text leaves less room

    def arrange(self, name: arrangements.ArrangementName) -> None:
        """Switch to an arrangement and restore its last layout."""
        if name != self.arrangement or self.has_start:
            self._switch(name)

    def show_start(self) -> None:
        """Show the start page, which belongs to preparation."""
        self._switch("prepare", has_start=True)

    def leave_start(self) -> None:
        """Show the docks for preparation if the start page fills the window."""
        if self.has_start:
            self._switch("prepare")

    def _switch(self, name: arrangements.ArrangementName, *, has_start: bool = False) -> None:
        focused, size = self._window.focusWidget(), self._window.size()
        self.save()
        self.arrangement, self.has_start = name, has_start
        self._settings_store.update(arrangement=name)
        self._set_type()
        self.lay_out()
        self.arranged.emit()
        self._docks.focus_arrangement(focused)
        self._keep_size(size)

    def _keep_size(self, size: QSize) -> None:
        """Restore the window's size. It may have grown while fonts and docks of both arrangements were mixed."""
        if (layout := self._window.layout()) is not None:
            layout.activate()
        if self._window.size() != size:
            self._window.resize(size)

    def set_big_type(self, big: bool) -> None:
        """Enlarge text and controls while the encounter is running, or use the normal size."""
        self.save()
        self._settings_store.update(big_type=big)
        self._set_type()
        self.lay_out()

    def _set_type(self) -> None:
        """Select the layout and the font size for the current arrangement."""
        runs, width = self.arrangement == "run", self._window.width()
        big = runs and self._settings_store.settings.big_type
        self._theme.set_at_table(runs, arrangements.big_scale(width) if big else 1.0)
        self._layout = self._layout_name(big=big)

    def _layout_name(self, *, big: bool) -> str:
        name = arrangements.layout_name(self.arrangement, self._window.width(), big=big, ended=self._has_ended)
        return arrangements.START if self.has_start else name

    def lay_out(self, *, saved: bool = True) -> None:
        """Lay out the docks as the user left them, or in their default layout if there is no `saved` one."""
        stale = arrangements.tab_bars(self._window)
        self._docks.prepare_arrangement(arrangements.LAYOUTS[self._layout])
        state = self._settings_store.settings.layouts.get(self._layout, "") if saved else ""
        if not (state and self._window.restoreState(bytes_of(state))):
            arrangements.apply_arrangement(self._window, self._docks.all, arrangements.LAYOUTS[self._layout])
            if saved:
                QTimer.singleShot(0, self, self._set_sizes)  # repeat this when the window has its final size
        self._docks.all[arrangements.START].setVisible(self.has_start)
        self._had_room = arrangements.has_room(self._window, arrangements.LAYOUTS[self._layout])
        self.show_adventure(is_there=self.has_adventure)
        for bar in stale:
            bar.hide()
        self._window.statusBar().setVisible(self.arrangement != "run" and not self.has_start)
        self._docks.update_title_bars()

    def show_adventure(self, *, is_there: bool) -> None:
        """Add the panels of an adventure to the side columns, or remove them if there is none."""
        appears, self.has_adventure = is_there and not self.has_adventure, is_there
        columns, is_shown = arrangements.LAYOUTS[self._layout].columns, is_there and not self.has_start
        for id, place in arrangements.ADVENTURE:
            dock = self._docks.all[id]
            if is_shown != dock.isHidden():
                continue
            dock.setVisible(is_shown)
            if is_shown:
                head = self._docks.all[columns[place][0]]
                self._window.tabifyDockWidget(head, dock)
                (dock if appears and place == 0 and self.arrangement == "prepare" else head).raise_()
                self._docks.update_title_bars()

    def reset(self) -> None:
        """Restore the default layout of the current arrangement."""
        self.lay_out(saved=False)

    def _set_sizes(self) -> None:
        arrangements.set_sizes(self._window, self._docks.all, arrangements.LAYOUTS[self._layout])

    def follow_size(self) -> None:
        """Adapt the layout soon after the window was resized."""
        self._had_room = self._had_room and arrangements.has_room(self._window, arrangements.LAYOUTS[self._layout])
        self._widening.start()

    def follow_phase(self, phase: str) -> None:
        """Adapt the layout soon after a fight has ended or continues."""
        self._has_ended = phase == "ended"
        self._widening.start()

    def _follow_width(self) -> None:
        """Repeat the dock layout if the window has become wide or narrow, or its text large or small."""
        big = self._settings_store.settings.big_type
        if self._layout != self._layout_name(big=big):
            focused = self._window.focusWidget()
            self.save()
            self._set_type()
            self.lay_out()
            self._docks.focus_arrangement(focused)
        if not self._had_room and arrangements.has_room(self._window, arrangements.LAYOUTS[self._layout]):
            self._had_room = True
            self._set_sizes()  # Qt never widens columns that it has narrowed

    def save(self) -> None:
        """Save the layout of the docks, unless they aren't laid out or the start page hides them."""
        if self.has_start or not self._docks.all:
            return
        layouts = {**self._settings_store.settings.layouts, self._layout: text_of(self._window.saveState())}
        self._settings_store.update(layouts=layouts)
