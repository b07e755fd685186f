"""Reads creatures of web pages that save them as JSON: CritterDB, Bestiary Builder and statblock5e-creator.

The templates in `resources/imports/` arrange a record as the lines of a printed stat block.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import floor
from typing import Any, Final

import msgspec

from turnwright.importers import formats, results, stat_block, vocabulary
from turnwright.importers.by_template.templates import filled, value_in
from turnwright.importers.common import as_list, as_mapping, as_text, challenge_rating
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.five_e_tools.tags import proficiency_of
from turnwright.importers.foundry.reading import ORDINALS
from turnwright.importers.statblock_text import header_lines, markup
from turnwright.importers.statblock_text.damage import as_int
from turnwright.storage import fights, resources

_RE: Final = vocabulary.Patterns("creature_sites")


class _Site(msgspec.Struct, frozen=True):
    """A web page: the paths that all its records have, and the template of a stat block."""

    title: str
    signs: tuple[str, ...]
    record: Any


@cache
def _sites() -> tuple[_Site, ...]:
    paths = sorted(resources.resource_path("imports").glob("*.yaml"))
    return tuple(msgspec.yaml.decode(path.read_bytes(), type=_Site) for path in paths)


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains a creature of one of these pages."""
    return any(_site_of(record) for record in _records(document.data)[:20])


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the creatures of the documents."""
    return stat_block.read_blocks(
        documents, system, _records, _block, name_of=_name, is_record=lambda one: _site_of(one) is not None
    )


def _records(data: Any) -> list[Any]:
    """Return the stat blocks of a list, of a bestiary, or of a single creature."""
    listed = data if isinstance(data, list) else as_list(as_mapping(data).get("creatures")) or [data]
    inner = ((as_mapping(record).get("stats"), record) for record in listed)
    return [stats if isinstance(stats, dict) and "core" in stats else record for stats, record in inner]


def _site_of(record: Any) -> _Site | None:
    return next((site for site in _sites() if all(value_in(record, sign) is not None for sign in site.signs)), None)


def _name(record: Any) -> Any:
    site = _site_of(record)
    return filled(site.record["name"], record) if site else None


def _block(record: Any, name: str, report: fights.ConversionReport) -> stat_block.StatBlock:
    site = _site_of(record)
    values = as_mapping(filled(site.record, record)) if site else {}
    scores = {str(key).lower()[:3]: as_int(score) for key, score in as_mapping(values.get("scores")).items()}
    modifiers = {id: ((scores.get(id) or 10) - 10) // 2 for id in header_lines.ABILITIES}
    rating = challenge_rating(values.get("rating"))
    proficiency = as_int(values.get("proficiency")) or proficiency_of(rating)
    saves, skills = (list(_bonuses(values.get(key), modifiers, proficiency)) for key in ("saves", "skills"))
    names = {"name": f"the {as_text(values.get('short')) or name.lower()}", "fullname": name}

    def plain(value: Any) -> str:
        return markup.plain_text(
            _RE.macro.sub(lambda found: _worked_out(found, names, modifiers, proficiency), as_text(value))
        )

    features = tuple(
        stat_block.PrintedFeature(plain(entry.get("name")), plain(entry.get("description", entry.get("text"))), cost)
        for cost, entries in as_mapping(values.get("features")).items()
        for entry in map(as_mapping, as_list(entries))
    )
    if lines := [one for one in _spell_lines(as_list(values.get("spells")), as_mapping(values.get("innate"))) if one]:
        features = (*features, stat_block.PrintedFeature("Spellcasting", "\n".join(lines), "trait"))
        report.add_note("spellcasting", ", ".join(lines), "the numbers of the spells are read in the rules")
    dice, hp = as_mapping(values.get("hit_dice")), as_int(values.get("hp"))
    count, sides = as_int(dice.get("count")) or 0, as_int(dice.get("sides")) or 8
    added = count * modifiers["con"]
    if not hp and not count:
        raise fights.UnreadableError("no hit points")
    stated = header_lines.legendary_count(plain(values.get("legendary_text"))) or as_int(values.get("legendary")) or 0
    block = as_mapping(values.get("block"))
    joined = {key: ", ".join(value) for key in ("speeds", "senses") if isinstance(value := block.get(key), list)}
    return stat_block.StatBlock(
        name,
        abilities=scores,
        saves=", ".join(f"{id} {bonus:+d}" for id, bonus in saves),
        skills=", ".join(f"{id} {bonus:+d}" for id, bonus in skills),
        hp=hp or max(1, floor(count * (sides + 1) / 2) + added),
        hit_dice=f"{count}d{sides}{f'{added:+d}' if added else ''}" if count else "",
        features=features,
        legendary=stated if any(feature.cost == "legendary" for feature in features) else 0,
        proficiency=proficiency,
        rating=rating,
        xp=as_int(values.get("xp")) or 0,
        program=site.title if site else "",
        **{**block, **joined},
    )


def _spell_lines(by_level: Sequence[Any], by_uses: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for the spells of each level, and for those that are cast a number of times a day."""
    lists = [(ORDINALS[level], spells) for level, spells in enumerate(by_level[: len(ORDINALS)])]
    lists += [("At will" if uses == "0" else f"{uses}/day each", spells) for uses, spells in by_uses.items()]
    for head, spells in lists:
        names = filter(None, (as_text(spell) or as_text(as_mapping(spell).get("spell")) for spell in as_list(spells)))
        yield f"{head}: {joined}" if (joined := ", ".join(names)) else ""


def _bonuses(entries: Any, modifiers: Mapping[str, int], proficiency: int) -> Iterator[tuple[str, int]]:
    """Yield the names and totals of the saves or skills that a creature is trained in, or whose total is set."""
    named = entries.items() if isinstance(entries, dict) else [("", entry) for entry in as_list(entries)]
    for key, entry in ((key, as_mapping(entry)) for key, entry in named):
        stated = next((text for name in ("ability", "name", "skillName") if (text := as_text(entry.get(name)))), key)
        name = _RE.camel.sub(" ", stated).lower()
        total = next((n for one in ("override", "value") if (n := as_int(entry.get(one))) is not None), None)
        half, double = entry.get("isHalfProficient"), entry.get("isExpertise") or entry.get("hasExpertise")
        trained = any(entry.get(word) is True for word in ("proficient", "isProficient", "isEnabled")) or double
        if total is not None or trained or half:
            times = 2.0 if double else 1.0 if trained else 0.5
            modifier = modifiers.get(vocabulary.terms("abilities", "of_skills").get(name, name[:3]), 0)
            yield name, floor(modifier + times * proficiency) if total is None else total


def _worked_out(found: re.Match[str], names: Mapping[str, str], modifiers: Mapping[str, int], proficiency: int) -> str:
    """Return the text of a macro: `[name]`, `atk[str]` or `dmg[2d6 + str]`. An unknown one stays."""
    kind, text = found[1], found[2].strip().lower()
    if not kind:
        return names.get(text, found[0])
    values = {**modifiers, "prof": proficiency, "fin": max(modifiers["str"], modifiers["dex"])}
    dice, total, mean = [], proficiency if kind == "atk" else 0, 0.0
    for sign, term in _RE.term.findall(text):
        count, _, sides = term.partition("d") if term[0].isdigit() else ("", "", "")
        number = -1 if sign == "-" else 1
        if sides:
            dice.append(term)
            mean += number * int(count) * (int(sides) + 1) / 2
        else:
            total += number * (int(term) if term.isdigit() else values.get(term, 0))
    if kind != "dmg":
        return f"{total:+d}"
    rolled = " + ".join(dice) + (f" {'-' if total < 0 else '+'} {abs(total)}" if total else "")
    return f"{max(1, floor(mean + total))} ({rolled})" if dice else str(total)


FORMAT: Final = formats.ImportFormat(
    "creature_sites", "CritterDB, Bestiary Builder and statblock5e-creator", claims, read
)
