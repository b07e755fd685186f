"""What can be asked for and brought in by hand: checks, figures that a stat block lacks, and reinforcements."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.encounter.naming import wave_name
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.play.commands import CallForChecks, Command, GroupCheck, Join, SetInitiativeCheck, Supply
from turnwright.ui.dialogs.hand_act import ByHand, number_of, people_of, text_of
from turnwright.ui.dialogs.hand_form import Item, Values
from turnwright.ui.models.naming import entry_name
from turnwright.ui.say import say

Edge = Literal["", "advantage", "disadvantage"]
Purpose = Literal["", "surprise"]
MANEUVER_DC = "maneuver-dc"


class Figure(ByHand):
    """Give a figure that a stat block lacks."""

    id = "figure"

    def items(self, values: Values) -> tuple[Item, ...]:
        skills = self._bridge.rules.catalogue.skills
        passives = [(f"passive.{skill.id}", say("ui.hand.passive", skill=skill.name)) for skill in skills]
        figures = ((MANEUVER_DC, say("ui.creature.maneuver-dc")), *passives)
        return self.one(), Item("figure", "choice", figures[0][0], figures), Item("number", "number", None, most=99)

    def command(self, values: Values) -> Command | None:
        who, number = text_of(values, "who"), number_of(values, "number")
        return Supply(who, text_of(values, "figure"), number) if who and number is not None else None


class InitiativeCheck(ByHand):
    """Name the check that some roll for initiative, and their edge on it."""

    id = "initiative-check"

    def items(self, values: Values) -> tuple[Item, ...]:
        return (
            self.some(),
            Item("check", "choice", "", self.checks(usual=True)),
            Item("edge", "choice", "", self.named("edge", get_args(Edge))),
        )

    def command(self, values: Values) -> Command | None:
        people = people_of(values)
        edge = msgspec.convert(text_of(values, "edge"), Edge)
        return SetInitiativeCheck(people, text_of(values, "check"), edge) if people else None


class Checks(ByHand):
    """Call for a check: from whom, against what, and what for."""

    id = "checks"

    def items(self, values: Values) -> tuple[Item, ...]:
        checks = self.checks()
        return (
            self.some(),
            Item("check", "choice", checks[0][0], checks),
            Item("dc", "number", None, least=1, most=99),
            Item("task", "text", hint=say("ui.hand.task-hint")),
            Item("surprise", "tick", False),
        )

    def command(self, values: Values) -> Command | None:
        people, dc = people_of(values), number_of(values, "dc") or 0
        if not people:
            return None
        purpose: Purpose = "surprise" if values.get("surprise") else ""
        return CallForChecks(people, text_of(values, "check"), purpose, text_of(values, "task"), (), dc)


class OneCheck(ByHand):
    """Ask one roll for a whole group."""

    id = "group-check"

    def items(self, values: Values) -> tuple[Item, ...]:
        checks = self.checks()
        return (
            self.some(),
            Item("check", "choice", checks[0][0], checks),
            Item("dc", "number", None, least=1, most=99),
        )

    def command(self, values: Values) -> Command | None:
        people = people_of(values)
        return GroupCheck(people, text_of(values, "check"), number_of(values, "dc") or 0) if people else None


class Reinforcements(ByHand):
    """Bring a prepared entry of the roster into the fight, those of waves first."""

    id = "bring-in"

    def items(self, values: Values) -> tuple[Item, ...]:
        lookup = self._bridge.encounter
        entries = sorted(lookup.all(RosterEntry), key=lambda entry: not entry.wave)
        named = tuple((one.id, _called(one, lookup.get(Creature, one.creature))) for one in entries)
        return (
            Item("entry", "choice", next(iter(dict(named)), ""), named),
            Item("initiative", "number", None, least=-50, most=99),
        )

    def command(self, values: Values) -> Command | None:
        entry = text_of(values, "entry")
        return Join(entry, number_of(values, "initiative")) if entry else None


def _called(entry: RosterEntry, creature: Creature | None) -> str:
    name = f"{entry.count} × {entry_name(entry, creature)}"
    return f"{wave_name(entry.wave)}: {name}" if entry.wave else name


CHECKS: tuple[type[ByHand], ...] = (Figure, InitiativeCheck, Checks, OneCheck, Reinforcements)
