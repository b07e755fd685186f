"""The targets of an attack in turn order: conscious enemies first, then all other creatures and objects."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.prepared import Environment, Map
from turnwright.encounter.running import Combatant
from turnwright.rules.parts import positions
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.ui.forms import choices
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption

TARGET_LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN_DISTANCE = 10**6


def combatants_in_order(document: DocumentModel) -> list[Combatant]:
    """Return the combatants in turn order. Combatants without initiative come last."""
    return choices.combatants_in_order(document.encounter, document.rules)


def likely_targets(document: DocumentModel, who: str) -> list[Combatant]:
    """Return the conscious enemies in turn order."""
    return [
        combatant
        for combatant in combatants_in_order(document)
        if combatant.id != who
        and not combatant.dead
        and combatant.hp > 0
        and positions.are_hostile(document.encounter, who, combatant.id)
    ]


def suggested_target(document: DocumentModel, who: str, previous: str = "") -> str:
    """Return the suggested target: the previous one if it is conscious, or else the nearest enemy by known distance."""
    likely = likely_targets(document, who)
    if any(combatant.id == previous for combatant in likely):
        return previous

    def apart(combatant: Combatant) -> int:
        feet = positions.distance(document.encounter, document.rules, who, combatant.id)
        return UNKNOWN_DISTANCE if feet is None else feet

    nearest = min(likely, key=apart, default=None)
    return nearest.id if nearest is not None else ""


def target_picks(document: DocumentModel, who: str, *, include_all: bool) -> list[PickOption]:
    """Return the targets as options with letters. `include_all` adds unconscious combatants, allies and objects."""
    likely = likely_targets(document, who)
    picks = [_pick(document, who, combatant) for combatant in likely]
    if include_all:
        near = {combatant.id for combatant in likely}
        rest = (
            combatant
            for combatant in combatants_in_order(document)
            if combatant.id != who and combatant.id not in near and not combatant.dead
        )
        picks += [_pick(document, who, combatant) for combatant in rest]
        picks += _things(document)
    return [_lettered(pick, place) for place, pick in enumerate(picks)]


def combatant_picks(combatants: list[Combatant], refused: dict[str, str] | None = None) -> list[PickOption]:
    """Return combatants as options, each with a letter and, if it is in `refused`, the reason against it."""
    why = refused or {}
    return [
        _lettered(PickOption(combatant.id, combatant.label, refused=why.get(combatant.id, "")), place)
        for place, combatant in enumerate(combatants)
    ]


def _lettered(pick: PickOption, place: int) -> PickOption:
    letter = TARGET_LETTERS[place] if place < len(TARGET_LETTERS) else ""
    return msgspec.structs.replace(pick, key=letter)


def _pick(document: DocumentModel, who: str, combatant: Combatant) -> PickOption:
    feet = positions.distance(document.encounter, document.rules, who, combatant.id)
    armor = armor_class(document.encounter, document.rules, combatant.id)
    parts = [
        document.words("ui.turn.ac", n=armor.total or "?"),
        document.words("ui.hp.points", now=combatant.hp, maximum=combatant.hp_max),
    ]
    if feet is not None:
        parts.append(f"{feet} {tr('ui.general.feet')}")
    sign = "eye-off" if positions.is_hidden_from(document.encounter, document.rules, combatant.id, who) else ""
    return PickOption(
        combatant.id,
        combatant.label,
        ", ".join(parts),
        icon=sign if combatant.hp > 0 else "heart-broken",
        note=parts[0],
    )


def _things(document: DocumentModel) -> Iterator[PickOption]:
    field = document.encounter.get(Map, "map")
    for thing in field.obstacles if field is not None else ():
        if thing.ac or thing.hp:
            yield PickOption(thing.id, thing.name or thing.id, icon="cube-outline")
    for place in document.encounter.all(Environment):
        for row in (*place.actions, *place.features):
            if row.enabled and row.ac:
                yield PickOption(f"{place.id}.{row.id}", row.name, icon="earth")
