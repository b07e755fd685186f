"""The text of a TOML file cut into pieces that join to exactly that text: headers, keys, values, and all between.

Only text that has been parsed already is cut here, so the scanner looks for the ends of pieces, not for mistakes. An
edit replaces one piece and leaves every other character as the person wrote it. Pieces can be hidden, which takes
them out of the text and keeps their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Any

from turnwright.storage.keys import KeyPath, KeyToken, Tokens
from turnwright.storage.values import value_end

_NAME = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_BLANK = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]\]?([ \t]*(?:#[^\n]*)?\r?(?:\n|\Z))")
_KEY = re.compile(rf"[ \t]*({_DOTTED})[ \t]*=[ \t]*")
_TAIL = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_TOKEN = re.compile(_NAME)


class LayoutItem:
    """A key with its value. `keys` are relative to the block; `former` are earlier values, with their text."""

    __slots__ = ("former", "hidden", "keys", "lead", "start", "tail", "value")

    def __init__(self, lead: str, start: str, keys: Tokens, value: str, tail: str) -> None:
        self.lead = lead
        self.start = start
        self.keys = keys
        self.value = value
        self.tail = tail
        self.hidden = False
        self.former: tuple[tuple[Any, str], ...] = ()

    def text(self) -> str:
        """Return the item's text in the file, empty for a hidden item."""
        return "" if self.hidden else f"{self.lead}{self.start}{self.value}{self.tail}"

    def copy(self) -> LayoutItem:
        """Return an independent copy."""
        twin = LayoutItem(self.lead, self.start, self.keys, self.value, self.tail)
        twin.hidden, twin.former = self.hidden, self.former
        return twin


class LayoutBlock:
    """A header with the text up to the next; the block before the first header has none.

    `path` carries an index after each array of tables. `end` is the text after the last item.
    """

    __slots__ = ("close", "end", "header", "hidden", "items", "keys", "lead", "path")

    def __init__(self, path: KeyPath, lead: str = "", header: str = "", keys: Tokens = (), close: str = "") -> None:
        self.path = path
        self.lead = lead
        self.header = header
        self.keys = keys
        self.close = close
        self.items: list[LayoutItem] = []
        self.end = ""
        self.hidden = False

    def head(self) -> str:
        """Return the header line with the comments above it."""
        if not self.header:
            return ""
        names = ".".join(token.raw for token in self.keys)
        return f"{self.lead}{self.header}{names}{']' * self.header.count('[')}{self.close}"

    def text(self) -> str:
        """Return the block's text in the file; of a hidden block, the separate comments below it."""
        if self.hidden:
            return self.end if "#" in self.end else ""
        return self.head() + "".join(item.text() for item in self.items) + self.end

    def path_of(self, item: LayoutItem) -> KeyPath:
        """Return the whole path of an item of the block."""
        return (*self.path, *(token.name for token in item.keys))

    def copy(self) -> LayoutBlock:
        """Return an independent copy."""
        twin = copy(self)
        twin.items = [item.copy() for item in self.items]
        return twin


class Layout:
    """A whole file in blocks. `newline` is how its lines end."""

    def __init__(self, text: str = "") -> None:
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.byte_order_mark = "\ufeff" if text.startswith("\ufeff") else ""
        self.blocks: list[LayoutBlock] = _cut(text[len(self.byte_order_mark) :])

    def text(self) -> str:
        """Return the whole text."""
        return self.byte_order_mark + "".join(block.text() for block in self.blocks)

    def copy(self) -> Layout:
        """Return an independent copy."""
        twin = copy(self)
        twin.blocks = [block.copy() for block in self.blocks]
        return twin

    def visible_blocks(self) -> Iterator[LayoutBlock]:
        """Yield the blocks that are not hidden."""
        return (block for block in self.blocks if not block.hidden)


def tokens_of(dotted: str) -> Tokens:
    """Return the tokens of a dotted key."""
    if dotted.isidentifier():
        return (KeyToken(dotted, dotted),)
    return tuple(KeyToken(raw, _meant(raw)) for raw in _TOKEN.findall(dotted))


def key_at(text: str, start: int) -> tuple[int, Tokens]:
    """Return the offset of the value after a key, and the key's tokens; ValueError where no key begins at `start`."""
    match = _KEY.match(text, start)
    if match is None:
        raise ValueError(f"no key at {start}")
    return match.end(), tokens_of(match[1])


def _meant(raw: str) -> str:
    if raw[0] == "'":
        return raw[1:-1]
    if raw[0] != '"':
        return raw
    if "\\" not in raw:
        return raw[1:-1]
    import tomllib  # for keys with escapes alone, which few files have

    return next(iter(tomllib.loads(f"{raw} = 0")))


def _cut(text: str) -> list[LayoutBlock]:
    """Cut a text of valid TOML into blocks; ValueError where it is not valid."""
    block = LayoutBlock(())
    blocks = [block]
    counts: dict[KeyPath, int] = {}
    at = lead_start = 0
    while at < len(text):
        if blank := _BLANK.match(text, at):
            at = blank.end()
        elif header := _HEADER.match(text, at):
            split = _lead_of_header(text, lead_start, at)
            block.end = text[lead_start:split]
            keys = tokens_of(header[2])
            path = _absolute(keys, counts, array=header[1] == "[[")
            opening = text[at : header.start(2)]
            block = LayoutBlock(path, text[split:at], opening, keys, header[3])
            blocks.append(block)
            at = lead_start = header.end()
        else:
            start, keys = key_at(text, at)
            end = value_end(text, start)
            tail = _TAIL.match(text, end)
            if tail is None:
                raise ValueError(f"something stands after the value at {end}")
            block.items.append(LayoutItem(text[lead_start:at], text[at:start], keys, text[start:end], tail[0]))
            at = lead_start = tail.end()
    block.end += text[lead_start:]
    return blocks


def _lead_of_header(text: str, start: int, header: int) -> int:
    """Return the offset of the comment lines right above a header, with the empty lines above those."""
    lines = _LINE.findall(text, start, header)
    split = len(lines)
    while split and lines[split - 1].strip():
        split -= 1
    while split and not lines[split - 1].strip():
        split -= 1
    return start + sum(len(line) for line in lines[:split])


def _absolute(keys: Tokens, counts: dict[KeyPath, int], *, array: bool) -> KeyPath:
    """Return the path of a header, with the indexes of the array elements that contain it."""
    path: KeyPath = ()
    for token in keys[:-1]:
        path = (*path, token.name)
        if path in counts:
            path = (*path, counts[path])
    path = (*path, keys[-1].name)
    if array:
        counts[path] = counts.get(path, -1) + 1
        path = (*path, counts[path])
    return path
