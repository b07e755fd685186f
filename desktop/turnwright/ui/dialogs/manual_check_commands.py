"""Manual commands for checks, missing stats, initiative and reinforcements."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.wave_names import wave_name
from turnwright.play.asking.commands.group_check import GroupCheck
from turnwright.play.kernel.commands import Command
from turnwright.play.spawning.commands.add_combatants import AddCombatants
from turnwright.play.state.commands.set_stat import SetStat
from turnwright.play.turn_order.commands.call_for_checks import CallForChecks
from turnwright.play.turn_order.commands.set_initiative_check import SetInitiativeCheck
from turnwright.ui.dialogs.manual_command_base import ManualCommandBase, combatant_ids, number_value, text_value
from turnwright.ui.dialogs.manual_command_dialog import ManualField, Values
from turnwright.ui.models.display_names import roster_entry_name
from turnwright.ui.translations import tr

Edge = Literal["", "advantage", "disadvantage"]
Purpose = Literal["", "surprise"]
MANEUVER_DC = "maneuver-dc"


class MissingStatForm(ManualCommandBase):
    """Enter a number missing from a stat block."""

    id = "missing-stat"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        skills = self._bridge.rules.data.skills
        passives = [(f"passive.{skill.id}", tr("ui.manual.passive", skill=skill.name)) for skill in skills]
        figures = ((MANEUVER_DC, tr("ui.creature.maneuver-dc")), *passives)
        return (
            self.combatant_field(),
            ManualField("stat", "choice", figures[0][0], figures),
            ManualField("number", "number", None, maximum=99),
        )

    def command(self, values: Values) -> Command | None:
        who, number = text_value(values, "who"), number_value(values, "number")
        return SetStat(who, text_value(values, "stat"), number) if who and number is not None else None


class InitiativeCheckForm(ManualCommandBase):
    """Set the check that combatants roll for initiative, and their advantage or disadvantage on it."""

    id = "initiative-check"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        return (
            self.combatants_field(),
            ManualField("check", "choice", "", self.check_options(default=True)),
            ManualField("edge", "choice", "", self.named_options("edge", get_args(Edge))),
        )

    def command(self, values: Values) -> Command | None:
        people = combatant_ids(values)
        edge = msgspec.convert(text_value(values, "edge"), Edge)
        return SetInitiativeCheck(people, text_value(values, "check"), edge) if people else None


class CallForChecksForm(ManualCommandBase):
    """Call for a check: of which combatants, against which DC, and for what."""

    id = "checks"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        checks = self.check_options()
        return (
            self.combatants_field(),
            ManualField("check", "choice", checks[0][0], checks),
            ManualField("dc", "number", None, minimum=1, maximum=99),
            ManualField("task", "text", hint=tr("ui.manual.task-hint")),
            ManualField("surprise", "tick", False),
        )

    def command(self, values: Values) -> Command | None:
        people, dc = combatant_ids(values), number_value(values, "dc") or 0
        if not people:
            return None
        purpose: Purpose = "surprise" if values.get("surprise") else ""
        return CallForChecks(people, text_value(values, "check"), purpose, text_value(values, "task"), (), dc)


class GroupCheckForm(ManualCommandBase):
    """Call for one roll for a whole group."""

    id = "group-check"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        checks = self.check_options()
        return (
            self.combatants_field(),
            ManualField("check", "choice", checks[0][0], checks),
            ManualField("dc", "number", None, minimum=1, maximum=99),
        )

    def command(self, values: Values) -> Command | None:
        people = combatant_ids(values)
        return GroupCheck(people, text_value(values, "check"), number_value(values, "dc") or 0) if people else None


class AddCombatantsForm(ManualCommandBase):
    """Add a prepared roster entry to the encounter, entries of waves first."""

    id = "bring-in"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        lookup = self._bridge.encounter
        entries = sorted(lookup.all(RosterEntry), key=lambda entry: not entry.wave)
        named = tuple((one.id, _called(one, lookup.get(Creature, one.creature))) for one in entries)
        return (
            ManualField("entry", "choice", next(iter(dict(named)), ""), named),
            ManualField("initiative", "number", None, minimum=-50, maximum=99),
        )

    def command(self, values: Values) -> Command | None:
        entry = text_value(values, "entry")
        return AddCombatants(entry, number_value(values, "initiative")) if entry else None


def _called(entry: RosterEntry, creature: Creature | None) -> str:
    name = f"{entry.count} × {roster_entry_name(entry, creature)}"
    return f"{wave_name(entry.wave)}: {name}" if entry.wave else name


CHECK_COMMANDS: tuple[type[ManualCommandBase], ...] = (
    MissingStatForm,
    InitiativeCheckForm,
    CallForChecksForm,
    GroupCheckForm,
    AddCombatantsForm,
)
