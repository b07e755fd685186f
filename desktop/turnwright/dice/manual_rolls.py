"""Results of dice rolled by hand: parses the text entered for a roll into a `Roll`.

Valid entries are a total, `20!` for the natural face of a d20, `27 20!` for both, `?` for unknown dice, or the single
faces. A bonus, such as `+1d4`, is added to a roll that Turnwright makes.
"""

import re
from typing import Final

import msgspec

from turnwright.dice.expression import DiceError, Die, Expression, ExtraDice, Modifier, Roll, RollPart, RollSpec, parse
from turnwright.dice.rolling import RollPlan, plan_roll

BY_HAND: Final = "why.narrator"  # the reason for a bonus entered by hand
_NATURAL: Final = re.compile(r"\s*([0-9]{1,3})\s*!\s*")
_BOTH: Final = re.compile(r"\s*(-?[0-9]{1,6})\s+([0-9]{1,3})\s*!\s*")
_UNKNOWN: Final = frozenset({"?", "unknown"})


def parse_result(text: str, spec: RollSpec | Expression | str) -> Roll:
    """Parse the result entered for `spec`: `17`, `20!`, `27 20!`, `6 slashing + 8 fire` or `?`.

    Raise DiceError if it is invalid. A face alone also determines the total, unless other dice are added to the d20.
    """
    plan = plan_roll(spec)
    if text.strip().lower() in _UNKNOWN:
        return Roll(modifiers=plan.modifiers, edges=plan.edges, text=plan.text, origin="typed")
    natural = _NATURAL.fullmatch(text)
    if natural:
        return _natural(int(natural[1]), plan, text)
    both = _BOTH.fullmatch(text)
    if both:
        face, total = _natural(int(both[2]), plan, text), _total(both[1], plan)
        return msgspec.structs.replace(total, dice=face.dice, natural=face.natural)
    return _total(text, plan)


def with_typed_bonus(text: str, spec: RollSpec) -> RollSpec | None:
    """Return a roll with the bonus entered instead of a result (`+2`, `+1d4`), or None if the text isn't a bonus.

    Raise DiceError if the bonus is invalid.
    """
    if not text.strip().startswith("+") or not text.strip("+ "):
        return None
    bonus = typed_bonus(text)
    if isinstance(bonus, Modifier):
        return msgspec.structs.replace(spec, modifiers=(*spec.modifiers, bonus))
    return msgspec.structs.replace(spec, extra=(*spec.extra, bonus))


def typed_bonus(text: str) -> Modifier | ExtraDice:
    """Parse a bonus or penalty, such as `2`, `+1d4` or `-1`. Raise DiceError if it is invalid."""
    bonus = text.strip().removeprefix("+").strip()
    if bonus.removeprefix("-").isdecimal():
        return Modifier(int(bonus), BY_HAND)
    extra = ExtraDice(bonus, BY_HAND)
    plan_roll(RollSpec(extra=(extra,)))
    return extra


def parse_faces(text: str, spec: RollSpec | Expression | str) -> Roll:
    """Parse the faces entered for a roll that keeps all its dice, such as `6 5 6 1` for 4d6.

    Raise DiceError if they are invalid.
    """
    plan = plan_roll(spec)
    if len(plan.throws) != 1 or plan.throws[0].drops:
        message = "Single faces can be typed only if all dice have the same size and all count."
        raise DiceError(message, text, 0)
    count, sides, sign = len(plan.throws[0].dice), plan.throws[0].dice[0], plan.throws[0].sign
    entries = list(re.finditer(r"[^\s,;]+", text))
    for face in entries:
        if not re.fullmatch(r"[0-9]{1,4}", face[0]) or not 1 <= int(face[0]) <= sides:
            message = f"“{face[0]}” isn't a face of a d{sides}."
            raise DiceError(message, text, face.start())
    if len(entries) != count:
        message = f"Type {count} {'face' if count == 1 else 'faces'}, not {len(entries)}."
        raise DiceError(message, text, len(text))
    faces = [int(face[0]) for face in entries]
    return Roll(
        tuple(Die(sides, face, sign=sign) for face in faces),
        plan.modifiers,
        (RollPart(plan.flats[0] + sign * sum(faces), plan.kinds[0], count),),
        plan.edges,
        plan.flats[0] + sign * sum(faces),
        faces[0] if plan.throws[0].natural else None,
        plan.text,
        "typed",
    )


def _natural(face: int, plan: RollPlan, text: str) -> Roll:
    throw = next((throw for throw in plan.throws if throw.natural), None)
    if throw is None:
        message = "Only the face of a d20 can be typed with !. Type the total of this roll."
        raise DiceError(message, text, 0)
    if not 1 <= face <= throw.dice[0]:
        message = f"A d{throw.dice[0]} shows 1 to {throw.dice[0]}, not {face}."
        raise DiceError(message, text, 0)
    alone = len(plan.throws) == 1
    totals = [flat + face * (at == throw.part) for at, flat in enumerate(plan.flats)]
    return Roll(
        dice=(Die(throw.dice[0], face),),
        modifiers=plan.modifiers,
        parts=tuple(map(RollPart, totals, plan.kinds, plan.counts)) if alone else (),
        edges=plan.edges,
        total=sum(totals) if alone else None,
        natural=face,
        text=plan.text,
        origin="typed",
    )


def _total(text: str, plan: RollPlan) -> Roll:
    entered = _constant(text)
    counts = dict(zip(plan.kinds, plan.counts, strict=True))
    if entered.parts[0].kind:
        parts = tuple(RollPart(part.minimum, part.kind, counts.get(part.kind, 0)) for part in entered.parts)
    elif len(plan.kinds) == 1:
        parts = (RollPart(entered.minimum, plan.kinds[0], plan.counts[0]),)
    else:
        example = " + ".join(f"{number} {kind}" for number, kind in zip((6, 8, 5, 3), plan.kinds, strict=False))
        raise DiceError(f"Type the damage of each type, as in {example}.", text, 0)
    return Roll(
        modifiers=plan.modifiers, parts=parts, edges=plan.edges, total=entered.minimum, text=plan.text, origin="typed"
    )


def _constant(text: str) -> Expression:
    if not text.strip():
        message = "Type the total, 20! for a natural 20, or ? if the dice are unknown."
        raise DiceError(message, text, 0)
    entered = parse(text)
    if not entered.is_constant:
        message = "Type the result of the dice, such as 17."
        raise DiceError(message, text, 0)
    return entered
