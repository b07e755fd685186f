"""Converts Obsidian's Pathfinder notes to plain text: dice appear once, action costs as glyphs, labels on own lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.importers.common import text_at
from turnwright.importers.pf2e.markup import unmarked_text

COSTS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType({
    "\u2b3b": ("action", 1), "\u2b3a": ("action", 2), "\u2b3d": ("action", 3),
    "\u2b32": ("reaction", 1), "\u2b53": ("free", 1),
})  # fmt: skip
GLYPH: Final = re.compile(f"[{''.join(COSTS)}]")
_ICONS: Final = {
    "1": "\u2b3b", "one": "\u2b3b", "2": "\u2b3a", "two": "\u2b3a", "3": "\u2b3d", "three": "\u2b3d",
    "r": "\u2b32", "reaction": "\u2b32", "0": "\u2b53", "f": "\u2b53", "free": "\u2b53",
}  # fmt: skip
_ICON = re.compile(r"`?\[(one|two|three|reaction|free)(?:[- ]actions?)?\]`?(?!\()|`pf2:([123rf0])`", re.IGNORECASE)
_BOLD = re.compile(r"__([^_\n]{1,80}?) ?__")
_RULE = re.compile(r"^[ \t]*(?:\*[ \t]?){3,}$", re.MULTILINE)
_CHECK_AGAIN = re.compile(r"[ \t]*\(1d20[ \t]*(?:[+-][ \t]*\d{1,3})?\)")
_DICE_AGAIN = re.compile(r"(?<!\d)(\d{1,3}(?:d\d{1,3})?(?:[ \t]*[+-][ \t]*\d{1,4})?)[ \t]*\(\1\)")


def plain_note(text: str) -> str:
    """Return a note's text without markup. Dice that are repeated for a dice-rolling plugin appear only once."""
    text = _ICON.sub(lambda match: _ICONS[(match[1] or match[2]).lower()], text)
    text = unmarked_text(_BOLD.sub(r"**\1**", _RULE.sub("", text)))
    return _DICE_AGAIN.sub(r"\1", _CHECK_AGAIN.sub("", text)).replace("\N{MINUS SIGN}", "-")


def plain_entry(entry: Any) -> tuple[str, str]:
    """Return an entry's name and its text without markup."""
    return plain_note(text_at(entry, "name")).strip(" _"), plain_note(text_at(entry, "desc"))


def without_glyphs(text: str) -> str:
    """Return a text without action glyphs."""
    return " ".join(GLYPH.sub(" ", text).split())
