"""The targets of an attack in turn order: conscious foes first, then all other creatures and objects."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.prepared import Environment, Map
from turnwright.encounter.running import Combatant
from turnwright.rules.parts import positions
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.forms import choices
from turnwright.ui.translations import tr
from turnwright.ui.widgets.pick_row import PickOption

TARGET_LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN_DISTANCE = 10**6


def combatants_in_order(document: DocumentModel) -> list[Combatant]:
    """Return the combatants in turn order, those without a place last."""
    return choices.combatants_in_order(document.encounter, document.rules)


def likely_targets(document: DocumentModel, who: str) -> list[Combatant]:
    """Return the conscious foes in turn order."""
    return [
        one
        for one in combatants_in_order(document)
        if one.id != who and not one.dead and one.hp > 0 and positions.are_hostile(document.encounter, who, one.id)
    ]


def suggested_target(document: DocumentModel, who: str, previous: str = "") -> str:
    """Return the target to suggest: the previous one while conscious, else the nearest foe by known distance."""
    likely = likely_targets(document, who)
    if any(one.id == previous for one in likely):
        return previous

    def apart(one: Combatant) -> int:
        feet = positions.distance(document.encounter, document.rules, who, one.id)
        return UNKNOWN_DISTANCE if feet is None else feet

    nearest = min(likely, key=apart, default=None)
    return nearest.id if nearest is not None else ""


def target_picks(document: DocumentModel, who: str, *, include_all: bool) -> list[PickOption]:
    """Return the targets with a letter each; `include_all` adds the unconscious, allies and objects."""
    likely = likely_targets(document, who)
    found = [_pick(document, who, one) for one in likely]
    if include_all:
        near = {one.id for one in likely}
        rest = (one for one in combatants_in_order(document) if one.id != who and one.id not in near and not one.dead)
        found += [_pick(document, who, one) for one in rest]
        found += _things(document)
    return [_lettered(pick, place) for place, pick in enumerate(found)]


def combatant_picks(combatants: list[Combatant], refused: dict[str, str] | None = None) -> list[PickOption]:
    """Return combatants as options with a letter each, and a refusal where one is given."""
    why = refused or {}
    return [
        _lettered(PickOption(one.id, one.label, refused=why.get(one.id, "")), place)
        for place, one in enumerate(combatants)
    ]


def _lettered(pick: PickOption, place: int) -> PickOption:
    letter = TARGET_LETTERS[place] if place < len(TARGET_LETTERS) else ""
    return msgspec.structs.replace(pick, key=letter)


def _pick(document: DocumentModel, who: str, one: Combatant) -> PickOption:
    feet = positions.distance(document.encounter, document.rules, who, one.id)
    armor = armor_class(document.encounter, document.rules, one.id)
    parts = [
        document.words("ui.turn.ac", n=armor.total or "?"),
        document.words("ui.hp.points", now=one.hp, maximum=one.hp_max),
    ]
    if feet is not None:
        parts.append(f"{feet} {tr('ui.general.feet')}")
    sign = "eye-off" if positions.is_hidden_from(document.encounter, document.rules, one.id, who) else ""
    return PickOption(one.id, one.label, ", ".join(parts), icon=sign if one.hp > 0 else "heart-broken", note=parts[0])


def _things(document: DocumentModel) -> Iterator[PickOption]:
    field = document.encounter.get(Map, "map")
    for thing in field.obstacles if field is not None else ():
        if thing.ac or thing.hp:
            yield PickOption(thing.id, thing.name or thing.id, icon="cube-outline")
    for place in document.encounter.all(Environment):
        for row in (*place.actions, *place.features):
            if row.enabled and row.ac:
                yield PickOption(f"{place.id}.{row.id}", row.name, icon="earth")
