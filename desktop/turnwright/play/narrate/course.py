"""Lines about the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from turnwright.play import events as happened
from turnwright.play.events import phrase
from turnwright.play.narrate.told import (
    NO_SUBJECT,
    Names,
    Teller,
    Told,
    about,
    either,
    members,
    plain,
    text,
    total_of,
    whether,
)


def _course(key: str, *fields: str) -> Teller:
    """A line about the encounter's course with some fields of the event as they are."""

    def told(event: Any, names: Names) -> Told:
        values = {name: getattr(event, name) for name in fields}
        if "elapsed" in values:
            values["time"] = game_time(values["elapsed"])
        kind = "header" if key.startswith("round_started") else "plain"
        return phrase(f"journal.{key}", **values), kind, NO_SUBJECT

    return told


def game_time(seconds: int) -> str:
    """Return seconds of game time as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _rolled(event: happened.Rolled, names: Names) -> Told:
    key = "rolled" if event.who else "rolled_nobody" if event.detail else "rolled_alone"
    if event.passed is not None:
        key = "rolled_passed" if event.passed else "rolled_failed"
    if event.degree:
        key = "rolled_degree"
    values: dict[str, str | int] = {
        "purpose": f"<{event.purpose}>",
        "detail": event.detail,
        "total": total_of(event.roll),
        "dc": event.dc,
        "degree": f"<degree.{event.degree}>" if event.degree else "",
    }
    return phrase(f"journal.{key}", who=names.who(event.who), **values), "roll", about(event.who)


def _skipped(event: happened.Skipped, names: Names) -> Told:
    key = "journal.skipped" if event.who else "journal.skipped_nobody" if event.detail else "journal.skipped_alone"
    values = {"purpose": f"<{event.purpose}>", "detail": event.detail}
    return phrase(key, who=names.who(event.who), **values), "roll", about(event.who)


def _initiative(event: happened.InitiativeSet, names: Names) -> Told:
    key = f"journal.initiative_{event.how}"
    return phrase(key, who=names.who(event.who), total=event.total), "plain", about(event.who)


def _treasure(event: happened.TreasureFound, names: Names) -> Told:
    if not event.who:
        return phrase("journal.treasure_found", what=event.what), "plain", NO_SUBJECT
    return phrase("journal.treasure_taken", what=event.what, who=names.who(event.who)), "plain", about(event.who)


def _joined(event: happened.Joined, names: Names) -> Told:
    return (
        phrase("journal.joined", who=names.who(event.who), side=f"<side.{event.side}>"),
        "warn",
        about(event.who),
    )


def _left(event: happened.Left, names: Names) -> Told:
    return phrase("journal.left", who=event.label), "plain", NO_SUBJECT


def _corrected(event: happened.Corrected, names: Names) -> Told:
    values: dict[str, str | int] = {"text": event.text, "serial": event.serial, "line": event.line}
    return phrase("journal.corrected", **values), "correction", NO_SUBJECT


def _anyway(event: happened.DoneAnyway, names: Names) -> Told:
    said = {"reason": f"<{event.reason}>", **dict(event.params)}
    return phrase("journal.done_anyway", **said), "warn", NO_SUBJECT


def _rest(event: happened.Rested, names: Names) -> Told:
    return phrase(f"journal.rested_{event.length}"), "header", NO_SUBJECT


def _setup(event: happened.SetupReached, names: Names) -> Told:
    return phrase(f"journal.setup_{event.step}"), "header", NO_SUBJECT


def _scene_set(event: happened.SceneSet, names: Names) -> Told:
    places = "; ".join(f"{names.who(id)}: {place}" for id, place in event.places)
    values: dict[str, str | int] = {
        "places": places,
        "features": ", ".join(event.features),
        "seconds": event.round_seconds,
    }
    told = {(True, True): "", (True, False): "_features", (False, True): "_places", (False, False): "_bare"}
    key = f"journal.scene_set{told[bool(event.features), bool(places)]}"
    return phrase(key, **values), "plain", NO_SUBJECT


def _started(event: happened.EncounterStarted, names: Names) -> Told:
    key = "journal.encounter_started_for" if event.reason else "journal.encounter_started"
    return phrase(key, reason=event.reason), "header", NO_SUBJECT


def _world_turn(_event: happened.WorldTurnStarted, _names: Names) -> Told:
    return phrase("journal.world_turn"), "world", NO_SUBJECT


def _related(event: happened.Related, names: Names) -> Told:
    value = event.value
    told = f"related_{event.fact}" + (f"_{value}" if value in ("yes", "no") else "")
    if event.fact == "cover":
        value = f"<cover.{value}>"
    said = phrase(f"journal.{told}", one=names.who(event.one), other=names.who(event.other), value=value)
    return said, "plain", about(event.one)


def _parted(event: happened.Parted, names: Names) -> Told:
    said = phrase("journal.parted", who=names.who(event.who), others=names.all(event.others))
    return said, "plain", about(event.who)


def _supplied(event: happened.Supplied, names: Names) -> Told:
    said = phrase("journal.supplied", who=names.who(event.who), figure=event.figure, value=event.value)
    return said, "plain", about(event.who)


TELLERS: Mapping[type[happened.Event], Teller] = MappingProxyType(
    {
        happened.EncounterStarted: _started,
        happened.SetupReached: _setup,
        happened.SceneSet: _scene_set,
        happened.RoundStarted: _course("round_started", "round", "elapsed"),
        happened.WorldTurnStarted: _world_turn,
        happened.TurnStarted: members("turn_started", "turn"),
        happened.EncounterEnded: _course("encounter_ended", "round"),
        happened.Awarded: _course("awarded", "xp"),
        happened.TreasureFound: _treasure,
        happened.WentBackToPrepared: _course("went_back"),
        happened.Rested: _rest,
        happened.Rolled: _rolled,
        happened.Skipped: _skipped,
        happened.SneakingMarked: either(
            whether("sneaking", "yes", "no"), ("yes", plain("sneaking")), ("no", plain("not_sneaking"))
        ),
        happened.Surprised: plain("surprised", "warn"),
        happened.NobodySurprised: _course("nobody_surprised"),
        happened.OpenerMarked: either(
            lambda event: "somebody" if event.who else "nobody",
            ("somebody", plain("opener")),
            ("nobody", _course("no_opener")),
        ),
        happened.TurnsJoined: members("turns_joined", "plain"),
        happened.InitiativeSet: _initiative,
        happened.OrderSettled: members("order_settled", "plain"),
        happened.TimePassed: _course("time_passed", "hours"),
        happened.Joined: _joined,
        happened.Left: _left,
        happened.Parted: _parted,
        happened.Related: _related,
        happened.Supplied: _supplied,
        happened.Noted: text("noted", "note"),
        happened.Corrected: _corrected,
        happened.DoneAnyway: _anyway,
    }
)
