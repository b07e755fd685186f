"""Compiles sentence templates to patterns without backtracking, so that each sentence is scanned only once.

A template is a sentence as printed in a book. Slots represent variable parts:

- `{n}`, `{dc}`, `{dice}`, `{feet}` and `{bonus}` match numbers.
- `{it}` matches any word for the creature, `{its}` its possessive.
- `{own}` matches the name of one of its features, `{name}` one to six words.
- Any other name matches a word of the file's table with that name, or the part with that name.

`[…]` is optional, `(…|…)` is a choice, and `...` at either end matches anything. A digit after a name distinguishes
several slots: `{type}`, `{type2}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from turnwright.encounter.field_specs import nearest_hint
from turnwright.importers.statblock_text.damage import NUMBERS, number_in_words
from turnwright.importers.vocabulary import Patterns, terms

MAX_TEMPLATE: Final = 600
MAX_EXPANDED: Final = 4_000
MAX_NESTING: Final = 8
_RE: Final = Patterns("traits_templates")
_NUMBER_WORDS: Final = tuple(word for word in NUMBERS if word not in ("a", "an"))
_FIGURES: Final[Mapping[str, str]] = {
    "n": rf"(?>[0-9]{{1,5}}+|{'|'.join(_NUMBER_WORDS)}) ",
    "dc": r"[0-9]{1,3}+ ",
    "feet": r"[0-9]{1,5}+ feet ",
    "dice": r"(?>[0-9]{1,3}+d[0-9]{1,4}+(?:[+-][0-9]{1,4}+)?+|[0-9]{1,4}+) ",
    "bonus": r"\+[0-9]{1,3}+ ",
}
_ITSELF: Final[tuple[str, ...]] = terms("traits", "itself")
_ITS: Final = ("its", "their", "his", "her")
_ARTICLES: Final = ("the", "this", "an", "a")
_OTHERS: Final[frozenset[str]] = frozenset(terms("traits", "others"))
_CLAUSES: Final[frozenset[str]] = frozenset(terms("traits", "clauses"))
_WORD: Final = r"[a-z][\w-]{0,40}+ "
_OPEN: Final = ("it", "its", "own", "name")
MAX_SENTENCE: Final = 600  # in characters; longer sentences never match
_TOO_LONG: Final = "\u2026 "
_YOU: Final = {"you": "it", "your": "its", "yourself": "itself"}
_UNCHANGED: Final[frozenset[str]] = frozenset((*terms("traits", "unchanged"), *terms("traits", "clauses")))
_ADVERBS: Final[frozenset[str]] = frozenset(terms("traits", "adverbs"))
_MINUS: Final = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-", "\u2011": "-"})


class TemplateError(ValueError):
    """An error in a template, described in the message."""


class _Slot(NamedTuple):
    name: str
    kind: str


class _Choice(NamedTuple):
    """A choice of node sequences. If `optional`, all can be omitted."""

    options: tuple[tuple[_Node, ...], ...]
    optional: bool


_Node = str | _Slot | _Choice


class SentenceTemplate:
    """A compiled template.

    `needed` are sets of words. A matching sentence contains all words of at least one set. `slots` are the names of the
    slots.
    """

    __slots__ = ("_match", "kinds", "needed", "pattern", "slots", "text", "words")

    def __init__(
        self, text: str, pattern: str, kinds: Mapping[str, str], needed: tuple[frozenset[str], ...], words: Tables
    ) -> None:
        self.text = text
        self.pattern = pattern
        self.kinds = kinds
        self.slots = tuple(kinds)
        self.needed = needed
        self.words = words
        self._match = re.compile(pattern).search

    def match(self, sentence: str, *, verbatim: bool = False) -> dict[str, str] | None:
        """Match a plain sentence. Return the values of the slots, or None if it doesn't match.

        If `verbatim`, words of the file's tables keep the form that they have in the sentence.
        """
        match = self._match(sentence)
        slots = match.groupdict().items() if match else ()
        values = {name: self._value(name, words.strip(), verbatim) for name, words in slots if words is not None}
        return values if match else None

    def _value(self, name: str, words: str, verbatim: bool) -> str:
        kind = self.kinds[name]
        if verbatim and (kind in self.words or kind == "bonus"):
            return words
        if kind == "n":
            return str(number_in_words(words))
        if kind == "feet":
            return words.partition(" ")[0]
        return self.words[kind][words] if kind in self.words else words.removeprefix("+")


Tables = Mapping[str, Mapping[str, str]]


def compile_template(text: str, words: Tables, parts: Mapping[str, str]) -> SentenceTemplate:
    """Compile a template, using the word tables and parts for its slots. Raise TemplateError."""
    expanded = _with_parts(text, parts)
    nodes, start, end = _parsed(expanded, words, parts)
    kinds: dict[str, str] = {}
    pattern = _run(nodes, frozenset(), words, kinds)
    needed = _needed(nodes)
    if not all(needed):
        raise TemplateError("expected at least one required word; this would match any sentence")
    pattern = (r"(?<!\S)" if start else r"\A") + pattern + ("" if end else r"\Z")
    return SentenceTemplate(text, pattern, kinds, needed, words)


def _needed(nodes: Sequence[_Node]) -> tuple[frozenset[str], ...]:
    """Return sets of required words. Every matching sentence contains all words of at least one set."""
    always = frozenset(word for node in nodes if isinstance(node, str) for word in node.split())
    if always:
        return (always,)
    for node in nodes:
        if isinstance(node, _Choice) and not node.optional:
            needed = tuple(each for option in node.options for each in _needed(option))
            if all(needed):
                return needed
    return (frozenset(),)


def _with_parts(text: str, parts: Mapping[str, str]) -> str:
    """Replace the parts in a template with their text."""
    for _ in range(MAX_NESTING):
        used = [name for name in parts if "{" + name + "}" in text]
        if not used:
            return text
        for name in used:
            text = text.replace("{" + name + "}", parts[name])
        if len(text) > MAX_EXPANDED:
            raise TemplateError(f"longer than {MAX_EXPANDED:,} characters with its parts")
    raise TemplateError("parts contain each other")


def _parsed(text: str, words: Tables, parts: Mapping[str, str]) -> tuple[tuple[_Node, ...], bool, bool]:
    """Return a template's nodes, and whether any text may precede and follow them."""
    text = text.strip()
    start, end = text.startswith("..."), text.endswith("...")
    text = text.removeprefix("...").removesuffix("...").strip()
    stack: list[tuple[str, list[list[_Node]]]] = [("", [[]])]
    for token in _RE.token.findall(text):
        if token == "...":
            raise TemplateError("... in the middle; it is allowed only at the start and the end")
        if token in "[(":
            if len(stack) > MAX_NESTING:
                raise TemplateError(f"more than {MAX_NESTING} levels of brackets")
            stack.append((token, [[]]))
        elif token in "])":
            if {"]": "[", ")": "("}[token] != stack[-1][0]:
                raise TemplateError(f"{token} without an opening bracket")
            options = stack.pop()[1]
            if not all(options):
                raise TemplateError("empty choice")
            stack[-1][1][-1].append(_Choice(tuple(map(tuple, options)), token == "]"))
        elif token == "|":
            if len(stack) == 1:
                raise TemplateError("| outside brackets")
            stack[-1][1].append([])
        elif token.startswith("{"):
            stack[-1][1][-1].append(_slot(token, words, parts))
        elif plain := plain_sentence(token):
            stack[-1][1][-1].append(plain)
    if len(stack) > 1:
        raise TemplateError(f"{stack[-1][0]} isn't closed")
    return tuple(stack[0][1][0]), start, end


def _slot(token: str, words: Tables, parts: Mapping[str, str]) -> _Slot:
    match = _RE.slot.match(token[1:-1])
    known = (*_FIGURES, *_OPEN, *words)
    if not match or match[1] not in known:
        hint = nearest_hint(token[1:-1], (*known, *parts))
        raise TemplateError(
            f"unknown slot {token}{hint}; expected a slot of the language, or a name in [words] or [parts]"
        )
    return _Slot(match[1].replace("-", "_") + match[2], match[1])


def _run(nodes: Sequence[_Node], after: frozenset[str], words: Tables, kinds: dict[str, str]) -> str:
    """Return the pattern of consecutive nodes; `after` are the words that may follow them."""
    pieces: list[str] = []
    for at, node in enumerate(nodes):
        follow = _firsts(nodes[at + 1 :], after, words)
        if isinstance(node, str):
            pieces.append(re.escape(node))
        elif isinstance(node, _Slot):
            pieces.append(_of_slot(node, follow, words, kinds))
        else:
            options = [_run(option, follow, words, kinds) for option in node.options]
            pieces.append(f"(?>{'|'.join(options)})" + ("?+" if node.optional else ""))
    return "".join(pieces)


def _of_slot(slot: _Slot, follow: frozenset[str], words: Tables, kinds: dict[str, str]) -> str:
    kind = slot.kind
    if kind in ("it", "its"):
        if kind == "its":
            owner = rf"(?:{_not(follow | _OTHERS)}(?!\S*s ){_WORD}){{0,3}}+{_not(_OTHERS)}(?=\S*s ){_WORD}"
        else:
            owner = _words(follow | _OTHERS)
        pronouns = "|".join(_ITSELF if kind == "it" else _ITS)
        return f"(?>(?:{pronouns}) |(?:{'|'.join(_ARTICLES)}) {owner})"
    if slot.name in kinds:
        raise TemplateError(f"{{{slot.name}}} is used twice; number the second one: {{{kind}2}}")
    kinds[slot.name] = kind
    if kind in _FIGURES:
        inner = _FIGURES[kind]
    elif kind in words:
        known = sorted(words[kind], key=len, reverse=True)
        inner = f"(?:{'|'.join(map(re.escape, known))}) "
    else:
        inner = _words(follow | _CLAUSES, 6 if kind == "name" else 4)
    return f"(?P<{slot.name}>(?>{inner}))"


def _words(stops: frozenset[str], most: int = 4) -> str:
    """Return the pattern of one or more words, none of which is in `stops`."""
    return f"(?:{_not(stops)}{_WORD}){{1,{most}}}+"


def _not(words: frozenset[str]) -> str:
    """Return a pattern that doesn't match if the next word is one of these."""
    return f"(?!(?:{'|'.join(map(re.escape, sorted(words)))}) )" if words else ""


def _firsts(nodes: Sequence[_Node], after: frozenset[str], words: Tables) -> frozenset[str]:
    """Return the words with which a sequence can begin. If all nodes are optional, that includes the words after it."""
    firsts: set[str] = set()
    for node in nodes:
        if isinstance(node, str):
            return frozenset({*firsts, node.split()[0]})
        if isinstance(node, _Slot):
            if node.kind in words:
                firsts.update(word.split()[0] for word in words[node.kind])
            elif node.kind in ("it", "its"):
                firsts.update(_ITSELF if node.kind == "it" else _ITS, _ARTICLES)
            elif node.kind == "n":
                firsts.update(_NUMBER_WORDS)
            return frozenset(firsts)
        for option in node.options:
            firsts |= _firsts(option, frozenset(), words)
        if not node.optional:
            return frozenset(firsts)
    return frozenset(firsts | after)


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text in plain form, in order."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [plain for line in lines for each in _RE.ends.split(line) if each and (plain := plain_sentence(each))]


def third_person(sentence: str) -> str:
    """Return a plain sentence about a character as one about a creature: `you have` becomes `it has`.

    A level at its beginning, as in class texts, is removed.
    """
    words = _RE.from_level.sub("", sentence).split()
    result: list[str] = []
    for at, word in enumerate(words):
        result.append(_YOU.get(word, word))
        subject = at - 1
        while subject >= 0 and (words[subject] in _ADVERBS or words[subject].endswith("ly")):
            subject -= 1
        if subject >= 0 and words[subject] == "you" and word not in _ADVERBS and not word.endswith("ly"):
            result[-1] = terms("traits", "verbs").get(word) or _with_s(word)
    return " ".join(result) + " " if result else ""


def _with_s(verb: str) -> str:
    is_finite = not verb.endswith(("ed", "ing")) or verb.endswith("eed")
    if verb in _UNCHANGED or not is_finite:
        return verb
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")


def plain_sentence(text: str) -> str:
    """Return a sentence in plain form: lower case, a space after each word, no punctuation.

    The average before dice is removed (`7 (2d6)`), and distances become `10 feet`. A sentence that is too long is
    replaced by a placeholder that no template matches.
    """
    if len(text) > MAX_SENTENCE:
        return _TOO_LONG
    text = _RE.average.sub(r" \1", _RE.marks.sub("", text.lower().translate(_MINUS)))
    text = _RE.unit.sub(r"\1 feet ", _RE.plus.sub("+ ", _RE.dice.sub(r"\1\2\3", text)))
    words = _RE.other.sub(" ", text).split()
    return " ".join(words) + " " if words else ""
