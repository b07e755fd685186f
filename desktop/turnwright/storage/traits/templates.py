"""Templates of sentences, compiled to patterns that never go back: a match takes one pass over the sentence.

A template is written as the sentence stands in a book. `{n}`, `{dc}`, `{dice}`, `{feet}`, `{bonus}` stand for figures, `{it}` for
the creature by whatever word, `{its}` for what is its own, `{own}` for a name of one of its features, `{name}` for one to
six words; any other name stands for one of the words of that table of the file, or for the part of that name. `[…]` may
be missing, `(…|…)` is one of several, and `...` at either end stands for anything. A figure after a name tells several
apart: `{type}`, `{type2}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from turnwright.encounter.suggestions import nearest_hint
from turnwright.storage.statblock_text.numbers import NUMBERS, number_in_words
from turnwright.storage.traits.sentences import plain_sentence

MAX_TEMPLATE: Final = 600
MAX_EXPANDED: Final = 4_000
MAX_NESTING: Final = 8
_TOKEN: Final = re.compile(r"\{[^{}]*\}|\.\.\.|[\[\]()|]|[^\[\](){}|]+?(?=\.\.\.|[\[\](){}|]|\Z)|.", re.DOTALL)
_SLOT: Final = re.compile(r"([a-z][a-z-]*)([0-9]?)\Z")
_NUMBER_WORDS: Final = tuple(word for word in NUMBERS if word not in ("a", "an"))
_FIGURES: Final[Mapping[str, str]] = {
    "n": rf"(?>[0-9]{{1,5}}+|{'|'.join(_NUMBER_WORDS)}) ",
    "dc": r"[0-9]{1,3}+ ",
    "feet": r"[0-9]{1,5}+ feet ",
    "dice": r"(?>[0-9]{1,3}+d[0-9]{1,4}+(?:[+-][0-9]{1,4}+)?+|[0-9]{1,4}+) ",
    "bonus": r"\+[0-9]{1,3}+ ",
}
_ITSELF: Final = (
    "it",
    "they",
    "he",
    "she",
    "them",
    "him",
    "her",
    "itself",
    "themself",
    "themselves",
    "himself",
    "herself",
)
_ITS: Final = ("its", "their", "his", "her")
_ARTICLES: Final = ("the", "this", "an", "a")
_OTHERS: Final = frozenset({  # words that name somebody or something else, or no name goes on with
    "target", "targets", "creature", "creatures", "ally", "allies", "attacker", "attackers", "enemy", "enemies", "foe",
    "foes", "victim", "each", "any", "all", "other", "others", "another", "no", "that", "who", "whose", "which", "spell",
    "attack", "save", "damage", "area", "effect", "character", "humanoid", "rider", "mount", "dm", "gm", "narrator",
    "make", "makes", "take", "takes", "use", "uses", "has", "have", "can", "cant", "must", "may", "is", "are", "deals", "gains",
    "doesnt", "isnt", "hits", "moves", "casts", "one", "two", "three", "four", "five", "with", "within", "by", "to", "from",
    "in", "on", "at", "and", "or", "if", "when", "while", "unless", "but",
})  # fmt: skip
_CLAUSES: Final = frozenset({  # words with which something is added to what was said
    "and", "but", "except", "if", "it", "or", "that", "unless", "until", "when", "which", "while", "with", "without",
})  # fmt: skip
_WORD: Final = r"[a-z][\w-]{0,40}+ "
_OPEN: Final = ("it", "its", "own", "name")


class TemplateError(ValueError):
    """A mistake in a template, in words."""


class _Slot(NamedTuple):
    name: str
    kind: str


class _Choice(NamedTuple):
    """One of several runs of nodes; `optional`: or none of them."""

    options: tuple[tuple[_Node, ...], ...]
    optional: bool


_Node = str | _Slot | _Choice


class SentenceTemplate:
    """A compiled template: `needed` are sets of words of which a sentence has one whole, `slots` the names of what it finds."""

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
        compiled = re.compile(pattern)
        self._match = compiled.search

    def match(self, sentence: str) -> dict[str, str] | None:
        """Return the values of the slots that are in a plain sentence, None where it says something else."""
        found = self._match(sentence)
        if found is None:
            return None
        return {
            name: self._value(name, words.strip()) for name, words in found.groupdict().items() if words is not None
        }

    def _value(self, name: str, words: str) -> str:
        kind = self.kinds[name]
        if kind == "n":
            return str(number_in_words(words))
        if kind == "feet":
            return words.partition(" ")[0]
        return self.words[kind][words] if kind in self.words else words.removeprefix("+")


Tables = Mapping[str, Mapping[str, str]]


def compile_template(text: str, words: Tables, parts: Mapping[str, str]) -> SentenceTemplate:
    """Return a template compiled with the tables of words and the parts that its slots may name; TemplateError."""
    expanded = _with_parts(text, parts)
    nodes, start, end = _parsed(expanded, words, parts)
    kinds: dict[str, str] = {}
    pattern = _run(nodes, frozenset(), words, kinds)
    needed = _needed(nodes)
    if not all(needed):
        raise TemplateError("has no word that must be there, and so would match anything")
    pattern = (r"(?<!\S)" if start else r"\A") + pattern + ("" if end else r"\Z")
    return SentenceTemplate(text, pattern, kinds, needed, words)


def _needed(nodes: Sequence[_Node]) -> tuple[frozenset[str], ...]:
    """Return the sets of words of which each matching sentence has one whole; an empty set where there is no such word."""
    always = frozenset(word for node in nodes if isinstance(node, str) for word in node.split())
    if always:
        return (always,)
    for node in nodes:
        if isinstance(node, _Choice) and not node.optional:
            found = tuple(each for option in node.options for each in _needed(option))
            if all(found):
                return found
    return (frozenset(),)


def _with_parts(text: str, parts: Mapping[str, str]) -> str:
    """Return a template in which each part stands written out."""
    for _ in range(MAX_NESTING):
        found = [name for name in parts if "{" + name + "}" in text]
        if not found:
            return text
        for name in found:
            text = text.replace("{" + name + "}", parts[name])
        if len(text) > MAX_EXPANDED:
            raise TemplateError(f"is longer than {MAX_EXPANDED:,} characters with its parts")
    raise TemplateError("has parts that hold one another")


def _parsed(text: str, words: Tables, parts: Mapping[str, str]) -> tuple[tuple[_Node, ...], bool, bool]:
    """Return the nodes of a template, and whether anything may stand before and behind them."""
    text = text.strip()
    start, end = text.startswith("..."), text.endswith("...")
    text = text.removeprefix("...").removesuffix("...").strip()
    stack: list[tuple[str, list[list[_Node]]]] = [("", [[]])]
    for token in _TOKEN.findall(text):
        if token == "...":
            raise TemplateError("... stands in the middle; it may stand at the start and at the end only")
        if token in "[(":
            if len(stack) > MAX_NESTING:
                raise TemplateError(f"has more than {MAX_NESTING} brackets in one another")
            stack.append((token, [[]]))
        elif token in "])":
            if {"]": "[", ")": "("}[token] != stack[-1][0]:
                raise TemplateError(f"has a {token} without its opening bracket")
            options = stack.pop()[1]
            if not all(options):
                raise TemplateError("has an empty choice")
            stack[-1][1][-1].append(_Choice(tuple(map(tuple, options)), token == "]"))
        elif token == "|":
            if len(stack) == 1:
                raise TemplateError("has a | outside of brackets")
            stack[-1][1].append([])
        elif token.startswith("{"):
            stack[-1][1][-1].append(_slot(token, words, parts))
        elif plain := plain_sentence(token):
            stack[-1][1][-1].append(plain)
    if len(stack) > 1:
        raise TemplateError(f"has a {stack[-1][0]} that isn't closed")
    return tuple(stack[0][1][0]), start, end


def _slot(token: str, words: Tables, parts: Mapping[str, str]) -> _Slot:
    found = _SLOT.match(token[1:-1])
    known = (*_FIGURES, *_OPEN, *words)
    if not found or found[1] not in known:
        raise TemplateError(f"{token} stands for nothing{nearest_hint(token[1:-1], (*known, *parts))}")
    return _Slot(found[1].replace("-", "_") + found[2], found[1])


def _run(nodes: Sequence[_Node], after: frozenset[str], words: Tables, kinds: dict[str, str]) -> str:
    """Return the pattern of nodes one after the other, where `after` are the words that may follow them."""
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
        raise TemplateError(f"has {{{slot.name}}} twice; a figure tells them apart: {{{kind}2}}")
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
    """Return the pattern of one or more words, none of which is one of `stops`."""
    return f"(?:{_not(stops)}{_WORD}){{1,{most}}}+"


def _not(words: frozenset[str]) -> str:
    """Return the pattern that none of some words comes next."""
    return f"(?!(?:{'|'.join(map(re.escape, sorted(words)))}) )" if words else ""


def _firsts(nodes: Sequence[_Node], after: frozenset[str], words: Tables) -> frozenset[str]:
    """Return the words with which nodes, and where they may be missing what follows them, can begin."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, str):
            return frozenset({*found, node.split()[0]})
        if isinstance(node, _Slot):
            if node.kind in words:
                found.update(word.split()[0] for word in words[node.kind])
            elif node.kind in ("it", "its"):
                found.update(_ITSELF if node.kind == "it" else _ITS, _ARTICLES)
            elif node.kind == "n":
                found.update(_NUMBER_WORDS)
            return frozenset(found)
        for option in node.options:
            found |= _firsts(option, frozenset(), words)
        if not node.optional:
            return frozenset(found)
    return frozenset(found | after)
