"""Parses XML within limits, without entities and references: the records below the root become plain mappings.

Only elements that may be creatures are kept in full; the others below the root are counted.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from turnwright.importers.files.text_parsers import MAX_DEPTH, MAX_ITEMS, ParsedText, ParseError, too_deep_error

MAX_TAGS: Final = 1_000_000
KEPT: Final = frozenset({"monster"})
ROOTS: Final = ("compendium", "root", "module", "data", "campaign", "encounters", "content")


def parse_xml_text(text: str) -> ParsedText:
    """Return the data of an XML text: the name of its `root`, its `records`, and the number of `others` by name.

    An element becomes a mapping. Each child's name is a key with a list of texts or mappings, `@name` is an attribute,
    and `#text` is the element's own text.
    """
    from defusedxml.common import DefusedXmlException  # loaded only for XML files
    from defusedxml.ElementTree import iterparse

    if text.count("<") > MAX_TAGS:
        raise ParseError(f"more than {MAX_TAGS:,} tags")
    root: Element | None = None
    records: list[dict[str, Any]] = []
    others: dict[str, int] = {}
    depth = 0
    try:
        events = iterparse(BytesIO(_without_encoding(text)), events=("start", "end"), forbid_dtd=True)
        for event, element in events:
            if event == "start":
                depth += 1
                if depth > MAX_DEPTH:
                    raise too_deep_error()
                root = element if root is None else root
                continue
            depth -= 1
            if depth != 1 or root is None:
                continue
            if element.tag in KEPT:
                records.append(_plain(element))
            else:
                others[str(element.tag)] = others.get(str(element.tag), 0) + 1
            if len(records) > MAX_ITEMS:
                raise ParseError(f"more than {MAX_ITEMS:,} records")
            root.clear()
    except DefusedXmlException:
        raise ParseError("declares entities or a document type, which are not supported") from None
    except XmlError as error:
        line = getattr(error, "position", (1, 0))[0]
        raise ParseError(f"line {line}: not valid XML") from None
    if root is None:
        raise ParseError("empty file")
    return ParsedText({"root": str(root.tag), "records": records, "others": others})


def _without_encoding(text: str) -> bytes:
    """Return a decoded text as UTF-8 bytes, without the declaration that may name another encoding."""
    stripped = text.lstrip()
    if stripped.startswith("<?xml"):
        stripped = stripped.partition("?>")[2]
    return stripped.encode("utf-8", "replace")


def _plain(element: Element) -> dict[str, Any]:
    record: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    for child in element:
        has_more = len(child) or child.attrib
        record.setdefault(str(child.tag), []).append(_plain(child) if has_more else (child.text or ""))
    if element.text and element.text.strip():
        record["#text"] = element.text
    return record
