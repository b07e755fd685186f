"""Exports creatures in the formats of `resources/exports/`, and compares the result with what the import reads in it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.state import grouped
from turnwright.importers.by_template.templates import filled
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.exporters.printed import ExportedText, Modifier, worded
from turnwright.importers.exporters.views import creature_view
from turnwright.importers.five_e_tools.tags import proficiency_of
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, postprocessed
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionNote, ConversionReport
from turnwright.storage.resources import resource_path


class ExportFormat(msgspec.Struct, frozen=True):
    """A format: its title, the rule systems that it suits, and its templates.

    `reader` is the module of the import format that reads it. With `apart`, each creature has its own file. `fence` is
    the kind of the fenced block in which the data of a note stand.
    """

    title: str
    reader: str
    games: tuple[str, ...]
    ending: str
    record: Any
    document: Any = None
    combatant: Any = None
    apart: bool = False
    fence: str = ""


@cache
def export_formats() -> Mapping[str, ExportFormat]:
    """Return the formats by id, sorted."""
    paths = sorted(resource_path("exports").glob("*.yaml"))
    return {path.stem: msgspec.yaml.decode(path.read_bytes(), type=ExportFormat) for path in paths}


def exported(creatures: Sequence[Creature], form: ExportFormat, system: str, modifier: Modifier) -> ExportedText:
    """Return creatures as one text, with notes on what the import doesn't get back from it."""
    views = [creature_view(creature, system, modifier) for creature in creatures]
    text = _written([filled(form.record, view) for view in views], views, form)
    return ExportedText(text, tuple(_lost(creatures, text, form, system, modifier)))


def lost_by(
    id: str, creatures: Sequence[Creature], text: str, system: str, modifier: Modifier
) -> tuple[ConversionNote, ...]:
    """Return notes on what the import doesn't get back from a text in the format with this id."""
    return tuple(_lost(creatures, text, export_formats()[id], system, modifier))


def _written(records: list[Any], views: list[dict[str, Any]], form: ExportFormat) -> str:
    import yaml  # slow to import

    if form.fence:
        blocks = [yaml.safe_dump(one, sort_keys=False, allow_unicode=True, width=10**6) for one in records]
        notes = zip(records, blocks, strict=True)
        return "\n".join(f"# {one['name']}\n\n```{form.fence}\n{block}```\n" for one, block in notes)
    if form.ending != ".json":
        return "\n".join("\n".join(_flat(record)) + "\n" for record in records)
    whole = filled(form.document, {"records": records, "creatures": views}) if form.document else records[0]
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _flat(lines: Any) -> Iterator[str]:
    for line in lines:
        yield from _flat(line) if isinstance(line, list) else [line] if line else []


_NOT_COMPARED: Final = frozenset({"id", "name", "features", "read", "source", "remarks"})
_LOST: Final = "can't be stored in this format; left out"
_EMPTY: Final = ("", 0, (), None, False)
_MORE: Final = "the import also reads this in the text"
_IN_TEXT: Final = "the numbers are written into the text"
_AUTOMATION: Final = "what happens by itself can't be stored in this format; the texts are kept"
_OTHERWISE: Final = "read again as {!r}"


def _lost(
    creatures: Sequence[Creature], text: str, form: ExportFormat, system: str, modifier: Modifier
) -> Iterator[ConversionNote]:
    """Yield notes on every field that differs when the text is imported again."""
    document = parse_document(text.encode(), Path(f"export{form.ending}"))
    again: list[Creature] = []
    if isinstance(document, ParsedDocument):
        reader: ImportFormat = import_module(f"turnwright.importers.{form.reader}").FORMAT
        imported = [one for one in reader.read([document], system) if isinstance(one, ImportedRecord)]
        again = [one for one in (postprocessed(each).record for each in imported) if isinstance(one, Creature)]
    by_name = grouped((one.name.casefold(), one) for one in again)
    for creature in creatures:
        report = ConversionReport(creature.name)
        back = by_name.get(creature.name.casefold(), [])
        if back:
            _compare(creature, back.pop(0), report, modifier)
        else:
            report.add_note("creature", creature.name, "the import doesn't find it in this format")
        yield from report.notes


def _compare(creature: Creature, back: Creature, report: ConversionReport, modifier: Modifier) -> None:
    for field in Creature.__struct_fields__:
        old, new = (_plain(field, one, modifier) for one in (creature, back))
        if field not in _NOT_COMPARED and old != new:
            report.add_note(field, worded(getattr(creature, field)), _why(getattr(back, field)))
    told: dict[tuple[str, str], dict[str, None]] = {}
    features = grouped((each.name.casefold(), each) for each in back.features)
    for feature in creature.features:
        alike = features.get(feature.name.casefold())
        other = alike.pop(0) if alike else None
        if other is None:
            told.setdefault(("features", _LOST), {})[feature.name] = None
            continue
        for field in Feature.__struct_fields__:
            old, new = (_figure(field, each, creature) for each in (feature, other))
            gained = not old and field in ("automation", "short")  # only how the import marks the feature
            if field not in _NOT_COMPARED and not gained and _unordered(old) != _unordered(new):
                name, why = (field, _LOST) if field in terms("exports", "figures") else ("automation", _AUTOMATION)
                about = (name, _MORE if old in _EMPTY else why)
                if field == "text" and _unordered(old) in _unordered(new):
                    about = (field, _IN_TEXT)
                told.setdefault(about, {})[feature.name] = None
    for (field, why), names in told.items():
        report.add_note(field, ", ".join(names), why)


def _why(back: Any) -> str:
    return _OTHERWISE.format(worded(back)) if back not in _EMPTY else _LOST


def _plain(field: str, creature: Creature, modifier: Modifier) -> Any:
    """Return the value of a field without usual totals, and without the order of its entries."""
    value, abilities = getattr(creature, field), dict(creature.abilities)
    if field == "saves":
        return {id: bonus for id, bonus in value if bonus != modifier(abilities.get(id, 10))}
    if field == "initiative":
        return value if value != modifier(abilities.get("dex", 10)) else None
    if field == "speeds":
        return {mode: feet for mode, feet in value if feet}
    if field == "proficiency":
        return value or proficiency_of(creature.rating)
    if field == "passives":
        usual = 10 + dict(creature.skills).get("perception", modifier(abilities.get("wis", 10)))
        return {id: score for id, score in value if (id, score) != ("perception", usual)}
    if field == "abilities":
        return {id: score for id, score in value if score != 10}
    return _unordered(value)


def _figure(field: str, feature: Feature, creature: Creature) -> Any:
    """Return the value of a feature's field. The reach that attacks usually have, and what a weapon is, count as stated."""
    value = getattr(feature, field)
    if field == "properties":
        return frozenset(value) - {"weapon"}
    return value or creature.reach if field == "reach" and feature.attack is not None and not feature.range else value


def _unordered(value: Any) -> Any:
    """Return a text without spaces, and a list without an order."""
    if isinstance(value, tuple):
        return frozenset(map(_unordered, value))
    return "".join(value.split()) if isinstance(value, str) else value
