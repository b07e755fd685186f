"""Table of actions, from which the menus, shortcuts, command palette and key list are built.

The function of an action (`trigger`) receives the window's context, as do the conditions `enabled_when` and
`checked_when`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QProxyStyle, QStyle

from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import escaped_tooltip, tr

C = TypeVar("C")


class MenuBarStyle(QProxyStyle):
    """The style of the menu bar: the release of Alt, which is held for other keys, doesn't move the focus there."""

    def styleHint(self, hint, option=None, widget=None, returnData=None) -> int:
        is_alt = hint == QStyle.StyleHint.SH_MenuBar_AltKeyNavigation
        return 0 if is_alt else super().styleHint(hint, option, widget, returnData)


def always(context: object) -> bool:
    """Return True. Condition of actions that are never disabled."""
    return True


class ActionLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The appearance of an action and its position in the menus.

    `shortcuts` use Qt's portable text; the first one is displayed. `menu` is a menu id, or `""` to keep the action out
    of the menus. `submenu` is the id of a menu inside it. Actions with the same `group` exclude each other. `separator`
    draws a line above the action. If `has_tip`, the tooltip is `ui.tip.<id>`.
    """

    menu: str = ""
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    group: str = ""
    separator: bool = False
    has_tip: bool = False
    in_palette: bool = True
    submenu: str = ""


class ActionSpec(msgspec.Struct, Generic[C], frozen=True):
    """An action, whose name is `ui.action.<id>`. `checked_when` makes it checkable."""

    id: str
    look: ActionLook
    trigger: Callable[[C], object]
    enabled_when: Callable[[C], bool] = always
    checked_when: Callable[[C], bool] | None = None

    @property
    def text(self) -> str:
        """The action's name, with the mnemonic's ampersand."""
        return tr(f"ui.action.{self.id}")

    @property
    def plain_text(self) -> str:
        """The action's name without the mnemonic."""
        return without_mnemonic(self.text)


class ActionTable(Generic[C]):
    """All actions in menu order. Raises ValueError for duplicate ids or shortcuts, and for unknown menus."""

    def __init__(self, specs: Iterable[ActionSpec[C]], menus: Sequence[str]) -> None:
        self.specs: tuple[ActionSpec[C], ...] = tuple(specs)
        self.menus = tuple(menus)
        self._by_id = {spec.id: spec for spec in self.specs}
        for problem in problems_of(self.specs, self.menus):
            raise ValueError(problem)

    def spec(self, id: str) -> ActionSpec[C]:
        """Return the action with this id. Raise KeyError if there is none."""
        return self._by_id[id]

    def install(self, window: QMainWindow, context: C) -> InstalledActions[C]:
        """Add menus and shortcuts to a window."""
        return InstalledActions(self, window, context)


def problems_of(specs: Sequence[ActionSpec[C]], menus: Sequence[str]) -> list[str]:
    """Return error messages for duplicate ids, duplicate shortcuts and unknown menus."""
    problems = []
    ids: set[str] = set()
    keys: dict[str, str] = {}
    for spec in specs:
        if spec.id in ids:
            problems.append(f"{spec.id}: duplicate action id")
        ids.add(spec.id)
        if spec.look.menu and spec.look.menu not in menus:
            problems.append(f"{spec.id}: unknown menu {spec.look.menu!r}")
        for shortcut in spec.look.shortcuts:
            key = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.PortableText)
            if not key:
                problems.append(f"{spec.id}: {shortcut!r} is not a valid shortcut")
            elif key in keys:
                problems.append(f"{spec.id}: the shortcut {key} is already used by {keys[key]}")
            keys[key] = spec.id
    return problems


def without_mnemonic(text: str) -> str:
    """Return a menu text without the mnemonic's ampersand."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def native_keys(shortcut: str) -> str:
    """Return a shortcut in the notation of the operating system."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)


class InstalledActions(msgspec.Struct, Generic[C], eq=False, weakref=True):
    """The actions and menus of one window. Must be kept alive as long as the window."""

    table: ActionTable[C]
    window: QMainWindow
    context: C
    actions: dict[str, QAction] = msgspec.field(default_factory=dict)
    menus: dict[str, QMenu] = msgspec.field(default_factory=dict)
    _groups: dict[str, QActionGroup] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        for spec in self.table.specs:
            self.actions[spec.id] = self._action(spec)
        self._fill_menus()
        self.refresh()

    def action(self, id: str) -> QAction:
        """Return the QAction with this id."""
        return self.actions[id]

    def run(self, id: str) -> None:
        """Run an action, if it is enabled."""
        spec = self.table.spec(id)
        if spec.enabled_when(self.context):
            spec.trigger(self.context)
            self.refresh()

    def refresh(self) -> None:
        """Update which actions are enabled and checked."""
        for spec in self.table.specs:
            action = self.actions[spec.id]
            action.setEnabled(spec.enabled_when(self.context))
            if spec.checked_when is not None:
                action.setChecked(spec.checked_when(self.context))

    def update_texts(self) -> None:
        """Update the names of all actions, since they may contain terms of the rule system."""
        self.set_texts({spec.id: spec.text for spec in self.table.specs})

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Change the names of some actions, for example to "Undo damage to Mira"."""
        for id, text in texts.items():
            self.actions[id].setText(text)
            self.actions[id].setToolTip(self._tip(self.table.spec(id), without_mnemonic(text)))

    def _action(self, spec: ActionSpec[C]) -> QAction:
        action = QAction(spec.text, self.window)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(shortcut) for shortcut in spec.look.shortcuts])
        action.setToolTip(self._tip(spec, spec.plain_text))
        action.setIconVisibleInMenu(True)
        if spec.look.icon:
            action.setIcon(icon(spec.look.icon))
        if spec.checked_when is not None:
            action.setCheckable(True)
        if spec.look.group:
            self._group(spec.look.group).addAction(action)
        action.triggered.connect(lambda _checked=False, id=spec.id: self.run(id))
        self.window.addAction(action)
        return action

    def _tip(self, spec: ActionSpec[C], text: str) -> str:
        tip = tr(f"ui.tip.{spec.id}") if spec.look.has_tip else text.rstrip("…")
        return escaped_tooltip(f"{tip} ({native_keys(spec.look.shortcuts[0])})" if spec.look.shortcuts else tip)

    def _group(self, name: str) -> QActionGroup:
        if name not in self._groups:
            self._groups[name] = QActionGroup(self.window)
        return self._groups[name]

    def _fill_menus(self) -> None:
        style = MenuBarStyle("Fusion")
        style.setParent(self.window.menuBar())
        self.window.menuBar().setStyle(style)
        for name in self.table.menus:
            menu = self.window.menuBar().addMenu(tr(f"ui.menu.{name}"))
            self.menus[name] = menu
            for spec in self.table.specs:
                if spec.look.menu != name:
                    continue
                if spec.look.separator:
                    menu.addSeparator()
                inner = spec.look.submenu
                if inner and inner not in self.menus:
                    self.menus[inner] = menu.addMenu(tr(f"ui.menu.{inner}"))
                (self.menus[inner] if inner else menu).addAction(self.actions[spec.id])
