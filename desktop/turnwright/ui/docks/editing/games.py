"""Playing an encounter by another game: which there are, and before it is done what of the encounter that one lacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMenu, QPlainTextEdit, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Scene
from turnwright.play.commands import Edit
from turnwright.rules.parts.foreign import KINDS, Foreign, foreign_ids
from turnwright.rules.system import RuleSystem
from turnwright.ui.bridge import Bridge
from turnwright.ui.fonts import GAP, GROUP_GAP, px
from turnwright.ui.say import say
from turnwright.ui.widgets.text import plain_label, push_button


class LeftBehind(QDialog):
    """What another game has no word for, kind by kind, before the encounter is played by it. Accepted: it shall be."""

    def __init__(self, name: str, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("ui.games.title", name=name))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP), px(GROUP_GAP))
        column.setSpacing(px(GROUP_GAP))
        lead = "ui.games.lead" if lines else "ui.games.all-carries-over"
        column.addWidget(plain_label(say(lead, name=name), wraps=True))
        self.list = QPlainTextEdit("\n".join(lines))
        self.list.setReadOnly(True)
        self.list.setTabChangesFocus(True)
        self.list.setAccessibleName(say("ui.games.list"))
        self.list.setVisible(bool(lines))
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        row.addStretch(1)
        row.addWidget(push_button(say("ui.general.cancel"), self.reject))
        self.yes = push_button(say("ui.games.yes", name=name).replace("&", "&&"), self.accept, "primary")
        row.addWidget(self.yes)
        column.addLayout(row)
        self.resize(px(520), px(320 if lines else 120))


def games_menu(bridge: Bridge, parent: QWidget) -> QMenu:
    """Return the menu of the games that an encounter may be played by, the present one ticked."""
    menu = QMenu(parent)
    menu.aboutToShow.connect(lambda: _fill(menu, bridge, parent))
    return menu


def _fill(menu: QMenu, bridge: Bridge, parent: QWidget) -> None:
    menu.clear()
    for id in bridge.document.systems.ids:
        action = menu.addAction(bridge.document.systems.get(id).catalogue.name.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(id == bridge.rules.id)
        action.triggered.connect(partial(change_game, bridge, id, parent))


def change_game(bridge: Bridge, id: str, parent: QWidget, _on: bool = False) -> None:
    """Ask, showing what the other game lacks, and play the encounter by it: one step, which loses nothing."""
    game = bridge.document.systems.get(id)
    if game.id == bridge.rules.id:
        return
    dialog = LeftBehind(game.catalogue.name, left_behind(bridge, game), parent)
    if dialog.exec() == QDialog.DialogCode.Accepted:
        scene = bridge.encounter.get(Scene, "scene") or Scene()
        bridge.do(Edit(msgspec.structs.replace(scene, system=game.id)), initiator="games")


def left_behind(bridge: Bridge, game: RuleSystem) -> list[str]:
    """Return a line for each kind of thing that the present game knows and the other doesn't, and one for the unit."""
    known = set(foreign_ids(bridge.encounter, bridge.rules))
    lost = [one for one in foreign_ids(bridge.encounter, game) if one not in known]
    lines = [_line(kind, [one for one in lost if one.kind == kind]) for kind in KINDS]
    before, after = (dict(rules.catalogue.terms).get("unit_long", "") for rules in (bridge.rules, game))
    units = [say("ui.games.units", before=before, after=after)] if before and after and before != after else []
    return [line for line in (*lines, *units) if line]


def _line(kind: str, lost: Sequence[Foreign]) -> str:
    if not lost:
        return ""
    ids = ", ".join(dict.fromkeys(one.id for one in lost))
    where = len({one.path[:2] for one in lost})
    return say(f"ui.games.{kind}", ids=ids, n=where)
