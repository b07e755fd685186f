"""The world of a prepared encounter as rows: its environments with their rows' names, its countdowns as dice, then handouts."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt

from turnwright.encounter.prepared import Countdown, Entry, Environment, Handout, Scene
from turnwright.play.steps import Changed
from turnwright.rules.parts.table_rules import feature_lists
from turnwright.ui.bridge import Bridge
from turnwright.ui.models.expected import about_rolls
from turnwright.ui.models.rows import DETAIL_ROLE, ICON_ROLE, KEY_ROLE, Index, Row, RowsModel
from turnwright.ui.say import say

DICE_ROLE = Qt.ItemDataRole.UserRole + 10
ICONS = MappingProxyType({"environments": "earth", "countdowns": "timer-sand", "handouts": "email-outline"})


class WorldRow(msgspec.Struct, frozen=True):
    """What one row shows; `dice` counts a countdown's dice, 0 for an environment."""

    text: str
    detail: str
    dice: int = 0


class WorldModel(RowsModel):
    """Environments, then countdowns, then handouts."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._bridge = bridge
        self._shown: dict[Row, WorldRow] = {}
        bridge.changed.connect(self._on_changed)
        bridge.replaced.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Read everything again."""
        encounter = self._bridge.encounter
        before = self._shown
        shown: dict[Row, WorldRow] = {}
        for environment in encounter.all(Environment):
            shown[Environment.table, environment.id] = _environment_row(self._bridge, environment)
        for countdown in encounter.all(Countdown):
            shown[Countdown.table, countdown.id] = self._countdown_row(countdown)
        for handout in encounter.all(Handout):
            shown[Handout.table, handout.id] = _handout_row(handout)
        self._shown = {**before, **shown}
        self.follow(list(shown))
        self._shown = shown
        for key, row in shown.items():
            if key in before and before[key] != row:
                self.tell(key)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        row = self._shown[key]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            dice = f"{say('ui.dice.unrolled', n=row.dice)}, " if row.dice else ""
            return f"{row.text}: {dice}{row.detail}"
        return {
            KEY_ROLE: key,
            DETAIL_ROLE: row.detail,
            DICE_ROLE: row.dice,
            ICON_ROLE: ICONS[key[0]],
        }.get(role)

    def _countdown_row(self, countdown: Countdown) -> WorldRow:
        parts = [say(f"ui.countdown.speed-{countdown.speed}")]
        rolls = about_rolls(countdown, self._bridge.rules)
        if rolls is not None:
            parts.append(say("ui.roster.about", n=rolls))
        parts.append(say("ui.roster.from-round", n=countdown.starts) if countdown.starts else say("ui.roster.by-hand"))
        return WorldRow(countdown.name or countdown.id, ", ".join(parts), countdown.dice)

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(Environment.table, Countdown.table, Handout.table, Scene.table):
            self.refresh()


def _environment_row(bridge: Bridge, environment: Environment) -> WorldRow:
    parts = [
        say(f"ui.roster.{key}", what=_names(rows))
        for key, rows in feature_lists(bridge.encounter, bridge.rules, environment)
        if rows
    ]
    actions = tuple(row for row in environment.actions if row.enabled)
    parts += [say("ui.roster.features-act", what=_names(actions))] if actions else []
    return WorldRow(environment.name or environment.id, " · ".join(parts) or say("ui.roster.no-rows"))


def _handout_row(handout: Handout) -> WorldRow:
    return WorldRow(handout.title or handout.id, say(f"ui.handout.style-{handout.style}"))


def _names(rows: Sequence[Entry]) -> str:
    return ", ".join(row.name or row.id for row in rows)
