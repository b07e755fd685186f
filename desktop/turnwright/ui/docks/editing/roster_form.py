"""The form of what the roster's cells leave out about an entry: its creature, who plays it, initiative, where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature, Environment, Point
from turnwright.encounter.state import Encounter
from turnwright.rules.catalogue import Catalogue
from turnwright.ui.docks.editing.compound import PicksField
from turnwright.ui.docks.editing.fields import ChoiceField, DraftField, LongTextField, NumberBox, Options, TextField
from turnwright.ui.docks.editing.form import Form
from turnwright.ui.docks.editing.statements import gear_words
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.models.naming import plain_words, squares_text
from turnwright.ui.say import say

_SQUARE = re.compile(r"\s*\(?\s*(-?\d{1,6})\s*[,/]\s*(-?\d{1,6})\s*\)?\s*")


def details_form(subject: Subject, encounter: Callable[[], Encounter], catalogue: Catalogue, parent: QWidget) -> Form:
    """Return the form of how the members of a roster entry stand in this encounter."""

    def creatures() -> Options:
        return [(one.id, one.name or one.id) for one in encounter().all(Creature)]

    def environments() -> Options:
        return [(one.id, one.name or one.id) for one in encounter().all(Environment)]

    checks = [("", say("ui.place.usual-check"))]
    checks += [(f"{c.ability}:{c.skill}", plain_words(c.skill).capitalize()) for c in catalogue.initiative_checks]
    form = Form(subject, parent)
    form.row(
        ("creature", "ui.place.creature", ChoiceField(more=creatures)),
        ("initiative", "ui.place.initiative", NumberBox(-20, 40, "", say("ui.place.as-creature"))),
        ("check", "ui.place.check", ChoiceField(checks)),
    )
    form.row(
        ("player", "ui.place.player", TextField()),
        ("level", "ui.place.level", NumberBox(0, 40, "", "–", zero_is_blank=True)),
        (
            "gear",
            "ui.stat.gear",
            PicksField((), lambda: gear_words(encounter(), catalogue), own=say("ui.editing.own-gear")),
        ),
    )
    form.row(
        ("place", "ui.place.place", TextField(say("ui.place.place-hint"))),
        ("positions", "ui.place.positions", squares_field()),
        ("outside", "ui.place.outside", PicksField((), environments)),
    )
    form.row(("notes", "ui.stat.notes", LongTextField(say("ui.place.notes-hint"), 1)))
    return form


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
