"""The form of what the roster's cells leave out about an entry: its creature, who plays it, initiative, where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature, Environment, Point, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.docks.editing.compound import PicksField
from turnwright.ui.docks.editing.fields import ChoiceField, DraftField, LongTextField, NumberBox, Options, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.statements import gear_words
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.models.naming import plain_words, side_name, side_order, squares_text
from turnwright.ui.say import say

_SQUARE = re.compile(r"\s*\(?\s*(-?\d{1,6})\s*[,/]\s*(-?\d{1,6})\s*\)?\s*")


def details_form(subject: Subject, encounter: Callable[[], Encounter], catalogue: Catalogue, parent: QWidget) -> Form:
    """Return the form of how the members of a roster entry stand in this encounter."""

    def creatures() -> Options:
        return [(one.id, one.name or one.id) for one in encounter().all(Creature)]

    def environments() -> Options:
        return [(one.id, one.name or one.id) for one in encounter().all(Environment)]

    def sides() -> Options:
        found = side_order(["foes", "party", *(entry.side for entry in encounter().all(RosterEntry))])
        return [(side, side_name(side)) for side in found]

    def waves() -> Options:
        return [(wave, wave) for wave in dict.fromkeys(e.wave for e in encounter().all(RosterEntry) if e.wave)]

    def gear() -> Options:
        return gear_words(encounter(), catalogue)

    def checks() -> Options:
        entry = subject.value()
        return check_options(catalogue, entry.check if entry is not None else "")

    form = Form(subject, parent)
    form.row(
        ("creature", "ui.place.creature", ChoiceField(more=creatures)),
        ("side", "ui.roster.side", ChoiceField(more=sides, free=True)),
        ("wave", "ui.roster.wave", ChoiceField(more=waves, free=True)),
        ("player", "ui.place.player", TextField()),
        ("level", "ui.place.level", NumberBox(0, 40, "", "–", zero_is_blank=True)),
        ("gear", "ui.stat.gear", PicksField((), gear, own=say("ui.editing.own-gear"))),
        ("initiative", "ui.place.initiative", NumberBox(-20, 40, "", say("ui.place.as-creature"))),
        ("check", "ui.place.check", ChoiceField(more=checks)),
        ("outside", "ui.place.outside", PicksField((), environments)),
        wraps=(3, 128),
    )
    form.row(
        ("place", "ui.place.place", TextField(say("ui.place.place-hint"))),
        ("positions", "ui.place.positions", squares_field()),
        wraps=(2, 128),
    )
    form.row(("notes", "ui.stat.notes", LongTextField(say("ui.place.notes-hint"), 1)))
    return form


def check_options(catalogue: Catalogue, now: str) -> Options:
    """Return what may stand for the usual initiative check: the system's own list first, then every skill."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    names = {skill.id: skill.name for skill in catalogue.skills}
    checks = [f"{check.ability}:{check.skill}" for check in catalogue.initiative_checks]
    checks += [f"{skill.ability}:{skill.id}" for skill in catalogue.skills]
    checks += [now] if now else []
    options = [("", say("ui.place.usual-check"))]
    for check in dict.fromkeys(checks):
        ability, _, skill = check.partition(":")
        name = names.get(skill, plain_words(skill).capitalize())
        options.append((check, f"{name} ({shorts.get(ability, ability)})" if skill else shorts.get(ability, ability)))
    return options


def squares_field() -> DraftField:
    """Return a line for squares of the map, one a member."""
    return DraftField(squares_problem, squares_in, squares_text, "3,4; 4,4")


def squares_problem(text: str) -> str:
    """Return what is wrong with squares written as `column,row` with `;` between, empty for nothing."""
    for piece in text.split(";"):
        if piece.strip() and not _SQUARE.fullmatch(piece):
            return say("ui.place.not-squares", what=piece.strip())
    return ""


def squares_in(text: str) -> tuple[Point, ...]:
    """Return the squares in a text that has no problem."""
    found = (_SQUARE.fullmatch(piece) for piece in text.split(";"))
    return tuple((int(match[1]), int(match[2])) for match in found if match)
