"""Statements: the facts of `when`, joined by `,` (and) and `|` (or), as a syntax tree parsed once from their text.

`FACTS` contains all words that a fact may begin with; `packaging/rule_language.toml` describes them for the reference. Any
other word is the id of a condition, of gear or of a specialty. `rules.parts.conditions.predicates` evaluates statements.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from turnwright.encounter.field_specs import nearest_hint

SUBJECTS: Final = ("attacker", "target", "other", "source")
BARE: Final = "condition, gear or specialty"
OWN_FEATURE: Final = "feature of its own"  # an id of the stat block, not of the game
OWN_PHASE: Final = "phase of its own"  # also an id of the stat block
TYPE: Final = "creature type"  # any word
_WHOLE_NUMBER: Final = re.compile(r"-?\d+")
_TOKEN: Final = re.compile(r"[(),|]|[^(),|]+")


About = Literal["roll", "two", "one"]


class FactWord(msgspec.Struct, frozen=True):
    """A word that a fact about a `roll`, `two` combatants or `one` begins with.

    `argument` is the kind of the argument after its colon (a number, or one of `known_ids`), with an `example`.
    `optional`: the argument may be omitted. A fact about a roll that isn't among its tags is false, or unknown if it is
    `open`. A fact that is `worked_out` from the roll can't be entered.
    """

    about: About
    argument: str = ""
    example: str = ""
    optional: bool = False
    open: bool = False
    worked_out: bool = False


_BARE_FACTS: Final[Mapping[About, str]] = {
    "roll": """melee ranged weapon spell limited thrown unarmed opportunity off-hand long-range attack-trait hide search
            concentration tumble leap-off throw-rider advantage disadvantage group death moving moved-away shove grapple attacked-another just-missed
            second-with-it later-with-it""",
    "two": "sees flanks reaches hostile holds hidden-from",
    "one": """is-source hovers skilled task threatened source-unseen has-attacked hurt bloodied below-half first-round acted dead
            down riding working-device ridden sustained""",
}
# The facts with an argument, by the kind of the argument, each with an example.
_FACTS_WITH: Final[Mapping[tuple[About, str], str]] = {
    ("two", "number"): "within:5 higher:5 lower:5 ally-at-target:5 allies-reaching:2",
    ("one", "number"): "level:3 rating-below:1 dealt:10 dealt-in-turn:30 hp:49 ally-seen:30 moved-straight:20",
    ("one", "cover grade"): "covered:half",
    ("one", "ability"): "within-half:str",
    ("one", "condition or mark"): "condition:prone has-from-other:charmed",
    ("one", "gear"): "gear:shield",
    ("one", "damage type or group"): "resistant:cold vulnerable:fire",
    ("one", "damage type or condition"): "immune:prone",
    ("one", "track"): "track:moved:10",
    ("one", "resource"): "unspent:bonus",
    ("one", "speed"): "has-speed:fly",
    ("one", "sense"): "has-sense:blindsight",
    ("one", "specialty"): "specialty:tumbling",
    ("one", "listed damage type"): "suffered:fire",
    ("one", OWN_FEATURE): "used:mythic-form spent:mythic-form gripping:claws:2",
    ("one", OWN_PHASE): "phase:mythic",
    ("one", "light"): "in:sunlight",
    ("one", "size"): "up-to:large",
    ("one", TYPE): "type:undead form:wolf",
    ("one", "surrounding"): "scene:water",
    ("one", "table rule"): "adjacent:adjacent-allies option:hidden-attacker",
}
FACTS: Final[Mapping[str, FactWord]] = {
    **{word: FactWord(about) for about, words in _BARE_FACTS.items() for word in words.split()},
    **{
        word: FactWord(about, kind, example)
        for (about, kind), words in _FACTS_WITH.items()
        for word, _, example in (word.partition(":") for word in words.split())
    },
    **dict.fromkeys(("mundane", "critical", "area", "object"), FactWord("roll", worked_out=True)),
    "with": FactWord("roll", "property", "dagger"),
    "misses-with-ac": FactWord("roll", "number", "2", worked_out=True),
    "kind": FactWord("roll", "damage type", "fire", worked_out=True),
    "rolls-with": FactWord("roll", "edge", "advantage"),
    "magic": FactWord("roll", open=True),
    "against": FactWord("roll", "threat to a save", "frightened", open=True),
    "sense": FactWord("roll", "sense of a check", "smell", open=True),
    "chosen": FactWord("roll", "feature", "reckless", open=True),
    **dict.fromkeys(("larger", "smaller"), FactWord("two", "number", "1", optional=True)),
    "speed-zero": FactWord("one", "speed", optional=True),
    "proficient": FactWord("one", "skill or save", "acrobatics", optional=True),
}


class StatementError(ValueError):
    """An error in the text of a statement. Its message quotes the wrong word."""


class Fact(msgspec.Struct, frozen=True, tag=True):
    """A fact: a word of `FACTS` with its argument, or (without a word) the id of a condition, gear or specialty.

    `number` is the argument's number, or 0 if it has none. `subject` is one of `SUBJECTS`, or empty for the combatant
    that the rule belongs to.
    """

    word: str
    argument: str = ""
    number: int = 0
    subject: str = ""
    negated: bool = False

    @property
    def name(self) -> str:
        """Return the fact as text, without its subject and negation."""
        number = f":{self.number}" if self.kind != "number" and self.number else ""
        return ":".join(part for part in (self.word, self.argument) if part) + number

    @property
    def kind(self) -> str:
        """Return the kind of the argument."""
        return FACTS[self.word].argument if self.word else BARE


class Compound(msgspec.Struct, frozen=True, tag=True):
    """Several facts or compounds. With `either`, at least one of them must be true, otherwise all."""

    parts: "tuple[Fact | Compound, ...]" = ()
    either: bool = False


class Statement(msgspec.Struct, frozen=True, eq=False):
    """A statement: its text, its syntax tree, and all its facts in order. An empty statement is always true."""

    text: str = ""
    tree: Fact | Compound = Compound()
    facts: tuple[Fact, ...] = ()

    def __bool__(self) -> bool:
        """Return whether the statement contains any facts."""
        return bool(self.facts)

    @property
    def is_conjunction(self) -> bool:
        """Return whether all of the statement's facts must be true."""
        return isinstance(self.tree, Fact) or not (
            self.tree.either or any(isinstance(part, Compound) for part in self.tree.parts)
        )


ALWAYS: Final = Statement()


_SUBJECT: Final = re.compile(r"\b([a-z]+)\.(?:type:)?([a-z][a-z-]*)")  # whom a fact is about, as in `target.prone`


def readable_statement(text: str, either: str) -> str:
    """Return a statement in readable form, without punctuation marks. `either` is the word between alternatives."""
    verb = re.compile(r".*s$|is-")  # such as `sees` and `is-source`
    text = _SUBJECT.sub(lambda found: f"{found[1]} {'' if verb.match(found[2]) else 'is '}{found[2]}", text)
    return text.replace(" | ", f" {either} ").replace(":", " ").replace("-", " ")


@lru_cache(4096)
def parse_statement(text: str) -> Statement:
    """Parse a statement. Raise StatementError if it is malformed."""
    tokens = [token for match in _TOKEN.findall(text) if (token := match.strip())]
    if not tokens:
        return ALWAYS
    facts: list[Fact] = []
    tree = _joined(tokens, facts, negated=False)
    if tokens:
        raise StatementError(f"unexpected {tokens[0]!r}")
    return Statement(text, tree, tuple(facts))


def facts_in(text: str) -> tuple[Fact, ...]:
    """Return the facts of a statement, or an empty tuple if it is malformed."""
    try:
        return parse_statement(text).facts
    except StatementError:
        return ()


def is_about_roll(text: str) -> bool:
    """Return whether a statement contains a fact about the roll."""
    return any(fact.word and FACTS[fact.word].about == "roll" for fact in facts_in(text))


def _joined(tokens: list[str], facts: list[Fact], *, negated: bool, by: str = "|") -> Fact | Compound:
    """Parse parts that are joined by the sign `by`. Each part of an `|` list may be a list joined by `,`."""

    def part() -> Fact | Compound:
        return _joined(tokens, facts, negated=negated, by=",") if by == "|" else _single(tokens, facts, negated)

    parts = [part()]
    while tokens[:1] == [by]:
        del tokens[0]
        parts.append(part())
    return parts[0] if len(parts) == 1 else Compound(tuple(parts), either=(by == "|") != negated)


def _single(tokens: list[str], facts: list[Fact], negated: bool) -> Fact | Compound:
    token = tokens.pop(0) if tokens else ""
    if token == "not" and tokens[:1] == ["("]:
        return _single(tokens, facts, not negated)
    if token == "(":
        inside = _joined(tokens, facts, negated=negated)
        if tokens[:1] != [")"]:
            raise StatementError("a closing parenthesis is missing")
        del tokens[0]
        return inside
    if token in ("", "not", ")", ",", "|"):
        raise StatementError("a fact is missing")
    while token.startswith("not "):
        token, negated = token[4:].lstrip(), not negated
    fact = parse_fact(token, negated=negated)
    facts.append(fact)
    return fact


def parse_fact(text: str, *, negated: bool = False) -> Fact:
    """Parse a fact. Raise StatementError if its word or subject is unknown, or its argument is malformed."""
    subject, rest = "", text
    before, dot, after = text.partition(".")
    if dot and ":" not in before:
        subject, rest = before, after
        if subject not in SUBJECTS:
            raise StatementError(f"unknown subject {subject!r}{nearest_hint(subject, SUBJECTS)}")
    name, colon, argument = rest.partition(":")
    word = FACTS.get(name)
    if word is None:
        if colon or not name:
            raise StatementError(f"unknown fact {name!r}{nearest_hint(name, FACTS)}")
        return Fact("", name, 0, subject, negated)
    if not argument:
        if colon or (word.argument and not word.optional):
            raise StatementError(f"{name!r} needs a {kind_text(word.argument)}, as in '{name}:{word.example}'")
        return Fact(name, "", 0, subject, negated)
    if not word.argument:
        raise StatementError(f"{name!r} takes no argument, but {argument!r} follows")
    least = ""
    if word.argument in ("track", OWN_FEATURE):
        argument, _, least = argument.partition(":")
    number = argument if word.argument == "number" else least
    if number and not _WHOLE_NUMBER.fullmatch(number):
        raise StatementError(f"{name!r} needs a whole number, not {number!r}")
    return Fact(name, argument, int(number or 0), subject, negated)


def kind_text(kind: str) -> str:
    """Return the name of a kind of id for messages: table rules are called house rules."""
    return kind.replace("table rule", "house rule")


def unknown_names(facts: Iterable[Fact], known: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield a message for each argument that isn't among the known ids of its kind."""
    for fact in facts:
        if (
            fact.argument
            and fact.kind not in ("number", OWN_FEATURE, OWN_PHASE, TYPE)
            and fact.argument not in known[fact.kind]
        ):
            like = known[fact.kind] if fact.word else known[BARE] | set(FACTS)
            yield f"unknown {kind_text(fact.kind)} {fact.argument!r}{nearest_hint(fact.argument, like)}"
