"""The creatures of Improved Initiative's library, rewritten as text and as XML: they have the figures of the file itself.

The writing here knows nothing of the readers; it takes the raw fields to the shape that the other programs print.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

import pytest

from tests.importers.stat_comparison import FEATURE_FIELDS, FIELDS, creatures_of, words
from turnwright.encounter.prepared import Creature

LIBRARY: Final = "improved-initiative/ogl_creatures.json"
ABILITIES: Final = ("Str", "Dex", "Con", "Int", "Wis", "Cha")
SECTIONS: Final = ("Traits", "Actions", "Reactions", "LegendaryActions")
TITLES: Final = {"Actions": "Actions", "Reactions": "Reactions", "LegendaryActions": "Legendary Actions"}
LISTS: Final = {
    "DamageVulnerabilities": "Damage Vulnerabilities", "DamageResistances": "Damage Resistances",
    "DamageImmunities": "Damage Immunities", "ConditionImmunities": "Condition Immunities",
}  # fmt: skip
UNSAID: Final = frozenset({"passives", "legendary"})  # the library says nothing of these, which a printed block has
Source = Mapping[str, Any]


def bonuses(source: Source, key: str) -> str:
    return ", ".join(f"{one['Name']} {one['Modifier']:+d}" for one in source[key])


def head(source: Source) -> dict[str, str]:
    armour = source["AC"]["Notes"].strip("()")
    return {
        "Armor Class": f"{source['AC']['Value']}{f' ({armour})' if armour else ''}",
        "Hit Points": f"{source['HP']['Value']} {source['HP']['Notes']}",
        "Speed": ", ".join(source["Speed"]),
    }


def foot(source: Source) -> dict[str, str]:
    said = {"Saving Throws": bonuses(source, "Saves"), "Skills": bonuses(source, "Skills")}
    said |= {title: ", ".join(source[key]) for key, title in LISTS.items()}
    said |= {"Senses": ", ".join(source["Senses"]), "Languages": ", ".join(source["Languages"]) or "\N{EM DASH}"}
    return {**{title: text for title, text in said.items() if text}, "Challenge": f"{source['Challenge']} (100 XP)"}


def scores(source: Source) -> list[str]:
    found = []
    for name in ABILITIES:
        bonus = (source["Abilities"][name] - 10) // 2
        found.append(f"{source['Abilities'][name]} ({'+' if bonus >= 0 else chr(0x2212)}{abs(bonus)})")
    return found


def features(source: Source) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the section, the name and the paragraphs of each feature."""
    for section in SECTIONS:
        for one in source.get(section) or ():
            usage = f" ({one['Usage']})" if one.get("Usage") else ""
            yield section, f"{one['Name']}{usage}", one["Content"].split("\n")


def printed(source: Source, rows: Callable[[str, str], str], table: list[str], title: str, name: str) -> Iterator[str]:
    yield from (rows(key, value) for key, value in head(source).items())
    yield from table
    yield from (rows(key, value) for key, value in foot(source).items())
    before = "Traits"
    for section, called, texts in features(source):
        if section != before:
            yield title.format(TITLES[section])
            before = section
        yield name.format(called) + " " + texts[0]
        yield from texts[1:]


def as_pdf(source: Source) -> str:
    """Return a stat block as it is copied from a PDF, with hard line breaks."""
    table = ["STR DEX CON INT WIS CHA", " ".join(scores(source))]
    lines = [source["Name"], source["Type"], *printed(source, "{} {}".format, table, "{}", "{}.")]
    return "\n".join(row for line in lines for row in textwrap.wrap(line, 52))


def as_gm_binder(source: Source) -> str:
    table = ["___", "|STR|DEX|CON|INT|WIS|CHA|", "|:-:|:-:|:-:|:-:|:-:|:-:|", f"|{'|'.join(scores(source))}|", "___"]
    lines = printed(source, "- **{}** {}".format, table, "### {}", "***{}.***")
    return "\n".join(["___", f"> ## {source['Name']}", f">*{source['Type']}*", "> ___", *(f"> {one}" for one in lines)])


def as_homebrewery(source: Source) -> str:
    table = [
        "___",
        "| STR | DEX | CON | INT | WIS | CHA |",
        "|:-:|:-:|:-:|:-:|:-:|:-:|",
        f"|{'|'.join(scores(source))}|",
    ]
    lines = printed(source, "**{}** :: {}".format, [*table, "___"], "### {}", "***{}.***")
    return "\n".join(["{{monster,frame", f"## {source['Name']}", f"*{source['Type']}*", "___", *lines, "}}"])


def as_xml(source: Source) -> str:
    """Return a compendium of Fight Club with one creature."""
    size, kind = source["Type"].split(" ", 1)
    kind, _, alignment = kind.rpartition("), " if "(any race), any" in kind else ", ")
    held = {
        "name": source["Name"], "size": size[0], "type": f"{kind})" if "(any race" in kind and ")" not in kind else kind,
        "alignment": alignment, "ac": head(source)["Armor Class"], "hp": head(source)["Hit Points"], "speed": head(source)["Speed"],
        **{key.lower(): value for key, value in source["Abilities"].items()},
        "save": bonuses(source, "Saves"), "skill": bonuses(source, "Skills"), "resist": ", ".join(source["DamageResistances"]),
        "vulnerable": ", ".join(source["DamageVulnerabilities"]), "immune": ", ".join(source["DamageImmunities"]),
        "conditionImmune": ", ".join(source["ConditionImmunities"]), "senses": ", ".join(source["Senses"]),
        "languages": ", ".join(source["Languages"]), "cr": source["Challenge"],
    }  # fmt: skip
    rows = [f"<{key}>{escape(str(value))}</{key}>" for key, value in held.items()]
    tags = {"Traits": "trait", "Actions": "action", "Reactions": "reaction", "LegendaryActions": "legendary"}
    for section, called, texts in features(source):
        again = re.search(r"\s*\(Recharge (\d)(?:.6)?\)", called)
        name = called.replace(again[0], "") if again else called
        inner = "".join(f"<text>{escape(text)}</text>" for text in texts if text.strip())
        often = f"<recharge>D{again[1]}</recharge>" if again else ""
        rows.append(f"<{tags[section]}><name>{escape(name)}</name>{inner}{often}</{tags[section]}>")
    return f'<?xml version="1.0"?><compendium version="5"><monster>{"".join(rows)}</monster></compendium>'


def compared(found: Creature | None, true: Creature) -> Iterator[tuple[str, str, str]]:
    """Yield each value that the file itself has: what it is, as it was read, as it is."""
    for field in (one for one in FIELDS if one not in UNSAID):
        yield field, words(getattr(found, field)) if found else "", words(getattr(true, field))
    read = {(one.cost, one.name): one for one in found.features} if found else {}
    for one in true.features:
        twin = read.get((one.cost, one.name))
        yield f"{one.name}: kept", str(twin is not None), "True"
        for field in FEATURE_FIELDS:
            value = words(getattr(one, field))
            if value:
                yield f"{one.name}: {field}", words(getattr(twin, field)) if twin else "", value


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("write", "share"), [(as_gm_binder, 0.999), (as_homebrewery, 0.999), (as_xml, 1.0), (as_pdf, 0.993)]
)
def test_rewritten_creatures_have_the_figures_of_their_file(
    write: Callable[[Source], str], share: float, real_data: Path, tmp_path: Path
) -> None:
    sources = json.loads((real_data / LIBRARY).read_text("utf-8-sig"))
    for number, source in enumerate(sources):
        (tmp_path / f"{number:03}.txt").write_text(write(source), "utf-8")
    read, true = creatures_of(tmp_path), creatures_of(real_data / LIBRARY)
    values = [(name, *one) for name, creature in true.items() for one in compared(read.get(name), creature)]
    wrong = [one for one in values if one[2] != one[3]]
    assert len(values) > 6_000
    assert (len(values) - len(wrong)) / len(values) >= share, wrong[:20]
