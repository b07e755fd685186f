"""Statements: the facts of `when`, joined by `,` (and) and `|` (or), as a syntax tree made once from their text.

`FACTS` holds all words that a fact may begin with; `docs/statements.md` is made from it. Any other word is the id of a
condition, of gear or of a specialty. `rules.parts.conditions.predicates` says whether a statement is true.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from turnwright.encounter.suggestions import nearest_hint

SUBJECTS: Final = ("attacker", "target", "other", "source")
BARE: Final = "condition, gear or specialty"
OWN_FEATURE: Final = "feature of its own"  # the stat block has it or has not, whatever the game knows
OWN_PHASE: Final = "phase of its own"  # likewise
_WHOLE_NUMBER: Final = re.compile(r"-?\d+")
_TOKEN: Final = re.compile(r"[(),|]|[^(),|]+")


class FactWord(msgspec.Struct, frozen=True):
    """A word that a fact begins with. `text` is when it holds, of a `roll`, of `two` combatants, or of `one` alone.

    `argument` is the kind of what stands behind its colon (a number, or one of `known_ids`), `example` one of those;
    `optional`: it may be left out. Of a roll, nothing is so that isn't among its tags, unless it is `open`: then it is
    not known.
    """

    about: Literal["roll", "two", "one"]
    text: str
    argument: str = ""
    example: str = ""
    optional: bool = False
    open: bool = False


FACTS: Final[Mapping[str, FactWord]] = MappingProxyType({
    "melee": FactWord("roll", "the attack is one in melee"),
    "ranged": FactWord("roll", "the attack is a shot"),
    "weapon": FactWord("roll", "what is used is neither a spell nor bare hands"),
    "with": FactWord(
        "roll", "what is used has that word for its id, in it, or among its properties", "property", "dagger"
    ),
    "spell": FactWord("roll", "a spell is used"),
    "thrown": FactWord("roll", "a melee weapon flies"),
    "unarmed": FactWord("roll", "bare hands are used"),
    "opportunity": FactWord("roll", "it is an opportunity attack"),
    "off-hand": FactWord("roll", "it is the attack with the other hand"),
    "long-range": FactWord("roll", "the target is beyond the shorter of two ranges"),
    "attack-trait": FactWord("roll", "the check stands for an attack, as a trip or a grapple does"),
    "hide": FactWord("roll", "the check is made to hide"),
    "search": FactWord("roll", "the check is made to find somebody"),
    "concentration": FactWord("roll", "the save is made to keep concentrating"),
    "tumble": FactWord("roll", "the save is made to tumble past a foe"),
    "leap-off": FactWord("roll", "the check is made to leap off a mount"),
    "throw-rider": FactWord("roll", "the check is made to throw a rider"),
    "advantage": FactWord("roll", "a person gives advantage"),
    "disadvantage": FactWord("roll", "a person gives disadvantage"),
    "group": FactWord("roll", "a group acts as one"),
    "death": FactWord("roll", "it is a death save"),
    "mundane": FactWord("roll", "nothing magical deals the damage"),
    "critical": FactWord("roll", "the hit is a critical one"),
    "moving": FactWord("roll", "what a foe does is to move"),
    "hits-by": FactWord("roll", "so much more AC would turn the hit", "number", "2"),
    "kind": FactWord("roll", "some of the damage is of that type", "damage type", "fire"),
    "shove": FactWord("roll", "the contest is a shove"),
    "grapple": FactWord("roll", "the contest is about a hold"),
    "rolls-with": FactWord("roll", "the attack that hit was rolled with that", "edge", "advantage"),
    "magic": FactWord("roll", "the save is against a spell or something else magical", open=True),
    "against": FactWord(
        "roll",
        "the save is against that: a type of damage or any, a condition that comes with failing, being pushed",
        "threat to a save",
        "frightened",
        open=True,
    ),
    "by": FactWord("roll", "the check relies on that sense", "sense of a check", "smell", open=True),
    "chosen": FactWord("roll", "a person lets that feature act on the roll", "feature", "reckless", open=True),
    "within": FactWord("two", "at most so many feet lie between them", "number", "5"),
    "higher": FactWord("two", "this one stands at least so many feet above the other", "number", "5"),
    "lower": FactWord("two", "this one stands at least so many feet below the other", "number", "5"),
    "larger": FactWord(
        "two", "this one is larger by so many sizes, by one without a number", "number", "1", optional=True
    ),
    "smaller": FactWord(
        "two", "this one is smaller by so many sizes, by one without a number", "number", "1", optional=True
    ),
    "sees": FactWord("two", "this one sees or senses the other"),
    "flanks": FactWord("two", "this one flanks the other"),
    "reaches": FactWord("two", "the other stands within this one's reach"),
    "hostile": FactWord("two", "the two are on different sides"),
    "hidden-from": FactWord("two", "this one has hidden from the other"),
    "ally-at-target": FactWord(
        "two", "an ally of this one, able to act, is within so many feet of the other", "number", "5"
    ),
    "allies-reaching": FactWord("two", "so many allies of this one have the other within their reach", "number", "2"),
    "is-source": FactWord("two", "the effect comes from this one"),
    "covered": FactWord(
        "one",
        "cover of that grade or a better one, short of total, stands between the other and this one",
        "cover grade",
        "half",
    ),
    "within-half": FactWord(
        "one", "the other is no farther away than half of this one's figure in that ability", "ability", "str"
    ),
    "condition": FactWord("one", "the condition is upon them, as with its bare name", "condition or mark", "prone"),
    "gear": FactWord("one", "they have that gear, as with its bare name", "gear", "shield"),
    "resistant": FactWord("one", "they resist the type of damage", "damage type or group", "cold"),
    "vulnerable": FactWord("one", "they are vulnerable to the type of damage", "damage type or group", "fire"),
    "immune": FactWord(
        "one", "they are immune to the type of damage, or to the condition", "damage type or condition", "prone"
    ),
    "level": FactWord("one", "the effect, or the track of its name, stands at so much or more", "number", "3"),
    "track": FactWord("one", "a track stands at so much or more, at 1 without a number", "track", "moved:10"),
    "unspent": FactWord("one", "a resource of the turn is whole", "resource", "bonus"),
    "has-speed": FactWord("one", "they have a speed of that mode", "speed", "fly"),
    "speed-zero": FactWord("one", "they can't move (by a mode, where one is named)", "speed", optional=True),
    "hovers": FactWord("one", "they hover"),
    "proficient": FactWord("one", "their stat block lists the skill or save", "skill or save", "acrobatics"),
    "specialty": FactWord("one", "they have the specialty", "specialty", "tumbling"),
    "beside": FactWord(
        "one",
        "the two are right next to each other, which without a grid somebody must have said; asked only where the "
        "table plays by that rule",
        "table rule",
        "adjacent-allies",
    ),
    "skilled": FactWord("one", "the roll goes by a skill, not by the bare ability"),
    "task": FactWord("one", "the check is for the task that the effect was left for"),
    "threatened": FactWord("one", "somebody hostile who is up has them within reach"),
    "source-unseen": FactWord("one", "they are known not to see whoever the effect comes from"),
    "suffered": FactWord(
        "one", "that type of damage has hurt them since their last turn started", "damage type", "fire"
    ),
    "used": FactWord("one", "a use of that feature of theirs is spent", OWN_FEATURE, "mythic-form"),
    "phase": FactWord("one", "that phase of their stat block has begun and lasts", OWN_PHASE, "mythic"),
    "dealt": FactWord("one", "the damage comes to so much or more", "number", "10"),
    "hurt": FactWord("one", "they lack hit points"),
    "bloodied": FactWord("one", "they have half of their hit points or fewer"),
    "in": FactWord("one", "they stand in that light", "light", "sunlight"),
    "moved-straight": FactWord(
        "one", "they have moved so many feet this turn straight towards the other", "number", "20"
    ),
    "first-round": FactWord("one", "it is the first round"),
    "acted": FactWord("one", "they have had a turn, or have it now"),
    "dead": FactWord("one", "they are dead"),
    "down": FactWord("one", "they are at 0 hit points"),
    "riding": FactWord("one", "they sit on a mount"),
    "stoppable": FactWord("one", "a thing of the order, such as a trap, that nobody has stopped yet"),
    "ridden": FactWord("one", "somebody sits on them"),
    "scene": FactWord("one", "everybody is suspended in that, or `scene:rolling`", "surrounding", "water"),
    "option": FactWord("one", "the table plays by that rule", "table rule", "hidden-attacker"),
})  # fmt: skip


class StatementError(ValueError):
    """A mistake in the text of a statement; its message names the word that is wrong."""


class Fact(msgspec.Struct, frozen=True, tag=True):
    """A fact: a word of `FACTS` with its argument, or (without a word) the id of a condition, of gear or a specialty.

    `number` is the number of the argument, 0 where it has none. `subject` is one of `SUBJECTS`, or empty for the
    combatant whose rule it is.
    """

    word: str
    argument: str = ""
    number: int = 0
    subject: str = ""
    negated: bool = False

    @property
    def name(self) -> str:
        """Return the fact as it is written, without its subject and negation."""
        number = f":{self.number}" if self.kind == "track" and self.number else ""
        return ":".join(part for part in (self.word, self.argument) if part) + number

    @property
    def kind(self) -> str:
        """Return the kind of the argument."""
        return FACTS[self.word].argument if self.word else BARE


class Compound(msgspec.Struct, frozen=True, tag=True):
    """Several facts or compounds: `either` holds where any of them does, otherwise all must."""

    parts: "tuple[Fact | Compound, ...]" = ()
    either: bool = False


class Statement(msgspec.Struct, frozen=True, eq=False):
    """A statement: its text, its syntax tree, and all its facts in their order. Empty, it is always true."""

    text: str = ""
    tree: Fact | Compound = Compound()
    facts: tuple[Fact, ...] = ()

    def __bool__(self) -> bool:
        """Return whether it states anything."""
        return bool(self.facts)

    @property
    def is_conjunction(self) -> bool:
        """Return whether all of its facts must be true."""
        return isinstance(self.tree, Fact) or not (
            self.tree.either or any(isinstance(part, Compound) for part in self.tree.parts)
        )


ALWAYS: Final = Statement()


def readable_statement(text: str, either: str) -> str:
    """Return a statement as a person may read it, without its signs; `either` is the word between alternatives."""
    return text.replace(" | ", f" {either} ").replace(":", " ").replace("-", " ")


@lru_cache(4096)
def parse_statement(text: str) -> Statement:
    """Return the statement of a text; StatementError for one that can't be read."""
    tokens = [token for found in _TOKEN.findall(text) if (token := found.strip())]
    if not tokens:
        return ALWAYS
    facts: list[Fact] = []
    tree = _joined(tokens, facts, negated=False)
    if tokens:
        raise StatementError(f"{tokens[0]!r} is out of place")
    return Statement(text, tree, tuple(facts))


def facts_in(text: str) -> tuple[Fact, ...]:
    """Return the facts of a statement, none where it can't be read."""
    try:
        return parse_statement(text).facts
    except StatementError:
        return ()


def _joined(tokens: list[str], facts: list[Fact], *, negated: bool, by: str = "|") -> Fact | Compound:
    """Return what stands up to the next token that joins nothing; between two `|` may stand several joined by `,`."""

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
    """Return the fact of a text; StatementError for an unknown word or subject, or a malformed argument."""
    subject, rest = "", text
    before, dot, after = text.partition(".")
    if dot and ":" not in before:
        subject, rest = before, after
        if subject not in SUBJECTS:
            raise StatementError(f"there is no subject {subject!r}{nearest_hint(subject, SUBJECTS)}")
    name, colon, argument = rest.partition(":")
    word = FACTS.get(name)
    if word is None:
        if colon or not name:
            raise StatementError(f"there is no fact {name!r}{nearest_hint(name, FACTS)}")
        return Fact("", name, 0, subject, negated)
    if not argument:
        if colon or (word.argument and not word.optional):
            raise StatementError(f"{name!r} needs a {word.argument}, as in '{name}:{word.example}'")
        return Fact(name, "", 0, subject, negated)
    if not word.argument:
        raise StatementError(f"{name!r} takes nothing behind it, {argument!r} found")
    least = ""
    if word.argument == "track":
        argument, _, least = argument.partition(":")
    number = argument if word.argument == "number" else least
    if number and not _WHOLE_NUMBER.fullmatch(number):
        raise StatementError(f"{name!r} needs a whole number, {number!r} found")
    return Fact(name, argument, int(number or 0), subject, negated)


def unknown_names(facts: Iterable[Fact], known: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield what is wrong with each argument of facts that is not among the known ids of its kind."""
    for fact in facts:
        if (
            fact.argument
            and fact.kind not in ("number", OWN_FEATURE, OWN_PHASE)
            and fact.argument not in known[fact.kind]
        ):
            like = known[fact.kind] if fact.word else known[BARE] | set(FACTS)
            yield f"there is no {fact.kind} {fact.argument!r}{nearest_hint(fact.argument, like)}"
