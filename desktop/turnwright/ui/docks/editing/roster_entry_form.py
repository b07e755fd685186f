"""The form of a roster entry's rarer fields: its creature, player, initiative, positions, controller and mount."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QVBoxLayout, QWidget

from turnwright.encounter.prepared import Creature, Environment, Point, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.system_data import SystemData
from turnwright.ui.docks.editing.bindings import Binding
from turnwright.ui.docks.editing.compound_fields import MultiChoiceField
from turnwright.ui.docks.editing.fact_choices import gear_ids
from turnwright.ui.docks.editing.fields import (
    CheckBoxField,
    ChoiceField,
    MultiLineTextField,
    NumberInput,
    Options,
    ParsedTextField,
    TextField,
)
from turnwright.ui.docks.editing.grouped_form import GroupedForm
from turnwright.ui.models.display_names import (
    id_as_words,
    pending_waves,
    roster_entry_name,
    side_name,
    side_order,
    squares_text,
)
from turnwright.ui.translations import tr

DYING_OPTIONS = ("", "saves", "dies", "doomed")
DEFAULT_ENTRY = RosterEntry("", "")

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "together": ("controller", "rides", "group"),
    "fate": ("dying", "bystander"),
})  # fmt: skip
_SQUARE = re.compile(r"\s*\(?\s*(-?\d{1,6})\s*[,/]\s*(-?\d{1,6})\s*\)?\s*")


class RosterEntryForm(GroupedForm):
    """Edits the rarer fields of a roster entry. `encounter` returns the encounter for its choices."""

    def __init__(
        self, binding: Binding, encounter: Callable[[], Encounter], catalogue: SystemData, parent: QWidget
    ) -> None:
        super().__init__(binding, DEFAULT_ENTRY, parent)
        self._encounter = encounter
        self._catalogue = catalogue
        self._common()
        self.add_groups(GROUPS, {"together": self._together, "fate": self._fate})

    def group_title(self, id: str) -> str:
        """Return a group's title."""
        return tr(f"ui.roster-entry.group-{id}")

    def _common(self) -> None:
        feet = tr("ui.general.feet")
        self.add_row(
            ("creature", "ui.roster-entry.creature", ChoiceField(load_options=self._creatures)),
            ("side", "ui.roster.side", ChoiceField(load_options=self._sides, free=True)),
            ("wave", "ui.roster.wave", ChoiceField(load_options=self._waves, free=True)),
            ("player", "ui.roster-entry.player", TextField()),
            ("level", "ui.roster-entry.level", NumberInput(0, 40, "", "–", zero_is_blank=True)),
            ("gear", "ui.stat.gear", MultiChoiceField((), self._gear, own_caption=tr("ui.editing.own-gear"))),
            ("initiative", "ui.roster-entry.initiative", NumberInput(-20, 40, "", tr("ui.roster-entry.as-creature"))),
            ("check", "ui.roster-entry.check", ChoiceField(load_options=self._checks)),
            ("outside", "ui.roster-entry.outside", MultiChoiceField((), self._environments)),
            wraps=(3, 128),
        )
        if self._catalogue.adjustments:
            ways = [
                ("", tr("ui.roster-entry.adjustment-none")),
                *((one.id, one.name) for one in self._catalogue.adjustments),
            ]
            self.add_row(("adjustment", "ui.roster-entry.adjustment", ChoiceField(ways)))
        self.add_row(
            ("place", "ui.roster-entry.place", TextField(tr("ui.roster-entry.place-hint"))),
            ("positions", "ui.roster-entry.positions", squares_field()),
            ("elevation", "ui.roster-entry.elevation", NumberInput(-9999, 9999, feet)),
            wraps=(3, 128),
        )
        self.add_row(("notes", "ui.stat.notes", MultiLineTextField(tr("ui.roster-entry.notes-hint"), 1)))

    def _together(self, column: QVBoxLayout) -> None:
        self.add_row(
            ("controller", "ui.roster-entry.controller", ChoiceField(load_options=lambda: self._others("controller"))),
            ("rides", "ui.roster-entry.rides", ChoiceField(load_options=lambda: self._others("rides"))),
            target=column,
            wraps=(2, 128),
        )
        self.add_row(("group", "", CheckBoxField(tr("ui.roster-entry.group"))), target=column)

    def _fate(self, column: QVBoxLayout) -> None:
        fates = [(fate, tr(f"ui.roster-entry.dying-{fate or 'usual'}")) for fate in DYING_OPTIONS]
        self.add_row(
            ("dying", "ui.roster-entry.dying", ChoiceField(fates)),
            ("bystander", "", CheckBoxField(tr("ui.roster-entry.bystander"))),
            target=column,
            stretch=(3, 2),
        )

    # Choices -----------------------------------------------------------------------------------------------

    def _creatures(self) -> Options:
        return [(one.id, one.name or one.id) for one in self._encounter().all(Creature)]

    def _environments(self) -> Options:
        return [(one.id, one.name or one.id) for one in self._encounter().all(Environment)]

    def _sides(self) -> Options:
        found = side_order(["foes", "party", *(entry.side for entry in self._encounter().all(RosterEntry))])
        return [(side, side_name(side)) for side in found]

    def _waves(self) -> Options:
        return pending_waves(self._encounter())

    def _gear(self) -> Options:
        return gear_ids(self._encounter(), self._catalogue)

    def _checks(self) -> Options:
        entry = self.binding.value()
        return check_options(self._catalogue, entry.check if entry is not None else "")

    def _others(self, link: str) -> Options:
        """Return the entries that this one may follow or ride: not itself, nor any that leads back to it."""
        encounter, own = self._encounter(), self.binding.value()
        free = [
            entry
            for entry in encounter.all(RosterEntry)
            if own is not None and not leads_to(encounter, entry, own.id, link)
        ]
        named = [(one.id, roster_entry_name(one, encounter.get(Creature, one.creature))) for one in free]
        return [("", tr("ui.roster-entry.no-combatant")), *named]


def leads_to(encounter: Encounter, entry: RosterEntry, goal: str, link: str) -> bool:
    """Return whether `goal` is reached from an entry by following `link` (`controller` or `rides`)."""
    seen: set[str] = set()
    at: RosterEntry | None = entry
    while at is not None and at.id not in seen:
        if at.id == goal:
            return True
        seen.add(at.id)
        at = encounter.get(RosterEntry, getattr(at, link))
    return False


def check_options(catalogue: SystemData, current: str) -> Options:
    """Return the choices for another initiative check: the system's own list first, then every skill."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    names = {skill.id: skill.name for skill in catalogue.skills}
    checks = [f"{check.ability}:{check.skill}" for check in catalogue.initiative_checks]
    checks += [f"{skill.ability}:{skill.id}" for skill in catalogue.skills]
    checks += [current] if current else []
    options = [("", tr("ui.roster-entry.usual-check"))]
    for check in dict.fromkeys(checks):
        ability, _, skill = check.partition(":")
        name = names.get(skill, id_as_words(skill).capitalize())
        options.append((check, f"{name} ({shorts.get(ability, ability)})" if skill else shorts.get(ability, ability)))
    return options


def squares_field() -> ParsedTextField:
    """Return a line for squares of the map, one per member."""
    return ParsedTextField(squares_error, parse_squares, squares_text, "3,4; 4,4")


def squares_error(text: str) -> str:
    """Return an error text for squares written as `column,row` with `;` between, empty for none."""
    for piece in text.split(";"):
        if piece.strip() and not _SQUARE.fullmatch(piece):
            return tr("ui.roster-entry.not-squares", what=piece.strip())
    return ""


def parse_squares(text: str) -> tuple[Point, ...]:
    """Return the squares in a valid text."""
    found = (_SQUARE.fullmatch(piece) for piece in text.split(";"))
    return tuple((int(match[1]), int(match[2])) for match in found if match)
