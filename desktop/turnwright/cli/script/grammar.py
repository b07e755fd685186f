"""Grammars of statements, compiled from templates such as `heal {targets} {amount} [from {source}]`.

A template is what a person types: words, and `{field}` for a value of the field's kind; `{field:kind}` reads another
kind, `{one,other}` a value for two fields, `{field=value}` sets a field for which nothing is typed. `[…]` may be left
out, and several in a row stand in any order; a word alone in them sets the flag of its name. `+` behind them: at least
one must stand there. `(… | …)` is a choice; a `|` outside of brackets parts two templates of one record. The tables of
`values.py` name all kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from turnwright.cli.script.lexer import NUMBER, ScriptError, UnknownWordError, Word, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.values import LISTS, PHRASES, WORDS, LineSoFar
from turnwright.encounter.field_specs import FieldSpec, specs_by_name

_TOKEN = re.compile(r"\{[^}]*\}|[\[\]()|+]|[^\s\[\](){}|+]+")
_DICE = re.compile(r"\d|\(|d\d")
NUMBERS = ("number", "negative")
TEXTS = ("text", "prose")


class Keyword(NamedTuple):
    """A word of the language."""

    word: str


class Value(NamedTuple):
    """A value: the fields that it fills, its kind, and what is known of the first field."""

    fields: tuple[str, ...]
    kind: str
    spec: FieldSpec

    @property
    def label(self) -> str:
        """The value's name in messages and in the manual."""
        return self.fields[0].replace("_", " ")

    @property
    def options(self) -> tuple[str, ...]:
        """The words of a choice."""
        return tuple(one for one in self.spec.options if one) if self.kind == "choice" else ()


class Constant(NamedTuple):
    """A field whose value the words around it settle."""

    field: str
    value: object


class Group(NamedTuple):
    """One of several branches, or none where it is optional."""

    branches: tuple[tuple[Node, ...], ...]
    optional: bool


class AtLeastOne(NamedTuple):
    """Stands behind optional groups of which one must be there."""


Node: TypeAlias = Keyword | Value | Constant | Group | AtLeastOne


class Template(NamedTuple):
    """A compiled template: the record that it makes, the words it begins with, what follows, and its keywords."""

    record: type[msgspec.Struct]
    verb: tuple[str, ...]
    nodes: tuple[Node, ...]
    keywords: frozenset[str]


def compile_templates(record: type[msgspec.Struct], script: str) -> tuple[Template, ...]:
    """Return the templates of a record's grammar."""
    tokens = iter(_TOKEN.findall(script))
    found = []
    for nodes in _Compiler(record, tokens).branches(""):
        count = next((at for at, node in enumerate(nodes) if not isinstance(node, Keyword)), len(nodes))
        verb = tuple(node.word for node in nodes[:count] if isinstance(node, Keyword))
        found.append(Template(record, verb, nodes[count:], frozenset(_keywords(nodes[count:]))))
    return tuple(found)


class _Compiler:
    """Compiles the tokens of a template against a record."""

    def __init__(self, record: type[msgspec.Struct], tokens: Iterator[str]) -> None:
        self._specs = specs_by_name(record)
        self._types = {field.name: field.type for field in msgspec.structs.fields(record)}
        self._tokens = tokens

    def branches(self, end: str) -> tuple[tuple[Node, ...], ...]:
        """Return the branches up to a closing bracket, or all to the end."""
        found: list[list[Node]] = [[]]
        for token in self._tokens:
            if token == end:
                break
            if token == "|":
                found.append([])
            else:
                found[-1] += self._nodes(token)
        return tuple(tuple(branch) for branch in found)

    def _nodes(self, token: str) -> list[Node]:
        if token in "[(":
            branches = self.branches("]" if token == "[" else ")")
            return [Group(tuple(self._with_flag(one) for one in branches), token == "[")]
        if token == "+":
            return [AtLeastOne()]
        if not token.startswith("{"):
            return [Keyword(token)]
        field, is_constant, text = token[1:-1].partition("=")
        if is_constant:
            return [Constant(field, msgspec.convert(text, self._types[field], strict=False))]
        names, _, kind = field.partition(":")
        fields = tuple(names.split(","))
        spec = self._specs[fields[0]]
        return [Value(fields, kind or (names if len(fields) > 1 else spec.kind), spec)]

    def _with_flag(self, branch: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return a branch; one of a single word that names a flag sets it."""
        if len(branch) == 1 and isinstance(branch[0], Keyword):
            spec = self._specs.get(branch[0].word)
            if spec is not None and spec.kind == "flag":
                return (*branch, Constant(spec.name, True))
        return branch


def _keywords(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the words that end a list of names: those of the template, and the choices that stand for themselves."""
    for node in nodes:
        if isinstance(node, Keyword):
            yield node.word
        elif isinstance(node, Group):
            for branch in node.branches:
                yield from _first_words(branch)
                yield from _keywords(branch)


def _first_words(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the words with which a sequence may begin."""
    for node in nodes:
        if isinstance(node, Keyword):
            yield node.word
        elif isinstance(node, Value):
            yield from node.options
        elif isinstance(node, Group):
            for branch in node.branches:
                yield from _first_words(branch)
        if not isinstance(node, Constant) and not (isinstance(node, Group) and node.optional):
            return


class Line(LineSoFar):
    """The words of one line, read by a template. `also` are words by which it would be another statement."""

    def __init__(self, template: Template, read: WordReader, names: NameResolver, also: frozenset[str]) -> None:
        super().__init__(read, names)
        self._template = template
        self._hints = template.keywords | also
        self._expected = set(also)
        self._takes_text = False

    def record(self) -> Any:
        """Return the record that the line makes. ScriptError."""
        self._sequence(self._template.nodes)
        self.read.expect_end(self._expected, "; a text stands in quotes here" if self._takes_text else "")
        return self._template.record(**self.values)

    def is_keyword(self, word: Word) -> bool:
        """Return whether a word is one of the template's own."""
        return not word.quoted and word.text in self._template.keywords

    def _sequence(self, nodes: Sequence[Node]) -> None:
        at = 0
        while at < len(nodes):
            node = nodes[at]
            at += 1
            if isinstance(node, Constant):
                self.values[node.field] = node.value
            elif isinstance(node, Value):
                self._value(node, nodes[at:])
            elif isinstance(node, Group) and node.optional:
                run = [node]
                while at < len(nodes) and isinstance(more := nodes[at], Group) and more.optional:
                    run.append(more)
                    at += 1
                if not self._options(run) and at < len(nodes) and isinstance(nodes[at], AtLeastOne):
                    raise self._missing(list(_first_words(run)))
            elif isinstance(node, Group):
                self._sequence(self._branch(node))
            elif isinstance(node, Keyword) and not self.read.accept(node.word):
                raise self._missing([node.word])

    def _options(self, run: list[Group]) -> int:
        """Read the optional groups that stand here, in any order; return how many there are."""
        left = list(run)
        while True:
            begun = ((group, branch) for group in left for branch in group.branches if self._begins(branch))
            group, branch = next(begun, (None, ()))
            if group is None:
                self._expected |= set(_first_words(left))
                self._takes_text |= any(is_bare_text(branch) for group in left for branch in group.branches)
                return len(run) - len(left)
            left.remove(group)
            self._sequence(branch)

    def _branch(self, group: Group) -> tuple[Node, ...]:
        for branch in group.branches:
            if self._begins(branch):
                return branch
        raise self._missing(list(_first_words((group,))))

    def _missing(self, words: list[str]) -> ScriptError:
        """Return the error for a word of the template that isn't there; raise that of another in its place."""
        self.read.expect_end(words)
        return ScriptError(f"{' or '.join(dict.fromkeys(words))} is missing")

    def _begins(self, nodes: Sequence[Node]) -> bool:
        """Return whether the next word may begin a sequence."""
        for node in nodes:
            if isinstance(node, Keyword):
                return self.read.next_is((node.word,))
            if isinstance(node, Value):
                return not self.read.at_end and self._may_be(node, self.read.peek())
            if isinstance(node, Group):
                if any(self._begins(branch) for branch in node.branches):
                    return True
                if not node.optional:
                    return False
        return True

    def _may_be(self, value: Value, word: Word) -> bool:
        if value.kind == "choice":
            return not word.quoted and word.text in value.options
        if value.kind in TEXTS:
            return word.quoted
        if value.kind in NUMBERS:
            return NUMBER.fullmatch(word.text) is not None
        return not self.is_keyword(word)

    def _value(self, value: Value, following: Sequence[Node]) -> None:
        try:
            found = self._read(value, following)
        except UnknownWordError as error:
            raise error.among(self._hints, self.read.bare_words) from None
        self.values.update(zip(value.fields, found, strict=True) if len(value.fields) > 1 else {value.fields[0]: found})

    def _read(self, value: Value, following: Sequence[Node]) -> Any:
        if value.kind in PHRASES:
            return PHRASES[value.kind](self)
        if value.kind in LISTS:
            words = self._words(following)
            if not words:
                raise ScriptError(f"{value.label} is missing")
            return LISTS[value.kind](words, self)
        text = self.read.expect(value.label, self._template.keywords - set(value.options))
        return WORDS[value.kind](text, self, value.spec)

    def _words(self, following: Sequence[Node]) -> list[str]:
        """Read the words of a list, without those of the value that follows it."""
        after = next((node for node in following if not isinstance(node, Constant)), None)
        if isinstance(after, Value) and after.kind in (*NUMBERS, "dice"):
            return self.read.until(lambda word: self.is_keyword(word) or _looks_like_dice(word))
        found = self.read.until(self.is_keyword)
        is_value_next = isinstance(after, Value) or (isinstance(after, Group) and not after.optional)
        if found and after is not None and is_value_next and not self.read.next_is(_first_words((after,))):
            self.read.back()
            found = found[:-1]
        return found


def is_bare_text(branch: Sequence[Node]) -> bool:
    """Return whether a branch is a text without a word before it, which has to stand in quotes."""
    return isinstance(branch[0], Value) and branch[0].kind in TEXTS


def _looks_like_dice(word: Word) -> bool:
    return not word.quoted and _DICE.match(word.text) is not None
