"""Rolls a `RollSpec` or expression with random or scripted faces. The `Roll` records every die and reason.

Each roll is prepared once as a cached plan. Rolling it again only draws faces and adds them up. Sources can be restored
from plain numbers: the n-th face of the random source never changes. The dice are therefore part of a fight's state,
and redo gives the same faces.
"""

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import ClassVar, Final, NamedTuple, Protocol

import msgspec

from turnwright.dice.expression import (
    DiceError,
    DiceTerm,
    Die,
    Edge,
    EdgeKind,
    Expression,
    ExtraDice,
    FlatTerm,
    Modifier,
    NetEdge,
    Origin,
    OutOfDice,
    Roll,
    RollPart,
    RollSpec,
    Term,
    add_up_edges,
    cancel_edges,
    format_terms,
    lone_d20,
    parse,
    parts_of,
    with_edge,
)

_WORDS: Final = struct.Struct("<32H")
_SPAN: Final = 1 << 16
_SEED_BITS: Final = (1 << 64) - 1


class FaceSource(Protocol):
    """A source of faces. `origin` is recorded in the rolls made with it."""

    origin: ClassVar[Origin]

    def face(self, sides: int) -> int:
        """Return the next face, from 1 to `sides`. Raise OutOfDice if there is none."""
        ...


class RandomFaces:
    """Random faces that only depend on `seed` and `counter`. Each face drawn increments `counter`.

    Any whole number can be a seed, but only its lowest 64 bits matter. The faces are the same on all machines.
    """

    __slots__ = ("_block", "_words", "counter", "seed")
    origin: ClassVar[Origin] = "random"

    def __init__(self, seed: int, counter: int = 0) -> None:
        self.seed = seed & _SEED_BITS
        self.counter = counter
        self._block = -1
        self._words: tuple[int, ...] = ()

    def face(self, sides: int) -> int:
        """Return the face at `counter`. All faces have the same probability. `sides` is from 1 to 65,536."""
        at = self.counter
        self.counter = at + 1
        if at >> 5 != self._block:
            self._block = at >> 5
            self._words = _words(self.seed, self._block)
        word = self._words[at & 31]
        face = word % sides
        return _another(self.seed, at, sides) if word - face > _SPAN - sides else face + 1


def _words(seed: int, block: int, attempt: int = 0) -> tuple[int, ...]:
    """Return the 32 16-bit words of a block: a hash of its seed, number and attempt."""
    return _WORDS.unpack(blake2b(b"%d %d %d" % (seed, block, attempt)).digest())


def _another(seed: int, at: int, sides: int) -> int:
    """Return another face if a word is so high that low faces would be more likely."""
    for attempt in count(1):
        word = _words(seed, at >> 5, attempt)[at & 31]
        face = word % sides
        if word - face <= _SPAN - sides:
            break
    return face + 1


class ScriptedFaces:
    """Prepared faces, which are drawn in order. `used` is the number of faces drawn."""

    __slots__ = ("faces", "used")
    origin: ClassVar[Origin] = "scripted"

    def __init__(self, faces: Sequence[int], used: int = 0) -> None:
        self.faces = faces
        self.used = used

    def face(self, sides: int) -> int:
        """Return the next face.

        Raise OutOfDice if all are used, or DiceError, without drawing the face, if the die has no such face.
        """
        if self.used >= len(self.faces):
            message = "No prepared dice are left."
            raise OutOfDice(message)
        face = self.faces[self.used]
        if not 1 <= face <= sides:
            message = f"The next prepared face is {face}, but the next die is a d{sides}."
            raise DiceError(
                message, " ".join(map(str, self.faces)), sum(len(f"{earlier} ") for earlier in self.faces[: self.used])
            )
        self.used += 1
        return face


AS_WRITTEN = "as written"
AGAIN: Final = "rolled again"


class Throw(NamedTuple):
    """Dice rolled together: the sides of each die, and functions that return a kept or dropped die with a face."""

    dice: tuple[int, ...]
    kept: int
    highest: bool
    sign: int
    part: int
    natural: bool
    stays: Callable[[int], Die]
    drops: Callable[[int], Die] | None


class RollPlan(msgspec.Struct, frozen=True):
    """All properties of a roll that are known before dice are rolled.

    `flats`, `kinds` and `counts` are indexed by part. `again`: a d20 with this face or less is rolled once more, or with a
    negative number, lower faces count as this number.
    """

    throws: tuple[Throw, ...]
    flats: tuple[int, ...]
    kinds: tuple[str, ...]
    counts: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    edges: tuple[Edge, ...]
    text: str
    again: int = 0


def roll(spec: RollSpec | Expression | str, faces: FaceSource, doubled: bool = False) -> Roll:
    """Roll a spec and record every die and reason. `doubled` rolls every die twice. Raise DiceError or OutOfDice.

    A modifier or extra die without a type joins the first damage type. Any number of advantages and disadvantages
    cancel each other.
    """
    plan = _plan(spec, doubled) if isinstance(spec, str) else plan_roll(spec, doubled=doubled)
    if isinstance(spec, RollSpec) and not spec.dice:
        raise DiceError("These rules don't set dice for this roll. Type the result.", "", 0)
    return _throw(plan, faces)


def plan_roll(spec: RollSpec | Expression | str, *, doubled: bool = False) -> RollPlan:
    """Return the plan for rolling `spec`. Raise DiceError if it is invalid."""
    if isinstance(spec, str | Expression):
        return _plan(spec, doubled)
    doubled = doubled or spec.doubled
    if not spec.dice:
        return RollPlan((), (0,), ("",), (0,), spec.modifiers, spec.edges, "")
    if spec.again:
        return msgspec.structs.replace(plan_roll(msgspec.structs.replace(spec, again=0)), again=spec.again)
    if not (spec.modifiers or spec.edges or spec.extra):
        return _plan(spec.dice, doubled)
    bonus = sum(modifier.value for modifier in spec.modifiers)
    plan = _plan(spec.dice, doubled, bonus, tuple(edge.kind for edge in spec.edges), spec.extra, spec.counted)
    return msgspec.structs.replace(plan, modifiers=plan.modifiers + spec.modifiers, edges=plan.edges + spec.edges)


def _throw(plan: RollPlan, faces: FaceSource) -> Roll:
    face = faces.face
    totals = list(plan.flats)
    fallen: list[Die] = []
    natural = None
    for dice, kept, highest, sign, part, is_natural, stays, drops in plan.throws:
        rolled = list(map(face, dice))
        if is_natural and plan.again:
            fallen += [Die(dice[0], shown, kept=False, why=AGAIN) for shown in rolled if shown <= plan.again]
            rolled = [face(dice[0]) if shown <= plan.again else max(shown, -plan.again) for shown in rolled]
        if drops is None:
            subtotal = sum(rolled)
            fallen += map(stays, rolled)
        else:
            subtotal = 0
            thrown = list(map(drops, rolled))
            for at in sorted(range(len(rolled)), key=rolled.__getitem__, reverse=highest)[:kept]:
                subtotal += rolled[at]
                thrown[at] = stays(rolled[at])
            fallen += thrown
        if is_natural:
            natural = subtotal
        totals[part] += sign * subtotal
    origin = faces.origin if fallen else "fixed"
    if len(totals) == 1:
        total = totals[0]
        parts: tuple[RollPart, ...] = (RollPart(total, plan.kinds[0], plan.counts[0]),)
    else:
        total = sum(totals)
        parts = tuple(map(RollPart, totals, plan.kinds, plan.counts))
    return Roll(tuple(fallen), plan.modifiers, parts, plan.edges, total, natural, plan.text, origin)


@lru_cache(maxsize=1024)
def _plan(
    spec: Expression | str,
    doubled: bool,
    bonus: int = 0,
    edges: tuple[EdgeKind, ...] = (),
    extra: tuple[ExtraDice, ...] = (),
    adds_up: bool = False,
) -> RollPlan:
    expression = parse(spec) if isinstance(spec, str) else spec
    if doubled:
        expression = expression.doubled()
    kinds_of_edge = expression.edges + edges
    net, times = add_up_edges(kinds_of_edge) if adds_up else (cancel_edges(kinds_of_edge), 1)
    terms = with_edge(expression, net, times)
    natural = lone_d20(terms)
    reasons = [""] * len(terms)
    first = terms[0].kind
    for added in extra:
        further = parse(added.dice).doubled() if doubled else parse(added.dice)
        more = [_typed(term, first) for term in with_edge(further, cancel_edges(further.edges))]
        terms = (*terms, *more)
        reasons += [added.reason] * len(more)
    parts = parts_of((*terms, FlatTerm(bonus, first)))
    kinds = tuple(part.kind for part in parts)
    throws = tuple(
        _layout(term, kinds.index(term.kind), reason, natural=at == natural)
        for at, (term, reason) in enumerate(zip(terms, reasons, strict=True))
        if isinstance(term, DiceTerm)
    )
    return RollPlan(
        throws,
        tuple(part.flat for part in parts),
        kinds,
        tuple(part.dice for part in parts),
        tuple(
            Modifier(term.value, reason or AS_WRITTEN)
            for term, reason in zip(terms, reasons, strict=True)
            if isinstance(term, FlatTerm)
        ),
        tuple(Edge(kind, AS_WRITTEN) for kind in expression.edges),
        _written(expression.terms + terms[len(expression.terms) :], bonus, net),
    )


def _layout(term: DiceTerm, part: int, reason: str, *, natural: bool) -> Throw:
    stays = _every_face(term.sides, term.sign, kept=True, why=reason)
    drops = None
    if term.kept < term.count:
        drops = _every_face(term.sides, term.sign, kept=False, why=reason or term.why)
    return Throw((term.sides,) * term.count, term.kept, term.highest, term.sign, part, natural, stays, drops)


@lru_cache(maxsize=256)
def _every_face(sides: int, sign: int, *, kept: bool, why: str) -> Callable[[int], Die]:
    return {face: Die(sides, face, kept, why, sign) for face in range(1, sides + 1)}.__getitem__


def _typed(term: Term, kind: str) -> Term:
    return term if term.kind else msgspec.structs.replace(term, kind=kind)


def _written(terms: tuple[Term, ...], bonus: int, net: NetEdge) -> str:
    """Return the roll's text, with the bonus next to the terms of the first damage type."""
    first = terms[0].kind
    at = next((at for at, term in enumerate(terms) if term.kind != first), len(terms))
    added = (FlatTerm(bonus, first),) if bonus else ()
    return format_terms((*terms[:at], *added, *terms[at:]), (net,) if net else ())
