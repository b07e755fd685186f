"""Exports creatures and encounters in the import format of Improved Initiative.

Content that the format has no field for is reported and left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry, Scene
from turnwright.encounter.roles import is_character, present
from turnwright.encounter.state import Encounter, Lookup
from turnwright.importers.by_template.templates import filled
from turnwright.importers.exporters.formats import export_formats, lost_by
from turnwright.importers.exporters.printed import ExportedText, Modifier, default_modifier
from turnwright.importers.exporters.views import creature_view
from turnwright.storage.atomic import IdAllocator, slug
from turnwright.storage.fights import ConversionReport

_NOT_SUPPORTED: Final = "not supported by Improved Initiative; left out"


def creatures_text(creatures: Sequence[Creature], modifier: Modifier = default_modifier) -> ExportedText:
    """Return a file of creatures. `modifier` returns an ability score's modifier in the creatures' rule system."""
    text = _json(_with_creatures(creatures, modifier))
    return ExportedText(text, lost_by("improved-initiative", creatures, text, "dnd5e", modifier))


def encounter_text(encounter: Encounter, modifier: Modifier = default_modifier) -> ExportedText:
    """Return a file that contains an encounter and its creatures."""
    creatures = list(encounter.all(Creature))
    data = _with_creatures(creatures, modifier)
    lost = lost_by("improved-initiative", creatures, _json(data), "dnd5e", modifier)
    blocks = dict(
        zip((creature.id for creature in creatures), (data[f"Creatures.{id}"] for id in data["Creatures"]), strict=True)
    )
    scene = encounter.get(Scene, "scene") or Scene()
    title = scene.title or "Encounter"
    report = ConversionReport(title)
    combatants: list[dict[str, Any]] = []
    for entry in present(encounter):
        base = encounter.get(Creature, entry.creature)
        if base is not None:
            combatants += _combatants(encounter, entry, base, blocks[base.id], report)
    omitted = [("environments", place.name) for place in encounter.all(Environment)]
    omitted += [("countdowns", countdown.name) for countdown in encounter.all(Countdown)]
    omitted += [(field, text) for field in ("read_aloud", "notes") if (text := getattr(scene, field))]
    for field, text in omitted:
        report.add_note(field, text, _NOT_SUPPORTED)
    saved = {"Name": title, "Path": "", "Combatants": combatants, "ActiveCombatantId": None, "RoundCounter": 0}
    data["SavedEncounters"] = list[str]()
    _add(data, "SavedEncounters", slug(title, "encounter"), saved)
    return ExportedText(_json(data), (*lost, *report.notes))


def _with_creatures(creatures: Sequence[Creature], modifier: Modifier) -> dict[str, Any]:
    ids, record = IdAllocator(), export_formats()["improved-initiative"].record
    data: dict[str, Any] = {"Creatures": []}
    for creature in creatures:
        _add(data, "Creatures", ids.allocate(creature.id), filled(record, creature_view(creature, "dnd5e", modifier)))
    return data


def _json(data: Mapping[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


def _add(data: dict[str, Any], kind: str, id: str, record: dict[str, Any]) -> None:
    record["Id"] = id
    data[kind].append(id)
    data[f"{kind}.{id}"] = record


def _combatants(
    lookup: Lookup, entry: RosterEntry, creature: Creature, block: Mapping[str, Any], report: ConversionReport
) -> list[dict[str, Any]]:
    """Return the combatants of a roster entry, as many as its count."""
    hp, name = entry.hp if entry.hp is not None else creature.hp, entry.name or creature.name
    own: dict[str, Any] = {**block, "HP": {**block["HP"], "Value": hp}}
    if entry.ac is not None:
        own["AC"] = {**block["AC"], "Value": entry.ac}
    if is_character(lookup, entry):
        own["Player"] = entry.player or "player"
        own["Challenge"] = str(entry.level) if entry.level else own["Challenge"]
    elif entry.side != "enemies":
        report.add_note("side", f"{name}: {entry.side}", _NOT_SUPPORTED)
    if entry.wave:
        report.add_note("wave", f"{name}: {entry.wave}", "waves are not supported; there from the start")
    values = {"entry": entry.id, "block": own, "hp": hp, "initiative": entry.initiative or 0, "alias": entry.name}
    values |= {"hidden": entry.hidden, "notes": entry.notes}
    template = export_formats()["improved-initiative"].combatant
    return [filled(template, {**values, "number": number}) for number in range(1, entry.count + 1)]
