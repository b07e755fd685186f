"""Reads the fields and items of an actor of Foundry's Pathfinder 2e system, in its schema of 2021 (`data`) or later.

Numbers may be stored as texts, and lists as mappings with meaningless keys. Fields move between versions, so every
number is looked up at all its possible positions.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from turnwright.encounter.state import grouped
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, named_numbers, nested_value, text_at
from turnwright.importers.pf2e import markup, stat_block
from turnwright.importers.statblock_text import damage, header_lines
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport

_SPELL_KIND = re.compile(r" - (?:Cantrips?|Focus)$")
_PAGE = re.compile(r"^(?P<title>.{0,300}?),?\s{0,3}\b(?:pgs?|pp?|page)\b\.?\s*(?P<page>\d+)", re.IGNORECASE)


def system_data_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the system data of a document."""
    return as_mapping(document.get("system")) or as_mapping(document.get("data"))


def value_of(value: Any) -> Any:
    """Return a value that is stored directly or as `{value: …}`."""
    return value.get("value") if isinstance(value, dict) else value


def values_of(value: Any) -> list[Any]:
    """Return the values of a list, or of a mapping with meaningless keys."""
    return list(value.values()) if isinstance(value, dict) else as_list(value)


def texts_of(value: Any) -> tuple[str, ...]:
    """Return the texts of a list, of `{value: list, custom: text}`, or of one text separated by commas."""
    if isinstance(value, dict):
        more = as_text(value.get("custom"))
        texts = (*texts_of(value.get("value")), *markup.split_list(more))
        return tuple(entry for entry in texts if entry != "custom")
    if isinstance(value, str):
        return markup.split_list(value)
    return tuple(text for entry in as_list(value) if (text := as_text(entry).strip()))


def perception(body: Mapping[str, Any]) -> int | None:
    """Return the total bonus of Perception, or None if it isn't stated."""
    bonus = int_at(body, "perception", "mod")
    return bonus if bonus is not None else int_at(body, "attributes", "perception", "value")


def traits(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the traits of an actor or an item."""
    data = as_mapping(body.get("traits"))
    return texts_of(data.get("traits")) if "traits" in data else texts_of(data)


def senses(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield senses as a stat block writes them: `scent (imprecise) 60 feet`."""
    for data in (nested_value(body, "perception", "senses"), nested_value(body, "traits", "senses")):
        if isinstance(data, dict):
            yield from texts_of(data)
        for entry in as_list(data):
            if isinstance(entry, str):
                yield entry
                continue
            acuity, feet = text_at(entry, "acuity"), int_at(entry, "range")
            name = (text_at(entry, "type") or text_at(entry, "label")).replace("-", " ")
            aside = f"({acuity})" if acuity and acuity != "precise" else ""
            yield " ".join(filter(None, (name, aside, f"{feet} feet" if feet else "", text_at(entry, "value").strip())))
    yield from markup.split_list(text_at(body, "perception", "details"))


def languages(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of languages, and remarks on them."""
    data = nested_value(body, "details", "languages") or nested_value(body, "traits", "languages")
    for language in texts_of(nested_value(data, "value")):
        if language != "custom":
            yield language.replace("-", " ").title() if language.islower() else language
    for text in (text_at(data, "custom"), text_at(data, "details")):
        yield from markup.split_list(text.strip(" ,;"))


def skills(body: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[stat_block.SourceNumber]:
    """Yield skills. Later schemas store them in the actor, earlier ones in items; lore skills are always items."""
    for name, data in as_mapping(body.get("skills")).items():
        base = int_at(data, "base")
        total = base if base is not None else int_at(data, "value") or None
        special = map(_special, values_of(nested_value(data, "special")))
        if total is not None:
            note = "; ".join(filter(None, (*special, text_at(data, "note"))))
            yield stat_block.SourceNumber(markup.SKILLS.get(name, name), total, note)
    for item in items:
        lore = system_data_of(item)
        total = int_at(lore, "mod", "value")
        if item.get("type") == "lore" and total is not None:
            variants = (text_at(variant, "label") for variant in values_of(lore.get("variants")))
            yield stat_block.SourceNumber(text_at(item, "name"), total, "; ".join(filter(None, variants)))


def _special(data: Any) -> str:
    base, label = int_at(data, "base"), text_at(data, "label")
    return f"{base:+d} {label}".strip() if base is not None else label


def speeds(body: Mapping[str, Any]) -> Iterator[stat_block.SourceNumber]:
    """Yield speeds. A field such as `30; Fly: 40` contains two of them."""
    data = as_mapping(nested_value(body, "attributes", "speed"))
    yield from markup.numbers_of(text_at(data, "value"), markup.SPEED, "land")
    for other in values_of(data.get("otherSpeeds")):
        name, feet = text_at(other, "type") or text_at(other, "label"), int_at(other, "value")
        worded = f"{name} {text_at(other, 'value')}".strip()
        yield from markup.numbers_of(worded if feet is None else (stat_block.SourceNumber(name, feet),), markup.SPEED)
    for name in ("details", "special"):
        for text in markup.split_list(text_at(data, name)):
            yield stat_block.SourceNumber(text, None)


def immunities(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield immunities, with their exceptions in brackets."""
    yield from texts_of(nested_value(body, "traits", "di"))
    yield from texts_of(nested_value(body, "traits", "ci"))
    for entry in values_of(nested_value(body, "attributes", "immunities")):
        excepted = _exceptions_text(entry)
        kind = text_at(entry, "type") or text_at(entry, "customLabel")
        yield f"{kind} ({excepted})" if excepted else kind


def resistances_or_weaknesses(body: Mapping[str, Any], early: str, late: str) -> Iterator[stat_block.SourceNumber]:
    """Yield resistances or weaknesses, from `early` in the traits or (in later schemas) `late` in the attributes."""
    for entry in (*values_of(nested_value(body, "traits", early)), *values_of(nested_value(body, "attributes", late))):
        kind = text_at(entry, "type")
        name = text_at(entry, "customLabel") if kind == "custom" else kind
        yield stat_block.SourceNumber(name or text_at(entry, "label"), int_at(entry, "value"), _exceptions_text(entry))


def _exceptions_text(entry: Any) -> str:
    excepted, doubled = _named(nested_value(entry, "exceptions")), _named(nested_value(entry, "doubleVs"))
    return "; ".join(filter(None, (excepted and f"except {excepted}", doubled and f"double against {doubled}")))


def _named(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().removeprefix("except ")
    names = (text_at(entry, "label") if isinstance(entry, dict) else as_text(entry) for entry in as_list(value))
    return " or ".join(name.replace("-", " ") for name in names if name)


def source(body: Mapping[str, Any], collection: str) -> str:
    """Return the source of a record: the collection, the book and the page."""
    old = nested_value(body, "details", "source") or body.get("source")
    title_and_page = published(body, "title") or as_text(value_of(old))
    match = _PAGE.match(title_and_page)
    title = f"{match['title']}, page {match['page']}" if match else title_and_page.strip()
    return f"{collection}: {title}" if title else collection


def published(body: Mapping[str, Any], name: str) -> str:
    """Return the entry `name` in the publication data of a record, or an empty string if it has none."""
    return text_at(body, "details", "publication", name) or text_at(body, "publication", name)


PlainText = Callable[[str, str], str]
EQUIPMENT_TYPES: Final[frozenset[str]] = frozenset(terms("pf2e_foundry", "equipment_types"))
KNOWN_TYPES: Final = (
    {"melee", "ranged", "action", "feat", "lore", "spell", "spellcastingEntry"}
    | EQUIPMENT_TYPES
    | set(terms("pf2e_foundry", "origin_types"))
)
_COSTS: Final = {"action": "action", "reaction": "reaction", "free": "free", "passive": "trait"}
_OF_ROLLS: Final = ("damage", "damageType", "category")
_PERS: Final[Mapping[str, str]] = terms("pf2e_foundry", "periods")


def name_of(item: Mapping[str, Any]) -> str:
    """Return the name of an item, without surrounding spaces and the kind of a spell, as in `Light - Cantrips`."""
    return _SPELL_KIND.sub("", " ".join(text_at(item, "name").split()))[:200]


def strikes(items: Sequence[Mapping[str, Any]], plain: PlainText) -> Iterator[stat_block.SourceStrike]:
    """Yield the Strikes among items. Carried weapons are not Strikes by themselves."""
    for item in items:
        if text_at(item, "type") not in ("melee", "ranged"):
            continue
        body, name = system_data_of(item), name_of(item)
        effects = texts_of(body.get("attackEffects"))
        kind = text_at(body, "weaponType", "value") or ("ranged" if text_at(item, "type") == "ranged" else "")
        rolls = (map(partial(text_at, roll), _OF_ROLLS) for roll in values_of(body.get("damageRolls")))
        yield stat_block.SourceStrike(
            name,
            int_at(body, "bonus", "value"),
            traits(body),
            tuple(stat_block.DamagePart(*fields) for fields in rolls),
            tuple(effect.replace("-", " ") if effect.islower() else effect for effect in effects),
            ranged=kind == "ranged" if kind else None,
            increment=int_at(body, "range", "increment") or 0,
            max_range=int_at(body, "range", "max") or 0,
            text=plain(f"Strike {name}", text_at(body, "description", "value")),
        )


def abilities(
    items: Sequence[Mapping[str, Any]], plain: PlainText, report: ConversionReport
) -> Iterator[stat_block.SourceAbility]:
    """Yield the abilities among items, in order. Unsupported item types are reported."""
    for item in items:
        kind = text_at(item, "type")
        if kind not in KNOWN_TYPES:
            report.add_note("items", f"{name_of(item)} ({kind})", "unsupported item type; ignored")
        if kind not in ("action", "feat"):
            continue
        body, name = system_data_of(item), name_of(item)
        uses, per = _uses(body, name, report)
        cost, count = _COSTS.get(text_at(body, "actionType", "value"), "trait"), int_at(body, "actions", "value")
        price = count if count in (1, 2, 3) else 1
        yield stat_block.SourceAbility(name, cost, price, traits(body), _whole_text(body, name, plain), uses, per)


def _whole_text(body: Mapping[str, Any], name: str, plain: PlainText) -> str:
    text = plain(name, text_at(body, "description", "value")).lstrip("; ")
    others = ((label, plain(name, text_at(body, label, "value"))) for label in ("trigger", "requirements"))
    missing = (f"{label.title()} {words}" for label, words in others if words and words not in text)
    return "\n".join((*missing, text))


def _uses(body: Mapping[str, Any], name: str, report: ConversionReport) -> tuple[int, str]:
    most, per = int_at(body, "frequency", "max"), text_at(body, "frequency", "per")
    if most and per not in _PERS:
        report.add_note(f"{name}: uses", f"{most} per {per}", "unsupported frequency; ignored")
    return (most, _PERS[per]) if most and per in _PERS else (0, "")


def equipment(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of the carried equipment, with quantities above one."""
    for item in items:
        if text_at(item, "type") in EQUIPMENT_TYPES:
            count = damage.as_int(value_of(system_data_of(item).get("quantity")))
            name = name_of(item).lower()
            yield f"{name} ({count})" if count is not None and count > 1 and "(" not in name else name


def spells(items: Sequence[Mapping[str, Any]], level: int) -> Iterator[stat_block.SourceSpells]:
    """Yield the spell lists of a creature of `level`, and one more list for the spells that belong to none."""
    owned = (item for item in items if text_at(item, "type") == "spell")
    by_entry = grouped((as_text(value_of(system_data_of(item).get("location"))), _rank(item, level)) for item in owned)
    for item in items:
        if text_at(item, "type") == "spellcastingEntry":
            yield _entry(item, by_entry.pop(text_at(item, "_id"), []))
    if rest := tuple(chain.from_iterable(by_entry.values())):
        yield stat_block.SourceSpells("Rituals" if all(spell.ritual for spell in rest) else "Spells", spells=rest)


def _entry(item: Mapping[str, Any], spells: list[stat_block.RankedSpell]) -> stat_block.SourceSpells:
    body = system_data_of(item)
    ability, prepared, tradition = (text_at(body, key, "value") for key in ("ability", "prepared", "tradition"))
    slots = named_numbers((f"rank {n}", nested_value(body, "slots", f"slot{n}", "max")) for n in range(1, 11))
    return stat_block.SourceSpells(
        name_of(item) or " ".join(part.title() for part in (tradition, prepared, "spells")),
        dc=int_at(body, "spelldc", "dc") or 0,
        attack=int_at(body, "spelldc", "value") or None,
        tradition=tradition.lower(),
        ability=ability if ability in header_lines.ABILITIES else "",
        spells=tuple(spells),
        note=", ".join(f"{rank}: {most} slots" for rank, most in slots if most and prepared.lower() == "spontaneous"),
    )


def _rank(item: Mapping[str, Any], level: int) -> stat_block.RankedSpell:
    body = system_data_of(item)
    own, raised = int_at(body, "level", "value"), int_at(body, "location", "heightenedLevel")
    # focus spells rise with their caster
    rank = raised if raised is not None else max(own or 0, (level + 1) // 2 if "focus" in traits(body) else 0)
    cantrip = "cantrip" in traits(body) or not rank
    uses = int_at(body, "location", "uses", "max")
    note = f"\N{MULTIPLICATION SIGN}{uses}" if uses and uses > 1 else ""
    ritual = bool(body.get("ritual")) or "ritual" in texts_of(nested_value(body, "traditions", "value"))
    return stat_block.RankedSpell(name_of(item), rank, note, cantrip=cantrip, ritual=ritual)
