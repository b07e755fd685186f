"""XML parsed within bounds, without entities and references: the records under its root, each as plain mappings.

Only elements that may be creatures are kept whole; of the others under the root their number is kept.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from turnwright.storage.importers.text_parsers import MAX_DEPTH, MAX_ITEMS, ParsedText, ParseError, too_deep_error

MAX_TAGS: Final = 1_000_000
KEPT: Final = frozenset({"monster"})
ROOTS: Final = ("compendium", "root", "module", "data", "campaign", "encounters", "content")


def parse_xml_text(text: str) -> ParsedText:
    """Return the data of an XML text: `root`, its `attributes`, its `records`, and the number of `others` by their names.

    An element is a mapping of its children's names to lists of texts or mappings, of `@name` to an attribute's value, and
    of `#text` to its own text.
    """
    from defusedxml.common import DefusedXmlException  # few imports hold XML
    from defusedxml.ElementTree import iterparse

    if text.count("<") > MAX_TAGS:
        raise ParseError(f"holds more than {MAX_TAGS:,} tags")
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
                raise ParseError(f"holds more than {MAX_ITEMS:,} records")
            root.clear()
    except DefusedXmlException:
        raise ParseError("declares entities or a document type, which is not read") from None
    except XmlError as error:
        line = getattr(error, "position", (1, 0))[0]
        raise ParseError(f"line {line}: is no XML that can be read") from None
    if root is None:
        raise ParseError("is empty")
    return ParsedText({"root": str(root.tag), "records": records, "others": others})


def _without_encoding(text: str) -> bytes:
    """Return the bytes of a decoded text in UTF-8, without the declaration that may name another encoding."""
    stripped = text.lstrip()
    if stripped.startswith("<?xml"):
        stripped = stripped.partition("?>")[2]
    return stripped.encode("utf-8", "replace")


def _plain(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    for child in element:
        has_more = len(child) or child.attrib
        found.setdefault(str(child.tag), []).append(_plain(child) if has_more else (child.text or ""))
    if element.text and element.text.strip():
        found["#text"] = element.text
    return found
