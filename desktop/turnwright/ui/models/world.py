"""The world of a prepared encounter as a list model: environments, countdowns, reminders, handouts and treasure."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt

from turnwright.encounter.prepared import (
    Countdown,
    Environment,
    EnvironmentEntry,
    Handout,
    Reminder,
    RosterEntry,
    Scene,
    Treasure,
)
from turnwright.play.kernel.steps import Changed
from turnwright.rules.parts.environment.table_rules import feature_lists
from turnwright.ui.look.tooltips import role_text
from turnwright.ui.look.translations import tr
from turnwright.ui.models.countdown_odds import estimated_rolls
from turnwright.ui.models.reminder_texts import reminder_text, reminder_title
from turnwright.ui.models.row_list_model import DETAIL_ROLE, ICON_ROLE, KEY_ROLE, Index, Row, RowListModel
from turnwright.ui.services.document_model import DocumentModel

DICE_ROLE = Qt.ItemDataRole.UserRole + 10
ICONS = MappingProxyType(
    {
        "environments": "earth",
        "countdowns": "timer-sand",
        "reminders": "bell-outline",
        "handouts": "email-outline",
        "treasure": "treasure-chest-outline",
    }
)


class WorldListRow(msgspec.Struct, frozen=True):
    """The contents of one row. `dice` is the number of dice of a countdown, or 0 for other records."""

    text: str
    detail: str
    dice: int = 0


class WorldModel(RowListModel):
    """Lists environments, then countdowns, reminders, handouts and treasure."""

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._document = document
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Read all records again."""
        encounter = self._document.encounter
        rows: dict[Row, WorldListRow] = {}
        for environment in encounter.all(Environment):
            rows[Environment.table, environment.id] = _environment_row(self._document, environment)
        for countdown in encounter.all(Countdown):
            rows[Countdown.table, countdown.id] = self._countdown_row(countdown)
        for reminder in encounter.all(Reminder):
            detail = reminder_text(encounter, reminder)
            rows[Reminder.table, reminder.id] = WorldListRow(reminder_title(reminder), detail)
        for handout in encounter.all(Handout):
            rows[Handout.table, handout.id] = _handout_row(handout)
        for treasure in encounter.all(Treasure):
            rows[Treasure.table, treasure.id] = _treasure_row(treasure)
        self.show_contents(rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = self.key_at(index)
        if key is None:
            return None
        row: WorldListRow = self.contents[key]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            dice = f"{tr('ui.dice.unrolled', n=row.dice)}, " if row.dice else ""
            return role_text(role, f"{row.text}: {dice}{row.detail}")
        return {
            KEY_ROLE: key,
            DETAIL_ROLE: row.detail,
            DICE_ROLE: row.dice,
            ICON_ROLE: ICONS[key[0]],
        }.get(role)

    def _countdown_row(self, countdown: Countdown) -> WorldListRow:
        parts = [tr(f"ui.countdown.speed-{countdown.speed}")]
        rolls = estimated_rolls(countdown, self._document.rules)
        if rolls is not None:
            parts.append(tr("ui.roster.about", n=rolls))
        parts.append(
            tr("ui.roster.from-round", n=countdown.starts) if countdown.starts else tr("ui.roster.manual-start")
        )
        return WorldListRow(countdown.name or countdown.id, ", ".join(parts), countdown.dice)

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(*ICONS, RosterEntry.table, Scene.table):
            self.refresh()


def _environment_row(document: DocumentModel, environment: Environment) -> WorldListRow:
    parts = [
        tr(f"ui.roster.{key}", what=_names(rows))
        for key, rows in feature_lists(document.encounter, document.rules, environment)
        if rows
    ]
    actions = tuple(row for row in environment.actions if row.enabled)
    parts += [tr("ui.roster.features-act", what=_names(actions))] if actions else []
    return WorldListRow(environment.name or environment.id, " · ".join(parts) or tr("ui.roster.no-rows"))


def _handout_row(handout: Handout) -> WorldListRow:
    return WorldListRow(handout.title or handout.id, tr(f"ui.handout.style-{handout.style}"))


def _treasure_row(treasure: Treasure) -> WorldListRow:
    uses = tr("ui.treasure.times", n=treasure.uses) if treasure.uses else ""
    facts = [part for part in (treasure.rarity, treasure.price, uses) if part]
    return WorldListRow(treasure.name or treasure.id, " · ".join(facts) or tr("ui.treasure.title"))


def _names(rows: Sequence[EnvironmentEntry]) -> str:
    return ", ".join(row.name or row.id for row in rows)
