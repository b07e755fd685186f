"""Finds names for unlabelled links in the texts of Foundry actors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from turnwright.importers.common import as_text
from turnwright.importers.foundry.actors import system_of, value_at
from turnwright.importers.foundry.units import title_from_key
from turnwright.storage.conversion_report import ConversionReport

_LINK = re.compile(r"@UUID\[(?P<target>[^\[\]]{1,300}+)\](?P<label>\{[^{}]{0,300}+\})?")
_LAST: Final = re.compile(r"(\w{16})(?:#[\w-]+)?$")
_READABLE: Final = re.compile(r"[a-z]{2,8}(?P<name>(?:[A-Z][a-z]+)+[a-zA-Z]*?)0*")


def names_by_link(items: Iterable[Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the names of link targets, from the actor's own items and from labels of other links in its texts."""
    names: dict[str, str] = {}
    for item in items:
        name = as_text(item.get("name")).strip()
        for source in (value_at(item, "_stats.compendiumSource"), value_at(item, "flags.core.sourceId")):
            if isinstance(source, str) and name:
                names.setdefault(_id(source), name)
        if isinstance(item.get("_id"), str) and name:
            names.setdefault(item["_id"], name)
        description = system_of(item).get("description")
        text = as_text(description.get("value")) if isinstance(description, dict) else as_text(description)
        for link in _LINK.finditer(text) if "@UUID" in text else ():
            if link["label"] and link["label"].strip("{} "):
                names.setdefault(_id(link["target"]), link["label"].strip("{} "))
    return names


def with_link_names(html: str, names: Mapping[str, str], owner: str, report: ConversionReport) -> str:
    """Label the unlabelled links in a text with their target's name or, if that is unknown, a reported substitute."""

    def labelled(match: re.Match[str]) -> str:
        if match["label"]:
            return match[0]
        id = _id(match["target"])
        name = names.get(id, "")
        if not name:
            readable = _READABLE.fullmatch(id)
            name = title_from_key(readable["name"]) if readable else "[another document]"
            why = "linked document not in the file"
            report.add_note(f"{owner}: text", match[0], f"{why}; the text shows {name!r}")
        return f"@UUID[{match['target']}]{{{name}}}"

    return _LINK.sub(labelled, html) if "@UUID" in html else html


def items_with_link_names(
    items: Iterable[Mapping[str, Any]], names: Mapping[str, str], report: ConversionReport
) -> list[Mapping[str, Any]]:
    """Label the links in the descriptions of features and objects, and return the items."""
    return [_named(item, names, report) if item.get("type") in ("feature", "object") else item for item in items]


def _named(item: Mapping[str, Any], names: Mapping[str, str], report: ConversionReport) -> Mapping[str, Any]:
    system, description = system_of(item), value_at(item, "system.description")
    if not isinstance(description, str) or "@UUID" not in description:
        return item
    return {
        **item,
        "system": {**system, "description": with_link_names(description, names, as_text(item.get("name")), report)},
    }


def _id(target: str) -> str:
    match = _LAST.search(target)
    return match[1] if match else target
