"""Statements: the facts of `when`, joined by `,` (and) and `|` (or), as a syntax tree parsed once from their text.

`FACTS` contains all words that a fact may begin with; `docs/reference/rule-language.md` is generated from it. Any other
word is the id of a condition, of gear or of a specialty. `rules.parts.conditions.predicates` evaluates statements.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
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


class FactWord(msgspec.Struct, frozen=True):
    """A word that a fact begins with. `text` describes when a fact about a `roll`, `two` combatants or `one` is true.

    `argument` is the kind of the argument after its colon (a number, or one of `known_ids`), with an `example`.
    `optional`: the argument may be omitted. A fact about a roll that isn't among its tags is false, or unknown if it is
    `open`. A fact that is `worked_out` from the roll can't be entered.
    """

    about: Literal["roll", "two", "one"]
    text: str
    argument: str = ""
    example: str = ""
    optional: bool = False
    open: bool = False
    worked_out: bool = False


FACTS: Final[Mapping[str, FactWord]] = MappingProxyType({
    "melee": FactWord("roll", "it is a melee attack"),
    "ranged": FactWord("roll", "it is a ranged attack"),
    "weapon": FactWord("roll", "it is an attack with a weapon, not a spell or an unarmed attack"),
    "with": FactWord(
        "roll", "this is the attack's id, a part of its id, or one of its properties", "property", "dagger"
    ),
    "spell": FactWord("roll", "it is a spell"),
    "limited": FactWord("roll", "the attack or feature has limited uses, a recharge or a spell slot"),
    "thrown": FactWord("roll", "a melee weapon is thrown"),
    "unarmed": FactWord("roll", "it is an unarmed attack"),
    "opportunity": FactWord("roll", "it is an opportunity attack"),
    "off-hand": FactWord("roll", "it is an off-hand attack"),
    "long-range": FactWord("roll", "the target is beyond the shorter of two ranges"),
    "attack-trait": FactWord("roll", "the check counts as an attack, such as a trip or a grapple"),
    "hide": FactWord("roll", "it is a check to hide"),
    "search": FactWord("roll", "it is a check to find a creature"),
    "concentration": FactWord("roll", "it is a save to maintain concentration"),
    "tumble": FactWord("roll", "it is a save to tumble past an enemy"),
    "leap-off": FactWord("roll", "it is a check to leap off a mount"),
    "throw-rider": FactWord("roll", "it is a check to throw off a rider"),
    "advantage": FactWord("roll", "you gave the roll advantage"),
    "disadvantage": FactWord("roll", "you gave the roll disadvantage"),
    "group": FactWord("roll", "a group acts as one"),
    "death": FactWord("roll", "it is a death save"),
    "mundane": FactWord("roll", "the damage is nonmagical", worked_out=True),
    "critical": FactWord("roll", "it is a critical hit", worked_out=True),
    "area": FactWord("roll", "an effect with an area deals the damage", worked_out=True),
    "object": FactWord("roll", "the target is an object", worked_out=True),
    "moving": FactWord("roll", "the enemy that triggers the feature is moving"),
    "misses-with-ac": FactWord("roll", "raising AC by this number would turn the hit into a miss", "number", "2", worked_out=True),
    "kind": FactWord("roll", "some of the damage is of this type", "damage type", "fire", worked_out=True),
    "shove": FactWord("roll", "the contest is a shove"),
    "grapple": FactWord("roll", "the contest is a grapple"),
    "rolls-with": FactWord("roll", "the attack that hit was rolled with the given `advantage` or `disadvantage`", "edge", "advantage"),
    "magic": FactWord("roll", "the save is against a spell or another magical effect", open=True),
    "against": FactWord(
        "roll",
        "the save is against this threat: a type of damage, any `damage`, a condition or a `push`",
        "threat to a save",
        "frightened",
        open=True,
    ),
    "sense": FactWord("roll", "the check relies on this sense", "sense of a check", "smell", open=True),
    "chosen": FactWord("roll", "you chose this feature for the roll", "feature", "reckless", open=True),
    "within": FactWord("two", "the creatures are at most this many feet apart", "number", "5"),
    "higher": FactWord("two", "the creature is at least this many feet above the other", "number", "5"),
    "lower": FactWord("two", "the creature is at least this many feet below the other", "number", "5"),
    "larger": FactWord(
        "two", "the creature is larger by at least this many sizes (default: 1)", "number", "1", optional=True
    ),
    "smaller": FactWord(
        "two", "the creature is smaller by at least this many sizes (default: 1)", "number", "1", optional=True
    ),
    "sees": FactWord("two", "the creature sees the other, or notices it with another sense"),
    "flanks": FactWord("two", "the creature flanks the other"),
    "reaches": FactWord("two", "the other is within the creature's reach"),
    "hostile": FactWord("two", "the creatures are on different sides"),
    "holds": FactWord("two", "the creature has grabbed, grappled or restrained the other"),
    "hidden-from": FactWord("two", "the creature is hidden from the other"),
    "ally-at-target": FactWord(
        "two", "an ally that can act is within this many feet of the other", "number", "5"
    ),
    "allies-reaching": FactWord(
        "two", "at least this many of the creature's allies have the other within reach", "number", "2"
    ),
    "is-source": FactWord("one", "the effect comes from the creature"),
    "covered": FactWord(
        "one", "it has at least this cover against the other, but not total cover", "cover grade", "half"
    ),
    "within-half": FactWord(
        "one", "the distance to the other is at most half of its modifier for this ability", "ability", "str"
    ),
    "condition": FactWord("one", "it has this condition (same as the bare id)", "condition or mark", "prone"),
    "gear": FactWord("one", "it has this gear (same as the bare id)", "gear", "shield"),
    "resistant": FactWord("one", "it is resistant to this type of damage", "damage type or group", "cold"),
    "vulnerable": FactWord("one", "it is vulnerable to this type of damage", "damage type or group", "fire"),
    "immune": FactWord(
        "one", "it is immune to this type of damage or this condition", "damage type or condition", "prone"
    ),
    "level": FactWord("one", "the level of the effect, or of the track with the same name, is at least this high", "number", "3"),
    "track": FactWord("one", "the value of the track or condition is at least this high (default: 1)", "track", "moved:10"),
    "unspent": FactWord("one", "it hasn't spent any of this resource this turn", "resource", "bonus"),
    "has-speed": FactWord("one", "it has a speed in this mode of movement", "speed", "fly"),
    "speed-zero": FactWord("one", "it can't move, or can't move in the named mode", "speed", optional=True),
    "hovers": FactWord("one", "it hovers"),
    "proficient": FactWord("one", "its stat block lists this skill or save", "skill or save", "acrobatics"),
    "specialty": FactWord("one", "it has this specialty", "specialty", "tumbling"),
    "adjacent": FactWord(
        "one",
        "the creatures are adjacent (without a grid, you have to enter this), or this house rule is off",
        "table rule",
        "adjacent-allies",
    ),
    "skilled": FactWord("one", "the roll uses a skill, not a bare ability"),
    "task": FactWord("one", "the check is for the task that the effect is meant for"),
    "threatened": FactWord("one", "it is within reach of an enemy with more than 0 hit points"),
    "source-unseen": FactWord("one", "it definitely doesn't see the source of the effect"),
    "has-attacked": FactWord("one", "it has attacked with its Attack action this turn"),
    "suffered": FactWord(
        "one",
        "it has taken this type of damage, or damage of an attack with this property (true until the end of its next turn)",
        "listed damage type",
        "fire",
    ),
    "used": FactWord("one", "it has spent a use of this feature", OWN_FEATURE, "mythic-form"),
    "spent": FactWord("one", "it has no uses of this feature left", OWN_FEATURE, "mythic-form"),
    "gripping": FactWord("one", "a creature is grappled or restrained by this feature of it", OWN_FEATURE, "claws"),
    "phase": FactWord("one", "this phase of its stat block is active", OWN_PHASE, "mythic"),
    "dealt": FactWord("one", "the damage is at least this high", "number", "10"),
    "hurt": FactWord("one", "it has lost hit points"),
    "bloodied": FactWord("one", "it has at most half of its hit points"),
    "hp": FactWord("one", "it has at most this many hit points", "number", "49"),
    "in": FactWord("one", "it is in this light", "light", "sunlight"),
    "moved-straight": FactWord(
        "one", "it has moved at least this many feet straight towards the other this turn", "number", "20"
    ),
    "first-round": FactWord("one", "it is the first round"),
    "acted": FactWord("one", "it has had a turn, or has one now"),
    "up-to": FactWord("one", "it is of this size or smaller", "size", "large"),
    "type": FactWord("one", "its creature type, or one of its tags, is this word", TYPE, "undead"),
    "form": FactWord("one", "it has taken this form", TYPE, "wolf"),
    "dead": FactWord("one", "it is dead"),
    "down": FactWord("one", "it is at 0 hit points"),
    "riding": FactWord("one", "it rides a mount"),
    "working-device": FactWord("one", "it is a device in the turn order, such as a trap, that isn't disabled yet"),
    "ridden": FactWord("one", "it has a rider"),
    "scene": FactWord("one", "the scene takes place in this medium, or has rolling movement (`scene:rolling`)", "surrounding", "water"),
    "option": FactWord("one", "this house rule is on", "table rule", "hidden-attacker"),
})  # fmt: skip


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
        number = f":{self.number}" if self.kind == "track" and self.number else ""
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
    text = _SUBJECT.sub(lambda found: f"{found[1]} {'' if found[2].endswith('s') else 'is '}{found[2]}", text)
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
    if word.argument == "track":
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
