"""Journal lines of the events in `play.turns.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import (
    NO_SUBJECT,
    Formatter,
    LabelLookup,
    LineParts,
    combatants_line,
    fields_line,
    subject_of,
)
from turnwright.play.turns.events import (
    CombatantRemoved,
    EncounterEnded,
    ExperienceAwarded,
    FeatureRechargeRolled,
    Reminded,
    RoundStarted,
    SceneDescribed,
    TreasureFound,
    TurnsJoined,
    TurnStarted,
    WorldTurnStarted,
)


def _treasure(event: TreasureFound, names: LabelLookup) -> LineParts:
    if not event.who:
        return phrase("journal.treasure_found", what=event.what), "plain", NO_SUBJECT
    return phrase("journal.treasure_taken", what=event.what, who=names.label(event.who)), "plain", subject_of(event.who)


def _left(event: CombatantRemoved, names: LabelLookup) -> LineParts:
    return phrase("journal.left", who=event.label), "plain", NO_SUBJECT


def _scene_set(event: SceneDescribed, names: LabelLookup) -> LineParts:
    places = "; ".join(f"{names.label(id)}: {place}" for id, place in event.places)
    values: dict[str, str | int] = {
        "places": places,
        "features": ", ".join(event.features),
        "seconds": event.round_seconds,
    }
    told = {(True, True): "", (True, False): "_features", (False, True): "_places", (False, False): "_bare"}
    key = f"journal.scene_set{told[bool(event.features), bool(places)]}"
    return phrase(key, **values), "plain", NO_SUBJECT


def _world_turn(_event: WorldTurnStarted, _names: LabelLookup) -> LineParts:
    return phrase("journal.world_turn"), "world", NO_SUBJECT


def _recharged(event: FeatureRechargeRolled, names: LabelLookup) -> LineParts:
    key = "journal.feature_back" if event.recharged else "journal.feature_spent"
    face = "?" if event.face is None else event.face
    return phrase(key, who=names.label(event.who), what=event.feature, face=face), "plain", subject_of(event.who)


def _reminded(event: Reminded, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "round": event.since}
    key = "journal.reminded" if event.since else "journal.reminded_bare"
    return phrase(key, who=names.label(event.who), **values), "warn", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        SceneDescribed: _scene_set,
        RoundStarted: fields_line("round_started", "round", "elapsed"),
        WorldTurnStarted: _world_turn,
        TurnStarted: combatants_line("turn_started", "turn"),
        EncounterEnded: fields_line("encounter_ended", "round"),
        ExperienceAwarded: fields_line("awarded", "xp"),
        TreasureFound: _treasure,
        TurnsJoined: combatants_line("turns_joined", "plain"),
        CombatantRemoved: _left,
        FeatureRechargeRolled: _recharged,
        Reminded: _reminded,
    }
)
