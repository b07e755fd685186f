"""The world of a prepared encounter as a list model: environments, countdowns, reminders, handouts and treasure."""

from collections.abc import Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt

from turnwright.dice import distributions, expression
from turnwright.encounter import prepared, running, state
from turnwright.rules.parts.environment.entries import feature_lists
from turnwright.rules.system import RuleSystem
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import icon_names
from turnwright.ui.models import row_list_model
from turnwright.ui.services.document_model import DocumentModel


def reminder_title(reminder: prepared.Reminder) -> str:
    """Return the first line of a reminder."""
    return reminder.title or tr("ui.reminder.new")


def reminder_text(encounter: state.Encounter, reminder: prepared.Reminder) -> str:
    """Describe when a reminder appears, including the first possible round."""
    if reminder.at == "round":
        key = "each-round" if reminder.each_time else "in-round"
        return tr(f"ui.reminder.{key}", n=max(reminder.round, 1))
    parts = [
        tr(f"ui.reminder.moment-{reminder.at}", who=_who(encounter, reminder.who), what=_what(encounter, reminder))
    ]
    if reminder.at == "countdown":
        parts.append(tr("ui.reminder.at-dice", n=reminder.dice) if reminder.dice else tr("ui.reminder.at-end"))
    parts += [tr("ui.roster.from-round", n=reminder.round)] if reminder.round > 1 else []
    parts += [tr("ui.reminder.again")] if reminder.each_time else []
    return ", ".join(parts)


def _who(encounter: state.Encounter, who: str) -> str:
    combatant, entry = encounter.get(running.Combatant, who), encounter.get(prepared.RosterEntry, who)
    if combatant is not None:
        return combatant.label
    if entry is not None:
        return state.entry_name(encounter, entry)
    return row_list_model.side_name(who) if who else tr("ui.reminder.anyone")


def _what(encounter: state.Encounter, reminder: prepared.Reminder) -> str:
    if reminder.at == "wave":
        return state.wave_name(reminder.wave)
    countdown = encounter.get(prepared.Countdown, reminder.countdown)
    return countdown.name if countdown is not None else reminder.countdown


DICE_ROLE = Qt.ItemDataRole.UserRole + 10
ICONS = icon_names("world")


class WorldListRow(msgspec.Struct, frozen=True):
    """The contents of one row. `dice` is the number of dice of a countdown, or 0 for other records."""

    text: str
    detail: str
    dice: int = 0


class WorldModel(row_list_model.RowListModel):
    """Lists environments, then countdowns, reminders, handouts and treasure."""

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._document = document
        document.follow(self.refresh, *ICONS, prepared.RosterEntry.table, prepared.Scene.table)
        self.refresh()

    def refresh(self) -> None:
        """Read all records again."""
        encounter = self._document.encounter
        rows: dict[row_list_model.Row, WorldListRow] = {}
        for environment in encounter.all(prepared.Environment):
            rows[prepared.Environment.table, environment.id] = _environment_row(self._document, environment)
        for countdown in encounter.all(prepared.Countdown):
            rows[prepared.Countdown.table, countdown.id] = self._countdown_row(countdown)
        for reminder in encounter.all(prepared.Reminder):
            detail = reminder_text(encounter, reminder)
            rows[prepared.Reminder.table, reminder.id] = WorldListRow(reminder_title(reminder), detail)
        for handout in encounter.all(prepared.Handout):
            rows[prepared.Handout.table, handout.id] = _handout_row(handout)
        for treasure in encounter.all(prepared.Treasure):
            rows[prepared.Treasure.table, treasure.id] = _treasure_row(treasure)
        self.show_contents(rows)

    def spoken(self, key: row_list_model.Row, column: int) -> str:
        row: WorldListRow = self.contents[key]
        dice = f"{tr('ui.dice.unrolled', n=row.dice)}, " if row.dice else ""
        return f"{row.text}: {dice}{row.detail}"

    def further_roles(self, key: row_list_model.Row, column: int) -> dict[int, Any]:
        row: WorldListRow = self.contents[key]
        roles = {row_list_model.DETAIL_ROLE: row.detail, row_list_model.ICON_ROLE: ICONS[key[0]], DICE_ROLE: row.dice}
        return {row_list_model.KEY_ROLE: key, **roles}

    def _countdown_row(self, countdown: prepared.Countdown) -> WorldListRow:
        parts = [tr(f"ui.countdown.speed-{countdown.speed}")]
        if (rolls := estimated_rolls(countdown, self._document.rules)) is not None:
            parts.append(tr("ui.roster.about", n=rolls))
        parts.append(
            tr("ui.roster.from-round", n=countdown.starts) if countdown.starts else tr("ui.roster.manual-start")
        )
        return WorldListRow(countdown.name or countdown.id, ", ".join(parts), countdown.dice)


def _environment_row(document: DocumentModel, environment: prepared.Environment) -> WorldListRow:
    parts = [
        tr(f"ui.roster.{key}", what=_names(rows))
        for key, rows in feature_lists(document.encounter, document.rules, environment)
        if rows
    ]
    actions = tuple(row for row in environment.actions if row.enabled)
    parts += [tr("ui.roster.features-act", what=_names(actions))] if actions else []
    return WorldListRow(environment.name or environment.id, " · ".join(parts) or tr("ui.roster.no-rows"))


def _handout_row(handout: prepared.Handout) -> WorldListRow:
    return WorldListRow(handout.title or handout.id, tr(f"ui.handout.style-{handout.style}"))


def _treasure_row(treasure: prepared.Treasure) -> WorldListRow:
    uses = tr("ui.treasure.times", n=treasure.uses) if treasure.uses else ""
    facts = [part for part in (treasure.rarity, treasure.price, uses) if part]
    return WorldListRow(treasure.name or treasure.id, " · ".join(facts) or tr("ui.treasure.title"))


def _names(rows: Sequence[prepared.EnvironmentEntry]) -> str:
    return ", ".join(row.name or row.id for row in rows)


def exact_odds(countdown: prepared.Countdown, rules: RuleSystem) -> distributions.CountdownOdds | None:
    """Return the exact odds of a prepared countdown, or None if the rule system doesn't support its dice or speed."""
    face = rules.countdown_faces.get(countdown.speed)
    if face is None:
        return None
    try:
        return distributions.countdown_odds(countdown.dice, face)
    except expression.DiceError:
        return None


def estimated_rolls(countdown: prepared.Countdown, rules: RuleSystem) -> int | None:
    """Return the expected number of rolls of a countdown.

    This is taken from the system's table if possible. Otherwise it is the rounded mean of the exact odds.
    """
    for row in rules.data.countdown_table:
        if row.dice == countdown.dice:
            return {"slow": row.slow, "medium": row.medium, "fast": row.fast}[countdown.speed]
    odds = exact_odds(countdown, rules)
    return None if odds is None else round(odds.mean)
