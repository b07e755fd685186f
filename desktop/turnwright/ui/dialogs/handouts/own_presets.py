"""A menu button to choose, save, rename and delete the user's own presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from turnwright.ui.dialogs.confirm import confirm
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text import PushButton

MAX_NAME: Final = 60
MAX_PRESETS: Final = 40
MENU_WIDTH: Final = 260
Choices = Mapping[str, str]


class OwnPresets(PushButton):
    """A menu button with the user's presets.

    Emits `presetsChanged(presets)` when the user saves, renames or deletes a preset, and `chosen(choices)` when the
    user chooses one. `present` returns the current choices for a new preset.
    """

    presetsChanged = Signal(object)
    chosen = Signal(object)

    def __init__(self, present: Callable[[], dict[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.handouts.preset-own"), parent)
        self.setProperty("kind", "")
        self.setAutoDefault(False)
        self.setToolTip(escaped_tooltip(tr("ui.handouts.preset-own-tip")))
        self._present = present
        self.presets: dict[str, dict[str, str]] = {}
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.fill)
        self.setMenu(self._menu)

    def show_presets(self, presets: Mapping[str, Choices]) -> None:
        """Set the presets, keyed by name."""
        self.presets = {name: dict(choices) for name, choices in presets.items()}

    def fill(self) -> None:
        """Rebuild the menu: all presets, then the commands to save, rename and delete them."""
        self._menu.clear()
        names = sorted(self.presets, key=str.casefold)
        for name in names:
            self._add(self._menu, name, partial(self._choose, name))
        if names:
            self._menu.addSeparator()
        save = self._menu.addAction(tr("ui.handouts.preset-save"))
        save.triggered.connect(lambda _=False: self.ask_name_and_save())
        save.setEnabled(len(names) < MAX_PRESETS)
        for key, slot in (("rename", self.ask_name_and_rename), ("delete", self.ask_and_delete)):
            below = self._menu.addMenu(tr(f"ui.handouts.preset-{key}"))
            below.setEnabled(bool(names))
            for name in names:
                self._add(below, name, partial(slot, name))

    def ask_name_and_save(self) -> None:
        """Ask for a name and save the current choices as a preset. An existing preset of that name is replaced."""
        name = self._asked_name(tr("ui.handouts.preset-save"), "")
        if name:
            self._tell(self.presets | {name: self._present()})

    def ask_name_and_rename(self, name: str) -> None:
        """Ask for a new name and rename a preset. A number is added if the name is taken."""
        other = self._asked_name(tr("ui.handouts.preset-rename"), name)
        if other and other != name:
            free = _free_name(other, self.presets)
            self._tell(
                {free if preset_name == name else preset_name: choices for preset_name, choices in self.presets.items()}
            )

    def ask_and_delete(self, name: str) -> None:
        """Delete a preset if the user confirms."""
        question, detail = tr("ui.handouts.preset-delete-question", name=name), tr("ui.handouts.preset-delete-detail")
        if confirm(self.window(), question, detail, tr("ui.handouts.preset-delete-agree")):
            self._tell({preset_name: choices for preset_name, choices in self.presets.items() if preset_name != name})

    def _add(self, menu: QMenu, name: str, slot: Callable[[], object]) -> None:
        text = QFontMetrics(menu.font()).elidedText(name, Qt.TextElideMode.ElideRight, scaled(MENU_WIDTH))
        action = menu.addAction(text.replace("&", "&&"))
        action.triggered.connect(lambda _=False: slot())

    def _choose(self, name: str) -> None:
        self.chosen.emit(self.presets[name])

    def _asked_name(self, title: str, usual: str) -> str:
        name, agreed = QInputDialog.getText(self.window(), title, tr("ui.handouts.preset-name"), text=usual)
        return " ".join(name.split())[:MAX_NAME] if agreed else ""

    def _tell(self, presets: dict[str, dict[str, str]]) -> None:
        self.presets = presets
        self.presetsChanged.emit(presets)


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    """Return the name, with a number added if it is taken."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free
