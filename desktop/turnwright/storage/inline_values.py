"""Lists and small tables inside one value: cut into parts, changed part by part, joined again.

An unchanged part keeps its text, so a comment inside a list of many lines outlives an edit beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwright.storage.keys import Tokens, name_text, token
from turnwright.storage.layout import key_at
from turnwright.storage.record_tree import OrderedTable, StructTable, changes_of, differs, plain_value
from turnwright.storage.values import MAX_WIDTH, restyled, value_end, value_text, wrapped_value_text

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_REST = re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n")


class InlinePart:
    """One element of a list or one pair of a small table, with the text around it."""

    __slots__ = ("after", "comma", "keys", "lead", "start", "tail", "value")

    def __init__(self, lead: str, start: str, keys: Tokens, value: str) -> None:
        self.lead = lead
        self.start = start
        self.keys = keys
        self.value = value
        self.tail = ""
        self.comma = False
        self.after = ""

    def text(self) -> str:
        """Return the text of the part."""
        return f"{self.lead}{self.start}{self.value}{self.tail}{',' if self.comma else ''}{self.after}"


class InlineValue:
    """The text of a list or small table in parts."""

    def __init__(self, text: str) -> None:
        self.opening, self.closing = text[0], text[-1]
        self.parts: list[InlinePart] = []
        at = 1
        lead = _gap(text, at)
        while at + len(lead) < len(text) - 1:
            part, at = _part(text, at, lead, named=self.opening == "{")
            self.parts.append(part)
            lead = _gap(text, at)
        self.end = lead

    def text(self) -> str:
        """Return the whole text."""
        return self.opening + "".join(part.text() for part in self.parts) + self.end + self.closing

    def offsets(self) -> list[int]:
        """Return the offset of each part's value in the text."""
        found, at = [], 1
        for part in self.parts:
            found.append(at + len(part.lead) + len(part.start))
            at += len(part.text())
        return found


def _gap(text: str, at: int) -> str:
    match = _GAP.match(text, at)
    return match[0] if match else ""


def _part(text: str, at: int, lead: str, *, named: bool) -> tuple[InlinePart, int]:
    begin = at + len(lead)
    start, keys = key_at(text, begin) if named else (begin, ())
    end = value_end(text, start)
    part = InlinePart(lead, text[begin:start], keys, text[start:end])
    gap = _gap(text, end)
    if text[end + len(gap)] == ",":
        part.tail, part.comma = gap, True
        end += len(gap) + 1
    rest = _REST.match(text, end) if part.comma or "#" in gap else None
    part.after = rest[0] if rest else ""
    return part, end + len(part.after)


def edited_text(text: str, old: Any, new: Any, newline: str = "\n") -> str:
    """Return the text of a value changed from `old` to `new`, keeping the text of all that is equal."""
    if not differs(old, new):
        return text
    if isinstance(old, dict) and isinstance(new, Mapping) and text.startswith("{"):
        return _edited_table(text, old, new)
    if isinstance(old, list) and isinstance(new, list | tuple) and old and new and text.startswith("["):
        return _edited_list(text, old, list(new), newline)
    return restyled(text, plain_value(new), newline)


def _edited_table(text: str, old: dict[str, Any], new: Mapping[str, Any]) -> str:
    inline = InlineValue(text)
    if any(len(part.keys) != 1 for part in inline.parts) or (isinstance(new, StructTable) and new.changes_type(old)):
        return value_text(plain_value(new))
    wanted = changes_of(old, new)
    kept = [part for part in inline.parts if part.keys[0].name not in wanted or wanted[part.keys[0].name] is not None]
    for part in kept:
        name = part.keys[0].name
        if name in wanted:
            part.value = edited_text(part.value, old[name], wanted[name])
    present = {part.keys[0].name for part in kept}
    for name, value in wanted.items():
        if value is not None and name not in present:
            kept.append(InlinePart("", f"{name_text(name)} = ", (token(name),), value_text(plain_value(value))))
    if isinstance(new, OrderedTable):
        ranks = {name: rank for rank, name in enumerate(new)}
        kept.sort(key=lambda part: ranks[part.keys[0].name])
    _space(inline, kept)
    return inline.text() if kept else "{}"


def _space(inline: InlineValue, kept: list[InlinePart]) -> None:
    """Set the commas of the pairs and the spaces between them."""
    first = inline.parts[0].lead if inline.parts else " "
    rest = inline.parts[1].lead if len(inline.parts) > 1 else " "
    inline.end = inline.end if inline.parts else " "
    for index, part in enumerate(kept):
        part.lead = rest if index else first
        part.comma = index < len(kept) - 1
    inline.parts = kept


def _edited_list(text: str, old: list[Any], new: list[Any], newline: str) -> str:
    inline = InlineValue(text)
    parts = inline.parts
    if len(parts) != len(old):
        return wrapped_value_text(plain_value(new), MAX_WIDTH, newline)
    head = 0
    while head < min(len(old), len(new)) and not differs(old[head], new[head]):
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and not differs(old[-1 - tail], new[-1 - tail]):
        tail += 1
    shared = min(len(old), len(new)) - head - tail
    for index in range(head, head + shared):
        parts[index].value = edited_text(parts[index].value, old[index], new[index], newline)
    if len(new) == len(old):
        return inline.text()
    trailing = parts[-1].comma
    first, lead = parts[0].lead, _lead_between(parts)
    fresh = [InlinePart(lead, "", (), value_text(plain_value(value))) for value in new[head + shared : len(new) - tail]]
    kept = [*parts[: head + shared], *fresh, *parts[len(parts) - tail :]]
    _space_list(inline, kept, first, lead, trailing=trailing)
    return inline.text()


def _lead_between(parts: list[InlinePart]) -> str:
    """Return the spaces, without comments, that separate the elements of a list."""
    if len(parts) > 1:
        lead = parts[1].lead
        return lead if not lead.strip() else (_SPACE.match(parts[0].lead) or [""])[0]
    if "\n" in parts[0].after:  # the line break stands there already
        return parts[0].lead.lstrip("\r\n")
    return parts[0].lead if "\n" in parts[0].lead else " "


def _space_list(inline: InlineValue, kept: list[InlinePart], first: str, rest: str, *, trailing: bool) -> None:
    """Set the commas of the elements, and line breaks where the list had an element on each line."""
    broken = "\n" in first or any("\n" in part.after for part in inline.parts)
    newline = "\r\n" if "\r\n" in inline.text() else "\n"
    for index, part in enumerate(kept):
        last = index == len(kept) - 1
        part.comma = trailing or not last
        if broken and not last and "\n" not in part.after and "\n" not in kept[index + 1].lead:
            part.after += newline
        if index == 0 and not part.lead.strip():
            part.lead = first
        elif index and not part.lead:
            part.lead = rest
        if "#" in part.tail and part.comma:
            part.after, part.tail = part.tail + part.after, ""
    if broken and trailing and kept and "\n" not in kept[-1].after and "\n" not in inline.end:
        kept[-1].after += newline
    inline.parts = kept
