"""Converts HTML, Markdown and the markup of virtual tabletops to plain text.

Nothing is interpreted or looked up. Each step takes one pass over the text, so malicious texts aren't slower than
others of the same length.
"""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Final

from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import UnreadableError

MAX_MARKED: Final = 1_000_000
_MARKS: Final = (*"<&[*_@`#{\\~>", "dice:", " ,", " .", " :", " ;", "..", "feet.,", "Hitom", "|X")
_RE: Final = Patterns("markup")
_BROKEN: Final[Mapping[str, str]] = terms("markup", "broken")
_SILENT: Final = frozenset({"script", "style", "template", "head", "title"})
_REACH: Final = 2_000  # the maximum length of a mark's brackets
_LASTING: Final = ("persistent", "splash", "precision")
ShownMark = Callable[[str, str, str], str]  # called with a mark's lower-case name, content and label


def plain_text(text: str) -> str:
    """Return a text without markup.

    Lines and bullets are kept, links are replaced by their labels, and rolls and checks become readable. If a text has
    no markup, only spaces around it are removed. Raise UnreadableError if a text is too long.
    """
    if text.isprintable():
        for mark in _MARKS:
            if mark in text:
                break
        else:
            return text.strip()
    return _without_marks(text)


def _without_marks(text: str) -> str:
    if len(text) > MAX_MARKED:
        raise UnreadableError(f"a text of {len(text):,} characters; the limit is {MAX_MARKED:,}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "dice:" in text:
        text = _RE.obsidian_roll.sub(_rolled, text)
    if "<" in text:
        text = _without_tags(text)
    if "&" in text:
        text = _RE.entity.sub(lambda match: unescape(match[0]), text)
    text = _RE.odd_spaces.sub(" ", _RE.control.sub("", text))
    if "[[" in text or "@" in text or "Reference[" in text:
        text = _RE.bare_dice.sub(r"\1 (\2)", replace_marks(text, shown_mark))
    if "](" in text:
        text = _RE.link.sub(r"\1", text)
    text = _without_emphasis(text)
    return _RE.spaces.sub(lambda match: "\n\n" if match[0].count("\n") > 1 else "\n", text).strip()


def _rolled(match: re.Match[str]) -> str:
    """Return the printed form of a roll of Obsidian: `+6 to hit` or `10 (2d6 + 3)`."""
    shown, formula, more = match["shown"] or "", match["formula"], "".join((match["more"] or "").split())
    count, _, faces = formula.removesuffix(match["more"] or "").partition("d")
    if count in ("", "1") and faces == "20" and not (match["text"] or "").isdecimal():
        return shown if shown[:1] in ("+", "-", "\N{MINUS SIGN}") else match["text"] or more or shown or formula
    added = sum(int(part) for part in re.findall(r"[+-]\d+", more.replace("\N{MINUS SIGN}", "-")))
    text = match["text"] or ""
    average = match["flat"] or (text if text.isdecimal() else int(count or 1) * (int(faces) + 1) // 2 + added)
    return f"{average} ({formula})"


def _without_emphasis(text: str) -> str:
    for sign, marked, shown in _EMPHASIS:
        if sign in text:
            text = marked.sub(shown, text)
    return text


def _curly(match: re.Match[str]) -> str:
    """Return the visible part of `{@creature goblin|source|goblins}`: the last of three parts, or otherwise the first.

    `{@h}` marks a hit.
    """
    options = (match[3] or "").split("|")
    word = options[1] if len(options) > 1 and options[1] else match[2]
    return {"dc": f"DC {word}", "hit": f"+{word.lstrip('+')}", "recharge": f"(Recharge {word}-6)"}.get(match[1], word)


# Each sign that a text must contain, the pattern of its marks, and their replacement.
_EMPHASIS: Final[tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    ("{@", _RE.curly, _curly), ("*", _RE.list, "\\1\N{BULLET} "), ("*", _RE.stars, lambda match: match[2] or match[4] or ""),
    ("|", _RE.source_mark, ""), (" ", _RE.space_before, ""), (" ", _RE.said_twice, r"\1"),
    (".", _RE.double_stop, lambda match: match[0][:-1]), ("Hitom", _RE.hit_or_miss, "Hit or Miss: "),
    ("_", _RE.underlines, r"\2"), ("`", _RE.ticks, r"\1"), ("~~", _RE.struck, r"\1"), ("", _RE.heads, ""), ("\\", _RE.escape, r"\1"),
)  # fmt: skip


def _without_tags(text: str) -> str:
    """Replace tags in a text with breaks, bullets or nothing. The content of scripts and styles is removed."""
    first, *others = text.split("<!--")
    text = first + "".join(other.partition("-->")[2] for other in others)
    pieces: list[str] = []
    at, silent, html = 0, "", False
    for tag in _RE.tag.finditer(text):
        name = (tag["name"] or "").lower()
        if silent:
            if name == silent and tag["end"]:
                silent, at = "", tag.end()
            continue
        pieces.append(text[at : tag.start()])
        at = tag.end()
        html = html or name in _BROKEN
        if name == "li":
            pieces.append("" if tag["end"] else "\x00\N{BULLET} ")
        elif name in _SILENT and not tag["end"]:
            silent = name
        elif name in _BROKEN:
            pieces.append("\x00" if _BROKEN[name] == "\n" else " ")
    if not silent:
        pieces.append(text[at:])
    joined = "".join(pieces)
    if html:  # in HTML, only tags break lines
        joined = _RE.broken_sentence.sub(" ", _RE.runs.sub(" ", joined))
    return joined.replace("\x00", "\n")


def replace_marks(text: str, shown: ShownMark) -> str:
    """Replace each `@Name[…]{label}` and `[[…]]{label}` in a text with the result of `shown`."""
    pieces: list[str] = []
    at = 0
    ends = _ends(text)
    for mark in _RE.mark.finditer(text):
        end = ends.get(mark.start() if mark[1] is None else mark.end() - 1, -1)
        if mark.start() < at or not mark.end() <= end < mark.end() + _REACH:
            continue
        inner = text[mark.end() : end - 1 if mark[1] is None else end]
        label, after = _label(text, end + 1)
        pieces += text[at : mark.start()], shown((mark[1] or "").lower(), inner, label)
        at = after
    pieces.append(text[at:])
    return "".join(pieces)


def _ends(text: str) -> dict[int, int]:
    """Map the position of each opening square bracket to its closing bracket on the same line."""
    ends: dict[int, int] = {}
    open_ones: list[int] = []
    for mark in _RE.bracket.finditer(text):
        if mark[0] == "[":
            open_ones.append(mark.start())
        elif mark[0] == "\n":
            open_ones.clear()
        elif open_ones:
            ends[open_ones.pop()] = mark.start()
    return ends


def _label(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != "{":
        return "", at
    end = text.find("}", at, at + _REACH)
    return (text[at + 1 : end].strip(), end + 1) if end > 0 else ("", at)


def shown_mark(name: str, inner: str, label: str) -> str:
    """Convert a mark to readable text. `name` is empty for `[[…]]`."""
    match name:
        case "check" | "template":
            return (_check if name == "check" else _template)(inner, label)
        case "localize":
            return label
        case "reference" | "damage" | "":
            return label or {"reference": _reference, "damage": damage_text, "": _roll}[name](inner)
    linked = inner.split("|", maxsplit=1)[0].replace("/", ".").rpartition(".")[2].strip()
    return label or (linked if name in terms("markup", "linked") else inner)


def _fields(inner: str) -> tuple[list[str], dict[str, str]]:
    """Split `a|b:c` into the words without a colon and the pairs."""
    words: list[str] = []
    pairs: dict[str, str] = {}
    for part in inner.split("|"):
        key, colon, value = part.partition(":")
        if colon:
            pairs.setdefault(key.strip().lower(), value.strip())
        elif part.strip():
            words.append(part.strip())
    return words, pairs


def _check(inner: str, label: str) -> str:
    words, pairs = _fields(inner)
    bare = next((word for word in words if word != "basic"), "")
    kinds = [kind.strip().replace("-", " ").title() for kind in pairs.get("type", bare).split(",") if kind.strip()]
    dc = f"DC {pairs['dc']}" if pairs.get("dc", "").isdecimal() else ""
    if kinds == ["Flat"]:
        return f"{dc} flat check" if dc else label or "flat check"
    if label and (not dc or pairs["dc"] in label):
        return label
    basic = "basic" if "basic" in words or pairs.get("basic", "false") != "false" else ""
    return " ".join(filter(None, (dc, basic, " or ".join(kinds) or label)))


def damage_text(inner: str, joined_by: str = " plus ") -> str:
    """Convert `2d6[fire],1d4[persistent,bleed]|options:x` to `2d6 fire plus 1d4 persistent bleed`."""
    parts, depth, part = [], 0, ""
    for letter in f"{inner}|":
        depth += (letter in "[({") - (letter in "])}")
        if letter not in ",|" or depth > 0:
            part += letter
            continue
        parts.append(_typed(part.strip()))
        part = ""
        if letter == "|":
            break
    return joined_by.join(filter(None, parts))


def _typed(part: str) -> str:
    match = _RE.typed.fullmatch(part)
    formula, kinds = (match["formula"], match["kinds"].split(",")) if match else (part, [])
    formula = formula.strip(" {}")
    if formula.startswith("(") and formula.endswith(")") and formula.count("(") == 1:
        formula = formula[1:-1]
    words = [word.strip() for word in kinds if word.strip() not in ("", "untyped")]
    return " ".join((formula, *sorted(words, key=lambda word: word not in _LASTING))).strip()


def _template(inner: str, label: str) -> str:
    words, pairs = _fields(inner)
    shape, distance = pairs.get("type") or (words[0] if words else "area"), pairs.get("distance", "")
    if label and (not distance.isdecimal() or distance in label):
        return label
    return f"{distance}-foot {shape}" if distance else shape


def _reference(inner: str) -> str:
    """Return the name of the rule in `Heavily Obscured apply=false` or `condition=difficultTerrain`."""
    words = " ".join(part for part in inner.split() if "=" not in part)
    return _RE.hump.sub(" ", words or inner.split(" ", maxsplit=1)[0].partition("=")[2])


def _roll(inner: str) -> str:
    """Convert a roll (`/r 1d4 #rounds`) to readable text, or a link between notes (`Note|label`) to its label."""
    inner = inner.strip()
    if not inner.startswith("/"):
        return inner.rpartition("|")[2].partition("#")[0].strip() if "|" in inner else inner.partition("#")[0].strip()
    command, _, rest = inner.partition(" ")
    if command in ("/save", "/check", "/skill"):
        pairs = dict(part.split("=", 1) for part in rest.split() if "=" in part)
        bare = [part for part in rest.split() if "=" not in part]
        dc = pairs.get("dc") or next((part for part in bare if part.isdecimal()), "")
        kind = pairs.get("ability") or pairs.get("skill") or next((part for part in bare if not part.isdecimal()), "")
        return " ".join(filter(None, (f"DC {dc}" if dc else "", kind.capitalize())))
    formula, _, flavour = rest.partition("#")
    words = flavour.strip() if flavour.strip()[:1].islower() else ""
    return f"{damage_text(formula)} {words}".strip()
