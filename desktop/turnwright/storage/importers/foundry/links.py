"""Names for links in the prose of Foundry's actors that have no label of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_text
from turnwright.storage.importers.foundry.actors import system_of, value_at
from turnwright.storage.importers.foundry.units import title_from_key

_LINK = re.compile(r"@UUID\[(?P<target>[^\[\]]{1,300}+)\](?P<label>\{[^{}]{0,300}+\})?")
_LAST: Final = re.compile(r"(\w{16})(?:#[\w-]+)?$")
_READABLE: Final = re.compile(r"[a-z]{2,8}(?P<name>(?:[A-Z][a-z]+)+[a-zA-Z]*?)0*")


def names_by_link(items: Iterable[Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the names that the items of an actor give to links: their own, and labels elsewhere in their prose."""
    found: dict[str, str] = {}
    for item in items:
        name = as_text(item.get("name")).strip()
        for source in (value_at(item, "_stats.compendiumSource"), value_at(item, "flags.core.sourceId")):
            if isinstance(source, str) and name:
                found.setdefault(_id(source), name)
        if isinstance(item.get("_id"), str) and name:
            found.setdefault(item["_id"], name)
        said = system_of(item).get("description")
        text = as_text(said.get("value")) if isinstance(said, dict) else as_text(said)
        for link in _LINK.finditer(text) if "@UUID" in text else ():
            if link["label"] and link["label"].strip("{} "):
                found.setdefault(_id(link["target"]), link["label"].strip("{} "))
    return found


def with_link_names(html: str, names: Mapping[str, str], where: str, report: ConversionReport) -> str:
    """Return prose in which each link has a label: its target's name, or what its id tells of it, which is reported."""

    def labelled(found: re.Match[str]) -> str:
        if found["label"]:
            return found[0]
        id = _id(found["target"])
        name = names.get(id, "")
        if not name:
            readable = _READABLE.fullmatch(id)
            name = title_from_key(readable["name"]) if readable else "[another document]"
            why = "leads to a document that the file doesn't hold"
            report.add_note(f"{where}: text", found[0], f"{why}; the text has {name!r}")
        return f"@UUID[{found['target']}]{{{name}}}"

    return _LINK.sub(labelled, html) if "@UUID" in html else html


def items_with_link_names(
    items: Iterable[Mapping[str, Any]], names: Mapping[str, str], report: ConversionReport
) -> list[Mapping[str, Any]]:
    """Return items whose descriptions name the targets of their links; those of spells and manoeuvres are as they were."""
    return [_named(item, names, report) if item.get("type") in ("feature", "object") else item for item in items]


def _named(item: Mapping[str, Any], names: Mapping[str, str], report: ConversionReport) -> Mapping[str, Any]:
    system, said = system_of(item), value_at(item, "system.description")
    if not isinstance(said, str) or "@UUID" not in said:
        return item
    return {
        **item,
        "system": {**system, "description": with_link_names(said, names, as_text(item.get("name")), report)},
    }


def _id(target: str) -> str:
    found = _LAST.search(target)
    return found[1] if found else target
