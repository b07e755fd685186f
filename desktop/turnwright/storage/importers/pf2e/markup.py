"""Text of Pathfinder 2e files made plain: checks, damage, areas and rolls as a book would print them.

`@Check[reflex|dc:21|basic]` becomes `DC 21 basic Reflex`, so that one reader of prose serves every source. A mark with
a meaning only to the program it was written for (a number that it would work out) stays as words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from turnwright.encounter.bounds import MAX_TEXT
from turnwright.storage.conversion_report import UnreadableError
from turnwright.storage.statblock_text.markup import plain_text

MAX_MARK: Final = 2_000
MAX_OPEN: Final = 20  # marks that nothing closes, after which the rest of a text is taken to have none
LABELS: Final = (
    "Critical Success|Critical Failure|Success|Failure|Trigger|Requirements?|Effect|Frequency|Saving Throw|"
    r"Maximum Duration|Onset|Stage \d+|Special|Prerequisites?"
)
_MARK = re.compile(r"@(Check|Damage|Template|UUID|Compendium|Localize|Embed|Actor|Item|JournalEntry)\[|\[\[")
_LABEL = re.compile(r"\{([^{}]{0,300})\}")
_SECRET = re.compile(
    rf"(?:<(?:b|strong)>|\*\*)\s{{0,3}}({LABELS})\s{{0,3}}:?\s{{0,3}}(?:</(?:b|strong)>|\*\*)\s{{0,3}}:?", re.IGNORECASE
)
_APART = re.compile(rf"\n\n(?=(?:{LABELS})\b)")
_TYPED = re.compile(r"^(?P<formula>[^\[\]]*)\[(?P<kinds>[^\[\]]*)\]$")
_INNER = re.compile(r"^\((?P<inner>[^()]*)\)$")
_ROLL = re.compile(r"^/?(?:br|gmr|r|gmroll|roll|publicroll|b)\s+", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAVES: Final = {"fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


def unmarked_text(text: str, glossary: Mapping[str, str] | None = None, level: int | None = None) -> str:
    """Return a text without any marks. `glossary` has texts by id for marks that refer to them."""
    if not text:
        return ""
    if len(text) > MAX_TEXT:
        raise UnreadableError(f"holds a text of {len(text):,} characters; at most {MAX_TEXT:,} are read")
    if "@" in text or "[[" in text:
        text = _without_marks(text, glossary or {}, level)
    if "**" in text or "<b>" in text or "<strong>" in text:
        mark = "\n" if "<" not in text else "<br>"
        text = _SECRET.sub(lambda found: f"{mark}{_titled(found[1])} ", text)
    return _APART.sub("\n", plain_text(text))


def unresolved_marks(text: str) -> tuple[str, ...]:
    """Return the marks of a text that only their own program could work out, or look up."""
    return tuple(found[0] for found in _UNSOLVED.finditer(text)) if "@" in text else ()


_UNSOLVED = re.compile(r"@(?:Damage|Check)\[[^\s{}]{0,200}@(?:item|actor|self)[^\s{}]{0,200}|@Localize\[[\w.]{1,200}\]")


def glossary_id(name: str) -> str:
    """Return the glossary's id of an ability: of `Swarm Mind`, and of `PF2E.….Glossary.SwarmMind`."""
    last = _HUMP.sub("-", name.rpartition(".")[2].strip())
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")


def _titled(label: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in label.split())


def _without_marks(text: str, glossary: Mapping[str, str], level: int | None) -> str:
    pieces: list[str] = []
    at = left_open = 0
    for mark in _MARK.finditer(text):
        if mark.start() < at:
            continue
        inner, end = _inside(text, mark.end(), double=mark[1] is None)
        if end < 0:
            left_open += 1
            if left_open > MAX_OPEN:
                break
            continue
        label = _LABEL.match(text, end)
        pieces.append(text[at : mark.start()])
        pieces.append(_mark_text(mark[1] or "", inner, label[1].strip() if label else "", glossary, level))
        at = label.end() if label else end
    pieces.append(text[at:])
    return "".join(pieces)


def _inside(text: str, start: int, *, double: bool) -> tuple[str, int]:
    """Return the text in the brackets that were opened before `start`, and their end; -1 where they don't end."""
    if double:
        end = text.find("]]", start, start + MAX_MARK)
        while end >= 0 and text[end + 2 : end + 3] == "]":
            end += 1
        return (text[start:end], end + 2) if end >= 0 else ("", -1)
    depth = 1
    for at in range(start, min(len(text), start + MAX_MARK)):
        depth += (text[at] == "[") - (text[at] == "]")
        if not depth:
            return text[start:at], at + 1
    return "", -1


def _mark_text(name: str, inner: str, label: str, glossary: Mapping[str, str], level: int | None) -> str:
    match name:
        case "Check":
            return _check(inner, label)
        case "Damage":
            return label if re.search(r"\d", label) else _damage(inner, level)
        case "Template":
            return _template(inner, label)
        case "Localize":
            found = glossary.get(glossary_id(inner))
            return _without_marks(found, {}, level) if found else label
        case "":
            return label or _roll(inner)
    return label or inner.partition("|")[0].rpartition(".")[2]


def _parameters(inner: str) -> tuple[str, dict[str, str]]:
    """Return the first bare word of a mark, and its named words; `basic` alone is one of them."""
    bare, named = "", {}
    for part in inner.split("|"):
        key, found, value = part.partition(":")
        key = key.strip().lower()
        if found:
            named[key] = value.strip()
        elif key == "basic":
            named[key] = "true"
        elif not bare:
            bare = part.strip()
    return bare, named


def _check(inner: str, label: str) -> str:
    bare, named = _parameters(inner)
    kinds = [one.strip().lower() for one in named.get("type", bare).split(",") if one.strip()]
    names = [_SAVES.get(kind) or " ".join(word.title() for word in kind.split("-")) for kind in kinds]
    dc = named.get("dc", "")
    basic = "basic " if named.get("basic", "false") != "false" else ""
    if kinds == ["flat"]:
        return f"DC {dc} flat check" if dc.isdigit() else label or "flat check"
    if label and (not dc.isdigit() or dc in label):
        return label
    said = " or ".join(names) or label
    return f"DC {dc} {basic}{said}" if dc.isdigit() else f"{basic}{said}"


def _damage(inner: str, level: int | None) -> str:
    parts = [_typed(part, level) for part in _split(inner)]
    return " and ".join(part for part in parts if part)


def _split(inner: str) -> list[str]:
    """Return the rolls of a mark, without its options: commas and bars within brackets separate nothing."""
    parts, depth, piece = [], 0, ""
    for letter in inner:
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and depth <= 0:
            break
        if letter == "," and depth <= 0:
            parts.append(piece)
            piece = ""
        else:
            piece += letter
    return [one.strip() for one in (*parts, piece) if one.strip()]


def _typed(part: str, level: int | None) -> str:
    found = _TYPED.match(part)
    formula, kinds = (found["formula"], found["kinds"]) if found else (part, "")
    formula = _formula(formula, level)
    words = [word.strip() for word in kinds.split(",") if word.strip() and word.strip() != "untyped"]
    words.sort(key=lambda word: word not in ("persistent", "splash", "precision"))
    return " ".join((formula, *words)).strip()


def _formula(formula: str, level: int | None) -> str:
    if level is not None:
        formula = formula.replace("@actor.level", str(level)).replace("@self.level", str(level))
    inner = _INNER.match(formula.strip())
    return (
        (inner["inner"] if inner else formula).replace("@item.level", "level").replace("@actor.level", "level").strip()
    )


def _template(inner: str, label: str) -> str:
    bare, named = _parameters(inner)
    kind, distance = named.get("type", bare), named.get("distance", "")
    if label and (not distance or distance in label):
        return label
    return f"{distance}-foot {kind}" if distance.isdigit() else label or kind


def _roll(inner: str) -> str:
    """Return `12d6` for `/r 12d6 # acid damage`, `2d6 fire` for `/r (2d6)[fire]`, and `Trip` for `/act trip dc=15`."""
    if inner.lstrip().startswith("/act"):
        words = [word for word in inner.split()[1:] if "=" not in word]
        return " ".join(words[0].split("-")).title() if words else ""
    rolled = _ROLL.sub("", inner.strip()).split("#")[0].strip()
    return _damage(rolled.strip("{}"), None)
