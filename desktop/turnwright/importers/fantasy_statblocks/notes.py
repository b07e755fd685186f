"""Finds stat blocks and encounters in YAML, JSON and JSON5: in fenced blocks and in the front matter of notes."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.documents import ParsedDocument, parse_yaml
from turnwright.importers.results import UnreadRecord
from turnwright.importers.vocabulary import Patterns, terms

STAT_BLOCK: Final = "statblock"
ENCOUNTER: Final = "encounter"
LINKS: Final = ("extends", "monster", "creature")  # keys that name another block
INLINE: Final = "inline"  # value in front matter if the stat block is in a fenced block
_RE: Final = Patterns("fantasy_statblocks_notes")
_SIGNS: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks_notes", "signs"))
_ELSEWHERE: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks_notes", "elsewhere"))
_MAIN: Final[frozenset[str]] = frozenset(terms("fantasy_statblocks_notes", "main"))


class FoundBlock(msgspec.Struct, frozen=True):
    """One stat block or encounter as written, with normalised keys; `line` counts from 1, or is 0 outside notes."""

    kind: str
    file: str
    data: Mapping[str, Any]
    line: int = 0
    title: str = ""


def has_blocks(document: ParsedDocument) -> bool:
    """Whether a document contains stat blocks or encounters."""
    text = document.text
    if document.kind == "markdown":
        head = _RE.head.match(text) if _RE.is_block.search(text) else None
        is_named = head is not None and re.search(r"^\W?name\W?[ \t]*:", head[1], re.MULTILINE) is not None
        return is_named or any(_kind(fence["info"]) for fence in _RE.fence.finditer(text))
    if document.kind not in ("json", "yaml"):
        return False
    return any(is_stat_block(record) or is_encounter(record) for record in _records(document.data)[:20])


def is_stat_block(record: Mapping[str, Any]) -> bool:
    """Whether a record's normalised keys are those of a stat block."""
    if not isinstance(record.get("name") or record.get("monster"), str | list):
        return False
    if isinstance(record.get("layout"), str) or record.get("statblock"):
        return True
    scores = isinstance(record.get("stats"), list) or isinstance(record.get("abilitymods"), list)
    signs = bool(record.keys() & _SIGNS) and len(record.keys() & _MAIN) >= 2
    return (scores or signs) and not record.keys() & _ELSEWHERE


def is_encounter(record: Mapping[str, Any]) -> bool:
    """Whether a record's normalised keys are those of an encounter."""
    others = {"name", "players", "party", "hide", "rollhp"}
    return isinstance(record.get("creatures"), list) and not record.keys().isdisjoint(others)


def blocks_in(document: ParsedDocument) -> Iterator[FoundBlock | UnreadRecord]:
    """Yield the blocks of a document in order, and the unreadable blocks with their lines."""
    if document.kind != "markdown":
        for number, entry in enumerate(_several(document.data), 1):
            if not isinstance(entry, dict):
                yield UnreadRecord(document.file, f"record {number}", "not a stat block")
                continue
            record = normalised_keys(entry)
            kind = ENCOUNTER if is_encounter(record) and not is_stat_block(record) else STAT_BLOCK
            yield FoundBlock(kind, document.file, record)
        return
    try:
        head = _front_matter(document.text)
    except ValueError as error:
        head = {}
        if _RE.is_block.search(document.text):
            yield UnreadRecord(document.file, "", _placed(str(error), 1))
    if head.get("statblock") and head["statblock"] != INLINE and head.get("name"):  # not only a marker of a block
        yield FoundBlock(STAT_BLOCK, document.file, head, 1)
    names = [head["name"]] if head.get("statblock") == INLINE and head.get("name") else []
    names_here: set[str] = set()
    for kind, line, body, title in _fenced(document.text):
        for found in _parsed(kind, line, body, title, document.file):
            if isinstance(found, FoundBlock) and kind == STAT_BLOCK:
                data = {"name": names[0], **found.data} if names and not found.data.keys() & LINKS else found.data
                names = []
                names_here |= {name_of(data.get(key)).casefold() for key in ("name", "monster", "creature")}
                yield msgspec.structs.replace(found, data=data)
            elif not isinstance(found, FoundBlock) or not _only_adds(found.data, names_here):
                yield found


def _only_adds(encounter: Mapping[str, Any], own: set[str]) -> bool:
    """Whether an encounter is a single creature of the same note: a button that adds it to the tracker."""
    creatures = as_list(encounter.get("creatures"))
    if len(creatures) != 1 or encounter.keys() - {"name", "creatures"}:
        return False
    (only,), count = creatures, "1"
    if isinstance(only, dict) and len(only) == 1:
        count, only = next(iter(only.items()))
    name = name_of(only).removeprefix("1:").strip().casefold()
    return str(count) == "1" and bool(name) and name in own


def _parsed(kind: str, line: int, body: str, title: str, file: str) -> Iterator[FoundBlock | UnreadRecord]:
    body = _RE.java.sub("", body)
    parts = re.split(r"^---[ \t]*$", body, flags=re.MULTILINE) if kind == ENCOUNTER else [body]
    at = line
    for part in parts:
        if part.strip():
            try:
                data = parse_yaml(_without_links(part) if kind == STAT_BLOCK else part)
            except ValueError as error:
                name = _RE.name.search(part)
                yield UnreadRecord(file, name[1].strip() if name else "", _placed(str(error), at))
            else:
                if isinstance(data, dict):
                    yield FoundBlock(kind, file, normalised_keys(data), at, title)
                else:
                    yield UnreadRecord(file, "", f"block at line {at}: expected keys with values")
        at += part.count("\n")


def _placed(error: str, at: int) -> str:
    """Return the message of a block's error, with its line counted in the file."""
    match = _RE.line.match(error)
    line, words = (at + int(match[1]), error[match.end() :]) if match else (at, error)
    return f"line {line}: {words} (in the block at line {at}; put quotes around a text that contains a colon)"


def _fenced(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield kind, line, text and preceding heading of each fenced stat block or encounter."""
    titles = [(match.start(), match[1].strip(" \t#")) for match in _RE.title.finditer(text)]
    fences = list(_RE.fence.finditer(text))
    at = count = seen = 0
    line, title = 1, ""
    while count < len(fences):
        fence = fences[count]
        line += text.count("\n", at, fence.start())
        at = fence.start()
        while seen < len(titles) and titles[seen][0] < at:
            title = titles[seen][1]
            seen += 1
        closing = (n for n in range(count + 1, len(fences)) if not fences[n]["info"])
        last = next((n for n in closing if fences[n]["fence"].startswith(fence["fence"])), len(fences))
        kind = _kind(fence["info"])
        if kind:
            start = text.find("\n", fence.end()) + 1 or len(text)
            end = fences[last].start() if last < len(fences) else len(text)
            lines = text[start:end].split("\n")
            yield kind, line, "\n".join(_RE.quote.sub("", row) if fence["quote"] else row for row in lines), title
        count = last + 1


def _kind(info: str) -> str:
    word = info.lower()
    return STAT_BLOCK if word == "statblock" else ENCOUNTER if word in ("encounter", "encounter-table") else ""


def _front_matter(text: str) -> Mapping[str, Any]:
    """Return a note's front matter if it is about stat blocks. Raise ValueError if it isn't valid YAML."""
    if not text.startswith("---") or "statblock" not in text:
        return {}
    match = _RE.head.match(text)
    return normalised_keys(as_mapping(parse_yaml(_without_links(f"\n{match[1]}")))) if match else {}


def _without_links(text: str) -> str:
    """Replace the Obsidian links in a YAML text by the words that they show, as the plugin does before it reads it."""
    return _RE.linked.sub(lambda link: (link["alias"] or link["note"]).replace(": ", ":\u00a0"), text)


def _records(data: Any) -> list[Mapping[str, Any]]:
    return [normalised_keys(record) for record in _several(data) if isinstance(record, dict)]


def _several(data: Any) -> list[Any]:
    """Return the records in a list, a mapping, or a plugin's own data, which stores pairs of name and record."""
    several = as_list(data)
    if isinstance(data, dict):
        monsters = data.get("monsters")
        several = list(monsters.values()) if isinstance(monsters, dict) else as_list(monsters) or [data]
    return [entry[1] if isinstance(entry, list) and len(entry) == 2 else entry for entry in several]


def name_of(value: Any) -> str:
    """Return a name, also from a link (`[[Goblin]]`, which YAML reads as a nested list)."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    name = as_text(value).strip()
    if name.startswith("[[") and name.endswith("]]"):
        name = name[2:-2].rpartition("|")[2].rpartition("/")[2]
    return " ".join(name.split())


def normalised_keys(data: Mapping[Any, Any]) -> dict[str, Any]:
    """Convert keys to lower case without spaces, hyphens and underscores. The first of several equal keys is used."""
    plain: dict[str, Any] = {}
    for key, value in data.items():
        plain.setdefault(_RE.plain.sub("", str(key).lower()), value)
    return plain
