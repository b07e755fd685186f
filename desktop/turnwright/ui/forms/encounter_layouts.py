"""The forms of the scene, roster entries, waves, reminders, treasure and handouts as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from turnwright.encounter.party_counts import count_for
from turnwright.encounter.prepared import Handout, Reminder, RosterEntry, Scene, Treasure, Wave
from turnwright.ui.forms.choices import named_choices, reminded_choices, watched_choices
from turnwright.ui.forms.fields import ChoiceField, Field, LineListField, ParsedTextField, TextField
from turnwright.ui.forms.form import FormLayout, Row
from turnwright.ui.forms.kinds import FieldRequest, FormContext, lines
from turnwright.ui.forms.state_field import StateField
from turnwright.ui.look.fonts import set_role
from turnwright.ui.look.translations import tr

SIDE_BY_SIDE = (3, 128)


def _adjustment(request: FieldRequest) -> Field:
    return ChoiceField([("", request.words("none")), *named_choices(request.context.rules.data.adjustments)])


def _counts_error(text: str) -> str:
    is_malformed = text.strip() and count_for(text, 1) is None
    return tr("ui.roster-entry.counts-unread", what=text.strip()) if is_malformed else ""


def _counts(request: FieldRequest) -> Field:
    return ParsedTextField(_counts_error, str.strip, str, request.words("hint"))


ROSTER_ENTRY = FormLayout(
    RosterEntry,
    (
        Row(
            "creature", "side", "wave", "player", "level", "gear", "initiative", "check", "outside", wraps=SIDE_BY_SIDE
        ),
        Row("adjustment", "counts"),
        Row("state", shown_when=lambda entry, _context: entry.state is not None),
        Row("place", "positions", "elevation", wraps=SIDE_BY_SIDE),
        Row("notes"),
    ),
    {
        "together": (Row("controller", "rides", wraps=(2, 128)), Row("group")),
        "fate": (Row("dying", "bystander", stretch=(3, 2)), Row("counts_damage")),
    },
    fields={"adjustment": _adjustment, "counts": _counts, "notes": lines(1), "state": StateField},
    has=lambda context, name: name != "adjustment" or bool(context.rules.data.adjustments),
)


def _settle_round(context: FormContext, before: Scene, after: Scene, name: str) -> Scene:
    """If the purpose has changed, set the usual round length, unless the user has changed it."""
    usual = context.rules.default_round_seconds
    if name != "purpose" or before.round_seconds != usual(before.purpose):
        return after
    return msgspec.structs.replace(after, round_seconds=usual(after.purpose))


def _title(request: FieldRequest) -> Field:
    field = TextField(request.words("hint"))
    set_role(field.line, "strong")
    return field


def _round_seconds(request: FieldRequest) -> Field:
    return ChoiceField([(length.seconds, length.name) for length in request.context.rules.data.round_lengths])


TITLE = FormLayout(Scene, fields={"title": _title})
SETTING = FormLayout(
    Scene,
    (Row("purpose", "round_seconds", "light", "strictness", wraps=(4, 104)),),
    fields={"round_seconds": _round_seconds},
    settle=_settle_round,
)
SCENE_NOTES = FormLayout(
    Scene,
    (Row("read_aloud"), Row("goal"), Row("turning_points"), Row("notes"), Row("conditions"), Row("treasure")),
    fields={
        "read_aloud": lines(2, 10),
        "goal": lines(1, 4),
        "turning_points": lambda request: LineListField(request.words("hint"), 1, 8),
        "notes": lines(2, 14),
        "conditions": lines(1, 4),
        "treasure": lambda request: LineListField(request.words("hint"), 1, 6),
    },
)


def _watched(request: FieldRequest) -> Field:
    none = ("", request.words("none"))
    return ChoiceField(
        load_options=lambda: [none, *watched_choices(request.context.encounter(), request.binding.value())]
    )


WAVE = FormLayout(Wave, (Row("round", "when", "who", wraps=SIDE_BY_SIDE),), fields={"who": _watched})


def _reminded(request: FieldRequest) -> Field:
    none = ("", request.words("none"))
    return ChoiceField(
        load_options=lambda: [none, *reminded_choices(request.context.encounter(), request.binding.value())]
    )


def at_moment(*moments: str) -> Callable[[Any, FormContext], bool]:
    """Return a function that tests whether a reminder is for one of these moments."""
    return lambda reminder, _context: reminder.at in moments


OF_COMBATANTS = ("turn-start", "turn-end", "half", "drops", "dies")
REMINDER = FormLayout(
    Reminder,
    (
        Row("text"),
        Row("at", "round", wraps=SIDE_BY_SIDE),
        Row("who", shown_when=at_moment(*OF_COMBATANTS)),
        Row("countdown", "dice", wraps=SIDE_BY_SIDE, shown_when=at_moment("countdown")),
        Row("wave", shown_when=at_moment("wave")),
        Row("each_time", captions=False),
    ),
    fields={"who": _reminded, "text": lines(2, 8)},
)


TREASURE = FormLayout(
    Treasure,
    (
        Row("name"),
        Row("rarity", "price", "uses", wraps=(3, 112)),
        Row("text"),
        Row("secret", captions=False),
        Row("looks", shown_when=lambda treasure, _context: treasure.secret),
    ),
    fields={"text": lines(3, 12)},
)


def of_style(*styles: str) -> Callable[[Any, FormContext], bool]:
    """Return a function that tests whether a handout has one of these styles."""
    return lambda handout, _context: handout.style in styles


HANDOUT = FormLayout(
    Handout,
    (
        Row("title", "style", wraps=SIDE_BY_SIDE),
        Row("hand", shown_when=of_style("letter")),
        Row("headline", shown_when=of_style("notice", "page", "wanted", "newspaper")),
        Row("place", "date", wraps=SIDE_BY_SIDE, shown_when=of_style("letter", "newspaper", "telegram")),
        Row("text"),
        Row("reward", shown_when=of_style("wanted")),
        Row("signed"),
        Row("picture", shown_when=lambda handout, _context: handout.style != "telegram" or bool(handout.picture)),
    ),
    captions={"title": "ui.handout.heading"},
    fields={"text": lines(8, 24)},
)
