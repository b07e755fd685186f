"""Parser for a check or a save in short form: `dex 15`, `dex save 15 adv`, `stealth 12`."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from turnwright.dice.roll import EdgeKind
from turnwright.ui.widgets.typed.condition_text import LineWords

EDGES: dict[str, EdgeKind] = {
    "adv": "advantage",
    "advantage": "advantage",
    "dis": "disadvantage",
    "disadvantage": "disadvantage",
}
SAVES = frozenset({"save", "saves", "saving"})
SILENT = frozenset({"throw", "throws", "check", "checks", "dc", "against", "vs"})
_WORDS = re.compile(r"\d+|[^\s\d,]+")  # splits `dex15` like `dex 15`
MAX_DC = 1000


class EnteredCheck(msgspec.Struct, frozen=True):
    """A check (`dex`, `dex:stealth`) or a save as typed, with its DC (0 if none was typed).

    `unknown` is the first word that wasn't recognised.
    """

    check: str = ""
    save: str = ""
    dc: int = 0
    edge: EdgeKind | Literal[""] = ""
    unknown: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether a check or a save was typed and every word was recognised."""
        return bool(self.check or self.save) and not self.unknown


def read_check(text: str, words: LineWords) -> EnteredCheck:
    """Parse a check or a save. An ability on its own is a check; followed by `save` it is a save."""
    dc, edge, is_save, name = 0, EnteredCheck().edge, False, list[str]()
    for part in _WORDS.findall(text.lower()):
        if part.isdecimal():
            dc = min(int(part), MAX_DC)
        elif part in EDGES:
            edge = EDGES[part]
        elif part in SAVES:
            is_save = True
        elif part not in SILENT:
            name.append(part)
    if not name:
        return EnteredCheck(dc=dc, edge=edge)
    save, check = words.save(" ".join(name)), _check(name, words)
    if save and (is_save or not check):
        return EnteredCheck("", save, dc, edge)
    return EnteredCheck(check, "", dc, edge, "" if check else name[0])


def _check(name: list[str], words: LineWords) -> str:
    """Return the id of a check with a name, or an empty string. A skill can follow an ability (`str athletics`)."""
    ability, skill = words.check(name[0]), words.check(" ".join(name[1:]))
    if len(name) > 1 and ability and ":" not in ability and ":" in skill:
        return f"{ability}:{skill.partition(':')[2]}"
    return words.check(" ".join(name))
