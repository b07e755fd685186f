"""The arrangement of a window's docks: switching, the saved layouts, and the size of text that goes with them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QTabBar

from turnwright.ui.docks.arrangements import (
    LAYOUTS,
    ArrangementName,
    apply_arrangement,
    big_scale,
    has_room,
    layout_name,
    set_sizes,
    tab_bars,
)
from turnwright.ui.docks.docking import Docks
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.services.settings_store import SettingsStore, bytes_of, text_of
from turnwright.ui.services.timers import single_shot_timer


class DockLayout(QObject):
    """Lays out the docks of one window. Emits `arranged` after a switch to another arrangement."""

    arranged = Signal()

    def __init__(self, window: QMainWindow, docks: Docks, settings_store: SettingsStore, theme: ThemeSource) -> None:
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._settings_store = settings_store
        self._theme = theme
        self.arrangement: ArrangementName = settings_store.settings.arrangement
        self._set_type()
        self._had_room = True  # whether the side columns had enough room
        self._widening = single_shot_timer(self, self._follow_width)
        theme.changed.connect(docks.follow_scale)
        theme.changed.connect(self._widening.start)  # larger text leaves less room

    def arrange(self, name: ArrangementName) -> None:
        """Switch to an arrangement and restore its last layout."""
        if name == self.arrangement:
            return
        focused, size = self._window.focusWidget(), self._window.size()
        self.save()
        self.arrangement = name
        self._settings_store.update(arrangement=name)
        self._set_type()
        self.lay_out()
        self.arranged.emit()
        self._docks.focus_arrangement(focused)
        self._keep_size(size)

    def _keep_size(self, size: QSize) -> None:
        """Restore the window's size. It may have grown while fonts and docks of both arrangements were mixed."""
        layout = self._window.layout()
        if layout is not None:
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
        self._theme.set_at_table(runs, big_scale(width) if big else 1.0)
        self._layout = layout_name(self.arrangement, width, big=big)

    def lay_out(self, *, saved: bool = True) -> None:
        """Lay out the docks as the user left them, or in their default layout if there is no `saved` one."""
        stale = tab_bars(self._window)
        self._docks.prepare_arrangement(LAYOUTS[self._layout])
        state = self._settings_store.settings.layouts.get(self._layout, "") if saved else ""
        if not (state and self._window.restoreState(bytes_of(state))):
            apply_arrangement(self._window, self._docks.all, LAYOUTS[self._layout])
            if saved:
                QTimer.singleShot(0, self, self._set_sizes)  # repeat this when the window has its final size
        self._finish(stale)

    def reset(self) -> None:
        """Restore the default layout of the current arrangement."""
        self.lay_out(saved=False)

    def _set_sizes(self) -> None:
        set_sizes(self._window, self._docks.all, LAYOUTS[self._layout])

    def follow_size(self) -> None:
        """Adapt the layout soon after the window was resized."""
        self._had_room = self._had_room and has_room(self._window, LAYOUTS[self._layout])
        self._widening.start()

    def _follow_width(self) -> None:
        """Repeat the dock layout if the window has become wide or narrow, or its text large or small."""
        big = self._settings_store.settings.big_type
        if self._layout != layout_name(self.arrangement, self._window.width(), big=big):
            self.save()
            self._set_type()
            self.lay_out()
        if not self._had_room and has_room(self._window, LAYOUTS[self._layout]):
            self._had_room = True
            self._set_sizes()  # Qt never widens columns that it has narrowed

    def _finish(self, stale: Sequence[QTabBar]) -> None:
        self._had_room = has_room(self._window, LAYOUTS[self._layout])
        for bar in stale:
            bar.hide()
        self._window.statusBar().setVisible(self.arrangement != "run")
        self._docks.update_title_bars()

    def save(self) -> None:
        """Save the layout of the docks."""
        layouts = {**self._settings_store.settings.layouts, self._layout: text_of(self._window.saveState())}
        self._settings_store.update(layouts=layouts)
