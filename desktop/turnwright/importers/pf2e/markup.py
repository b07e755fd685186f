"""Converts the markup of Pathfinder 2e texts to plain text: checks, damage, areas and rolls as a book would print them.

`@Check[reflex|dc:21|basic]` becomes `DC 21 basic Reflex`, so that one text reader serves all sources. Marks that only
the source program can evaluate are kept as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from turnwright.encounter.bounds import MAX_TEXT
from turnwright.importers.statblock_text.markup import damage_text, plain_text, replace_marks, shown_mark
from turnwright.storage.conversion_report import UnreadableError

LABELS: Final = (
    "Critical Success|Critical Failure|Success|Failure|Trigger|Requirements?|Effect|Frequency|Saving Throw|"
    r"Maximum Duration|Onset|Stage \d+|Special|Prerequisites?"
)
_SECRET = re.compile(
    rf"(?:<(?:b|strong)>|\*\*)\s{{0,3}}({LABELS})\s{{0,3}}:?\s{{0,3}}(?:</(?:b|strong)>|\*\*)\s{{0,3}}:?", re.IGNORECASE
)
_APART = re.compile(rf"\n\n(?=(?:{LABELS})\b)")
_ROLL = re.compile(r"^/?(?:br|gmr|r|gmroll|roll|publicroll|b)\s+", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def unmarked_text(text: str, glossary: Mapping[str, str] | None = None, level: int | None = None) -> str:
    """Return a text without markup. `glossary` contains texts, keyed by id, for marks that refer to them."""
    if not text:
        return ""
    if len(text) > MAX_TEXT:
        raise UnreadableError(f"a text has {len(text):,} characters; the limit is {MAX_TEXT:,}")
    if "@" in text or "[[" in text:
        text = replace_marks(text, partial(_shown, glossary=glossary or {}, level=level))
    if "**" in text or "<b>" in text or "<strong>" in text:
        mark = "\n" if "<" not in text else "<br>"
        text = _SECRET.sub(lambda match: f"{mark}{_titled(match[1])} ", text)
    return _APART.sub("\n", plain_text(text))


def unresolved_marks(text: str) -> tuple[str, ...]:
    """Return the marks in a text that only the source program could evaluate or look up."""
    return tuple(match[0] for match in _UNSOLVED.finditer(text)) if "@" in text else ()


_UNSOLVED = re.compile(
    r"@(?:Damage|Check)\[[^\s{}]{0,200}@(?:item|actor|self)[^\s{}]{0,200}|@Localize\[[\w.]{1,200}\]"
    r"|@UUID\[[^\[\]{}]{0,200}?\.(?=[A-Za-z]*\d)[A-Za-z0-9]{16}\](?!\{)"
)


def glossary_id(name: str) -> str:
    """Return the glossary id of an ability, from `Swarm Mind` or from `PF2E.….Glossary.SwarmMind`."""
    last = _HUMP.sub("-", name.rpartition(".")[2].strip())
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")


def _titled(label: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in label.split())


def _shown(name: str, inner: str, label: str, glossary: Mapping[str, str], level: int | None) -> str:
    match name:
        case "damage" if not re.search(r"\d", label):
            if level is not None:
                inner = inner.replace("@actor.level", str(level)).replace("@self.level", str(level))
            return damage_text(inner.replace("@item.level", "level").replace("@actor.level", "level"), " and ")
        case "localize" if definition := glossary.get(glossary_id(inner)):
            return replace_marks(definition, partial(_shown, glossary={}, level=level))
        case "" if not label:
            return _roll(inner)
    return shown_mark(name, inner, label)


def _roll(inner: str) -> str:
    """Return `12d6` for `/r 12d6 # acid damage`, `2d6 fire` for `/r (2d6)[fire]`, and `Trip` for `/act trip dc=15`.

    For a link between notes, return its label, or the heading or note that it leads to.
    """
    if inner.lstrip().startswith("/act"):
        words = [word for word in inner.split()[1:] if "=" not in word]
        return " ".join(words[0].split("-")).title() if words else ""
    if not inner.lstrip().startswith("/") and ("|" in inner or not inner[:1].isdigit()):
        linked = inner.rpartition("|")[2] if "|" in inner else inner.rpartition("#")[2].rpartition("/")[2]
        return linked.strip().removesuffix(".md")
    rolled = _ROLL.sub("", inner.strip()).split("#")[0].strip()
    return damage_text(rolled.strip("{}"), " and ")
