"""Compiles the grammars of statements from templates such as `heal {targets} {amount} [from {source}]`.

A template shows what you type: words, and `{field}` for the value of a field.

- `{field:kind}` reads another kind of value than the field's own, and `{one,other}` reads one value for two fields.
- `{field=value}` sets a field without typing.
- `[…]` is optional, and several in a row can be typed in any order. A single word in brackets sets the flag of that
  name. `+` after them means that at least one is required.
- `(… | …)` is a choice. A `|` outside of brackets separates two templates of one record.

The tables in `values.py` list all kinds of values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from turnwright.cli.script.arguments import Argument, alternatives, argument_of, quoted
from turnwright.cli.script.lexer import NUMBER, MissingWordError, UnknownWordError, Word, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.values import LISTS, PHRASES, WORDS, LineSoFar
from turnwright.encounter.field_specs import FieldSpec, specs_by_name

_TOKEN = re.compile(r"\{[^}]*\}|[\[\]()|+]|[^\s\[\](){}|+]+")
_DICE = re.compile(r"\d|\(|d\d")
NUMBERS = ("number", "negative")
TEXTS = ("text", "prose")
UNTYPED = ("nobody", "dice-mode")  # kinds of values for which nothing is typed


class Keyword(NamedTuple):
    """A word that is typed as it is."""

    word: str


class Value(NamedTuple):
    """A value to type: the fields it sets, its kind, and the spec of the first field."""

    fields: tuple[str, ...]
    kind: str
    spec: FieldSpec

    @property
    def label(self) -> str:
        """The value's name in the manual."""
        return self.fields[0].replace("_", " ")

    @property
    def options(self) -> tuple[str, ...]:
        """The keywords of a choice."""
        return tuple(option for option in self.spec.options if option) if self.kind == "choice" else ()

    def argument(self, statement: str) -> Argument:
        """Return the value's name and example in messages about a statement."""
        return argument_of(statement, self.fields[0], self.kind)

    def expected(self, statement: str) -> Argument:
        """Return the value's name and example for a message that it is missing.

        A choice is described by its options.
        """
        if self.options:
            return Argument(alternatives(quoted(self.options)), self.options[0])
        return self.argument(statement)


class Constant(NamedTuple):
    """A field whose value is implied by the words around it."""

    field: str
    value: object


class Group(NamedTuple):
    """A choice of branches, and whether it can be omitted."""

    branches: tuple[tuple[Node, ...], ...]
    optional: bool


class AtLeastOne(NamedTuple):
    """A mark after optional groups. At least one of them is required."""


Node: TypeAlias = Keyword | Value | Constant | Group | AtLeastOne


class Template(NamedTuple):
    """A compiled template: its record type, its verb, the nodes after the verb, and its keywords."""

    record: type[msgspec.Struct]
    verb: tuple[str, ...]
    nodes: tuple[Node, ...]
    keywords: frozenset[str]


def compile_templates(record: type[msgspec.Struct], script: str) -> tuple[Template, ...]:
    """Return the templates of a record's grammar."""
    tokens = iter(_TOKEN.findall(script))
    compiled = []
    for nodes in _Compiler(record, tokens).branches(""):
        count = next((at for at, node in enumerate(nodes) if not isinstance(node, Keyword)), len(nodes))
        verb = tuple(node.word for node in nodes[:count] if isinstance(node, Keyword))
        compiled.append(Template(record, verb, nodes[count:], frozenset(_keywords(nodes[count:]))))
    return tuple(compiled)


class _Compiler:
    """Compiles the tokens of a template for a record type."""

    def __init__(self, record: type[msgspec.Struct], tokens: Iterator[str]) -> None:
        self._specs = specs_by_name(record)
        self._types = {field.name: field.type for field in msgspec.structs.fields(record)}
        self._tokens = tokens

    def branches(self, end: str) -> tuple[tuple[Node, ...], ...]:
        """Return the branches up to a closing bracket or the end."""
        branches: list[list[Node]] = [[]]
        for token in self._tokens:
            if token == end:
                break
            if token == "|":
                branches.append([])
            else:
                branches[-1] += self._nodes(token)
        return tuple(tuple(branch) for branch in branches)

    def _nodes(self, token: str) -> list[Node]:
        if token in "[(":
            branches = self.branches("]" if token == "[" else ")")
            return [Group(tuple(self._with_flag(branch) for branch in branches), token == "[")]
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
        """Return a branch. If it is the name of a flag, it also sets the flag."""
        if len(branch) == 1 and isinstance(branch[0], Keyword):
            spec = self._specs.get(branch[0].word)
            if spec is not None and spec.kind == "flag":
                return (*branch, Constant(spec.name, True))
        return branch


def _keywords(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the words that end a list of names: the template's keywords, and options that follow no keyword."""
    for node in nodes:
        if isinstance(node, Keyword):
            yield node.word
        elif isinstance(node, Group):
            for branch in node.branches:
                yield from _first_words(branch)
                yield from _keywords(branch)


def _first_nodes(nodes: Sequence[Node]) -> Iterator[Keyword | Value]:
    """Yield the keywords and values with which a sequence can begin."""
    for node in nodes:
        if isinstance(node, Keyword | Value):
            yield node
        elif isinstance(node, Group):
            for branch in node.branches:
                yield from _first_nodes(branch)
        if not isinstance(node, Constant) and not (isinstance(node, Group) and node.optional):
            return


def _first_words(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the words with which a sequence can begin."""
    for node in _first_nodes(nodes):
        yield from (node.word,) if isinstance(node, Keyword) else node.options


def _beginnings(nodes: Sequence[Node], statement: str) -> Iterator[str]:
    """Yield descriptions of all words with which a sequence can begin: keywords in quotes, and names of values."""
    for node in _first_nodes(nodes):
        if isinstance(node, Keyword):
            yield f"'{node.word}'"
        else:
            yield from quoted(node.options) or [node.argument(statement).name]


def examples(nodes: Sequence[Node], statement: str) -> Iterator[str]:
    """Yield an example of each required word in a sequence."""
    is_first_option = True
    for at, node in enumerate(nodes):
        if isinstance(node, Keyword):
            yield node.word
        elif isinstance(node, Value) and node.kind not in UNTYPED:
            yield node.expected(statement).example
        elif isinstance(node, Group) and (not node.optional or (is_first_option and _is_required(nodes[at:]))):
            yield from examples(node.branches[0], statement)
        is_first_option = not (isinstance(node, Group) and node.optional)


def _is_required(nodes: Sequence[Node]) -> bool:
    """Return whether at least one of the optional groups at the start of a sequence is required."""
    after = next((node for node in nodes if not (isinstance(node, Group) and node.optional)), None)
    return isinstance(after, AtLeastOne)


class Line(LineSoFar):
    """The words of a line, parsed with a template. `also` are words with which it would be another statement."""

    def __init__(self, template: Template, read: WordReader, names: NameResolver, also: frozenset[str]) -> None:
        super().__init__(read, names)
        self._template = template
        self._statement = " ".join(template.verb)
        self._hints = template.keywords | also
        self._expected = set(also)
        self._takes_text = False

    def record(self) -> Any:
        """Create the record described by the line. Raise ScriptError if the line doesn't match the template."""
        try:
            self._sequence(self._template.nodes)
        except MissingWordError as error:
            raise error.located(self._template.verb, self.read) from None
        self.read.expect_end(self._expected, "; put a text in quotes here" if self._takes_text else "")
        return self._template.record(**self.values)

    def is_keyword(self, word: Word) -> bool:
        """Return whether a word is a keyword of the template."""
        return not word.quoted and word.text in self._template.keywords

    def _sequence(self, nodes: Sequence[Node]) -> None:
        at = 0
        while at < len(nodes):
            node = nodes[at]
            at += 1
            run = []
            if isinstance(node, Group) and node.optional:
                run.append(node)
                while at < len(nodes) and isinstance(more := nodes[at], Group) and more.optional:
                    run.append(more)
                    at += 1
            try:
                if run:
                    if not self._options(run) and at < len(nodes) and isinstance(nodes[at], AtLeastOne):
                        raise self._missing(run)
                else:
                    self._node(node, nodes[at:])
            except MissingWordError as error:
                error.example += examples(nodes[at:], self._statement)
                raise

    def _node(self, node: Node, following: Sequence[Node]) -> None:
        if isinstance(node, Constant):
            self.values[node.field] = node.value
        elif isinstance(node, Value):
            self._value(node, following)
        elif isinstance(node, Group):
            self._sequence(self._branch(node))
        elif isinstance(node, Keyword) and not self.read.accept(node.word):
            raise self._missing([node])

    def _options(self, run: list[Group]) -> int:
        """Read optional groups in any order. Return the number of groups."""
        remaining = list(run)
        while True:
            candidates = ((group, branch) for group in remaining for branch in group.branches if self._begins(branch))
            group, branch = next(candidates, (None, ()))
            if group is None:
                self._expected |= set(_first_words(remaining))
                self._takes_text |= any(is_bare_text(branch) for group in remaining for branch in group.branches)
                return len(run) - len(remaining)
            remaining.remove(group)
            self._sequence(branch)

    def _branch(self, group: Group) -> tuple[Node, ...]:
        for branch in group.branches:
            if self._begins(branch):
                return branch
        raise self._missing([group])

    def _missing(self, choices: Sequence[Node]) -> MissingWordError:
        """Return the error for missing words. Raise ScriptError if there is an unexpected word instead."""
        expected = alternatives([text for node in choices for text in _beginnings((node,), self._statement)])
        self.read.expect_end([word for node in choices for word in _first_words((node,))], f"; expected {expected}")
        first = choices[0].branches[0] if isinstance(choices[0], Group) else choices[:1]
        return MissingWordError(expected, [" ".join(examples(first, self._statement))])

    def _begins(self, nodes: Sequence[Node]) -> bool:
        """Return whether a sequence can begin with the next word."""
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
        self.argument = value.argument(self._statement)
        try:
            result = self._read(value, following)
        except UnknownWordError as error:
            raise error.among(self._hints, self.read.bare_words) from None
        is_several = len(value.fields) > 1
        self.values.update(zip(value.fields, result, strict=True) if is_several else {value.fields[0]: result})

    def _read(self, value: Value, following: Sequence[Node]) -> Any:
        if value.kind in PHRASES:
            return PHRASES[value.kind](self)
        if value.kind in LISTS:
            return LISTS[value.kind](self._words(following), self)
        text = self.read.expect(value.expected(self._statement), self._template.keywords - set(value.options))
        return WORDS[value.kind](text, self, value.spec)

    def _words(self, following: Sequence[Node]) -> list[str]:
        """Read the words of a list, except those of a value after it. Raise MissingWordError if there are none."""
        after = next((node for node in following if not isinstance(node, Constant)), None)
        if isinstance(after, Value) and after.kind in (*NUMBERS, "dice"):
            words = self.read.until(lambda word: self.is_keyword(word) or _looks_like_dice(word))
        else:
            words = self.read.until(self.is_keyword)
            is_value_next = isinstance(after, Value) or (isinstance(after, Group) and not after.optional)
            if words and after is not None and is_value_next and not self.read.next_is(_first_words((after,))):
                self.read.back()
                words = words[:-1]
                if not words:
                    expected = f"{self.argument.name} and {alternatives(_beginnings((after,), self._statement))}"
                    raise MissingWordError(expected, [self.argument.example], replaces_rest=True)
        if not words:
            raise MissingWordError(self.argument.name, [self.argument.example], self.argument.line)
        return words


def is_bare_text(branch: Sequence[Node]) -> bool:
    """Return whether a branch is a text that needs quotes, because no keyword precedes it."""
    return isinstance(branch[0], Value) and branch[0].kind in TEXTS


def _looks_like_dice(word: Word) -> bool:
    return not word.quoted and _DICE.match(word.text) is not None
