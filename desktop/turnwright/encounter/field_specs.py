"""Specifications of the fields of records and commands: kind, limits and choices, stated once as annotations.

Bounds checks, file readers, forms and random tests all use them and have no limits or lists of their own. The checks
prevent unplayable records due to damaged files or typing mistakes, and hints suggest the known name closest to an
unknown one.
"""

import types
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from turnwright.dice.expression import DiceError, parse

INT64_MIN = -(2**63)
UINT64_MAX = 2**64 - 1
MAX_NUMBER = 1_000_000

Kind = Literal[
    "", "ability", "action", "check", "choice", "combatant", "combatants", "condition", "conditions", "countdown",
    "creature", "damage-type", "damage-types", "dice", "door", "effect", "entry", "environment", "environments", "facts",
    "feature", "flag", "gear", "hit-dice", "number", "numbers", "places", "pool", "prose", "record",
    "records", "resource", "roster", "side", "size", "skill", "slot", "snapshot", "speed", "spell", "square", "squares", "stat",
    "table-rule", "text", "texts", "track", "wave", "word",
]  # fmt: skip


class FieldSpec(msgspec.Struct, frozen=True):
    """The specification of a field. As an annotation, it only states what the field's type doesn't.

    `least` and `most` limit a number, or each of several named numbers. `allows_zero` also allows 0. With
    `zero_is_none`, 0 means that the number isn't given. `unit` is the word key of its unit. `ids` are the kinds of ids
    in its texts, or in both parts of its pairs, if the kind doesn't determine them. `options` are the values of a
    choice. `optional`: None is allowed. `required`: there is no default. `label` is the key of its caption, such as
    `creature.hit-dice`, and `group` is its section in a form.
    """

    name: str = ""
    kind: Kind = ""
    ids: tuple[str, ...] = ()
    least: int = INT64_MIN
    most: int = UINT64_MAX
    allows_zero: bool = False
    zero_is_none: bool = False
    unit: str = ""
    options: tuple[str, ...] = ()
    optional: bool = False
    required: bool = False
    default: Any = None
    label: str = ""
    group: str = ""

    @property
    def is_limited(self) -> bool:
        """Whether the annotation has limits for a number."""
        return (self.least, self.most) != (INT64_MIN, UINT64_MAX)

    def nearest(self, value: int) -> int:
        """Return the allowed number closest to a number."""
        return min(max(value, self.least), self.most)

    def problem(self, value: int | tuple[tuple[str, int], ...]) -> str:
        """Return the reason why a whole number or one of several named numbers isn't allowed, or an empty string."""
        if not isinstance(value, int):
            return next((wrong for _, number in value if (wrong := self.problem(number))), "")
        if self.least <= value <= self.most or (self.allows_zero and value == 0):
            return ""
        if self.most in (UINT64_MAX, MAX_NUMBER) and value < self.least:
            return f"must be at least {self.least}, not {value}"
        return f"must be {'0 or ' if self.allows_zero else ''}from {self.least} to {self.most}, not {value}"


Natural = Annotated[int, FieldSpec(least=0, most=MAX_NUMBER)]
Positive = Annotated[int, FieldSpec(least=1, most=MAX_NUMBER)]
PositiveOrNone = Annotated[int, FieldSpec(least=0, most=MAX_NUMBER, zero_is_none=True)]
Signed = Annotated[int, FieldSpec(least=-MAX_NUMBER, most=MAX_NUMBER)]
Feet = Annotated[int, FieldSpec(least=0, most=MAX_NUMBER, unit="feet")]
FeetOrNone = Annotated[int, FieldSpec(least=0, most=MAX_NUMBER, zero_is_none=True, unit="feet")]
SignedFeet = Annotated[int, FieldSpec(least=-MAX_NUMBER, most=MAX_NUMBER, unit="feet")]
Hundred = Annotated[int, FieldSpec(least=0, most=100)]
HundredOrNone = Annotated[int, FieldSpec(least=0, most=100, zero_is_none=True)]
Bonus = Annotated[int, FieldSpec(least=-1000, most=1000)]
SpellLevel = Annotated[int, FieldSpec(least=0, most=20)]
Dc = Annotated[int, FieldSpec(least=0, most=100, zero_is_none=True)]
Recharge = Annotated[int, FieldSpec(least=2, most=6, allows_zero=True, zero_is_none=True)]
DiceText = Annotated[str, FieldSpec(kind="dice")]
Prose = Annotated[str, FieldSpec(kind="prose")]
AbilityId = Annotated[str, FieldSpec(kind="ability")]
ActionId = Annotated[str, FieldSpec(kind="action")]
CheckId = Annotated[str, FieldSpec(kind="check")]
CombatantId = Annotated[str, FieldSpec(kind="combatant")]
CombatantIds = Annotated[tuple[str, ...], FieldSpec(kind="combatants")]
ConditionId = Annotated[str, FieldSpec(kind="condition")]
ConditionIds = Annotated[tuple[str, ...], FieldSpec(kind="conditions")]
CountdownId = Annotated[str, FieldSpec(kind="countdown")]
CreatureId = Annotated[str, FieldSpec(kind="creature")]
DamageTypeId = Annotated[str, FieldSpec(kind="damage-type")]
DamageTypeIds = Annotated[tuple[str, ...], FieldSpec(kind="damage-types")]
DoorId = Annotated[str, FieldSpec(kind="door")]
EffectId = Annotated[str, FieldSpec(kind="effect")]
EntryId = Annotated[str, FieldSpec(kind="entry")]
EnvironmentId = Annotated[str, FieldSpec(kind="environment")]
EnvironmentIds = Annotated[tuple[str, ...], FieldSpec(kind="environments")]
Facts = Annotated[tuple[str, ...], FieldSpec(kind="facts")]
FeatureId = Annotated[str, FieldSpec(kind="feature")]
GearIds = Annotated[tuple[str, ...], FieldSpec(kind="gear")]
Places = Annotated[tuple[tuple[str, str], ...], FieldSpec(kind="places")]
PoolId = Annotated[str, FieldSpec(kind="pool")]
ResourceId = Annotated[str, FieldSpec(kind="resource")]
RosterId = Annotated[str, FieldSpec(kind="roster")]
Side = Annotated[str, FieldSpec(kind="side")]
SizeId = Annotated[str, FieldSpec(kind="size")]
SkillId = Annotated[str, FieldSpec(kind="skill")]
SlotId = Annotated[str, FieldSpec(kind="slot")]
SnapshotId = Annotated[str, FieldSpec(kind="snapshot")]
SpeedId = Annotated[str, FieldSpec(kind="speed")]
SpellId = Annotated[str, FieldSpec(kind="spell")]
StatName = Annotated[str, FieldSpec(kind="stat")]
TableRuleId = Annotated[str, FieldSpec(kind="table-rule")]
TrackName = Annotated[str, FieldSpec(kind="track")]
WaveId = Annotated[str, FieldSpec(kind="wave")]
WordKey = Annotated[str, FieldSpec(kind="word")]

_BARE = FieldSpec()
_PLAIN_KINDS: dict[Any, Kind] = {bool: "flag", int: "number", float: "number", str: "text"}


@cache
def fields_of_struct(struct: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a struct with their types. The result is cached, because the lookup is slow."""
    return msgspec.structs.fields(struct)


@cache
def specs_of(struct: type[msgspec.Struct]) -> tuple[FieldSpec, ...]:
    """Return the specs of a struct's fields, in order."""
    return tuple(_spec(struct, field) for field in fields_of_struct(struct))


@cache
def specs_by_name(struct: type[msgspec.Struct]) -> dict[str, FieldSpec]:
    """Return the specs of a struct's fields, keyed by field name."""
    return {spec.name: spec for spec in specs_of(struct)}


def spec_of(struct: type[msgspec.Struct], name: str) -> FieldSpec:
    """Return the spec of a field by name. Raise KeyError if the struct has no such field."""
    return specs_by_name(struct)[name]


def bare_type(annotation: Any) -> Any:
    """Return an annotation without its spec."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _spec(struct: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> FieldSpec:
    members = get_args(field.type) if get_origin(field.type) in (Union, types.UnionType) else (field.type,)
    member_types = [member for member in members if member is not type(None)]
    stated = stated_spec(member_types[0])
    default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
    record = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in struct.__name__).lstrip("-")
    return msgspec.structs.replace(
        stated,
        name=field.name,
        kind=stated.kind or _kind(member_types),
        options=stated.options or _options(member_types[0]),
        optional=len(member_types) < len(members),
        required=default is msgspec.NODEFAULT,
        default=None if default is msgspec.NODEFAULT else default,
        label=stated.label or f"{record}.{field.name.replace('_', '-')}",
    )


def stated_spec(annotation: Any) -> FieldSpec:
    """Return the spec in an annotation, or an empty spec."""
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((spec for spec in reversed(metadata) if isinstance(spec, FieldSpec)), _BARE)


def _options(annotation: Any) -> tuple[str, ...]:
    inner = bare_type(annotation)
    return get_args(inner) if get_origin(inner) is Literal else ()


def _kind(members: list[Any]) -> Kind:
    inner = bare_type(members[0])
    if get_origin(inner) is Literal:
        return "choice"
    if get_origin(inner) is tuple:
        return _tuple_kind(get_args(inner))
    if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        return "record"
    return _PLAIN_KINDS.get(inner, "")


def _tuple_kind(members: tuple[Any, ...]) -> Kind:
    if members == (int, int):
        return "square"
    if len(members) != 2 or members[1] is not Ellipsis:
        return ""
    inner = bare_type(members[0])
    if inner is str:
        return "texts"
    if get_origin(inner) is tuple:
        return {(str, int): "numbers", (int, int): "squares"}.get(get_args(inner), "")  # type: ignore[return-value]
    parts = get_args(inner) if get_origin(inner) in (Union, types.UnionType) else (inner,)
    return "records" if all(isinstance(part, type) and issubclass(part, msgspec.Struct) for part in parts) else ""


MAX_BYTES = 8_000_000
MAX_LINES = 100_000
MAX_TEXT = 200_000
MAX_ITEMS = 10_000
MAX_COMBATANTS = 1_000
ANY = FieldSpec()


def problem_in(record: msgspec.Struct, before: msgspec.Struct | None = None) -> tuple[str, str]:
    """Return the name of a record's first invalid field, including fields of nested records, and its problem.

    `before` is the record being replaced. Fields and items that haven't changed and default values aren't checked.
    """
    for spec in specs_of(type(record)):
        value, old = getattr(record, spec.name), getattr(before, spec.name, None)
        if value is spec.default or (before is not None and value is old):
            continue
        if isinstance(value, tuple) and isinstance(old, tuple) and len(value) <= MAX_ITEMS:
            known = {id(item) for item in old}
            value = tuple(item for item in value if id(item) not in known)
        problem = _problem(spec, value)
        if problem[1]:
            return problem
    return "", ""


def _problem(spec: FieldSpec, value: object) -> tuple[str, str]:
    if isinstance(value, int):
        return spec.name, spec.problem(value)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            return spec.name, f"longer than {MAX_TEXT:,} characters"
        return spec.name, dice_problem(value) if value and spec.kind == "dice" else ""
    if isinstance(value, msgspec.Struct):
        return problem_in(value)
    if isinstance(value, tuple) and len(value) > MAX_ITEMS:
        return spec.name, f"more than {MAX_ITEMS:,} entries"
    items = value if isinstance(value, tuple) else ()
    return next((problem for item in items if (problem := _problem(spec, item))[1]), (spec.name, ""))


@lru_cache(maxsize=2048)  # many records have the same dice
def dice_problem(text: str) -> str:
    """Return the error in a dice expression, or an empty string if it is valid."""
    try:
        parse(text)
    except DiceError as error:
        return f"not a dice expression such as 2d6+3 fire: {error}"
    return ""


LIKENESS: Final = 0.65  # similarity of a short name and the same name without one letter
CLOSE: Final = 0.85  # names this similar probably mean the same


def nearest_hint(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """Return a hint with the known name closest to an unknown one, ignoring case, or an empty string."""
    by_folded = {candidate.casefold(): candidate for candidate in sorted(known)}
    folded = name.casefold()
    matches = [each for each in by_folded if len(each) == len(folded) and sorted(each) == sorted(folded)]
    similar = [candidate for candidate in by_folded if _likeness_at_most(candidate, folded) >= likeness]
    if similar and not matches:
        from difflib import get_close_matches  # only loaded after a typing mistake

        matches = get_close_matches(folded, similar, 1, likeness)
    return "".join(f" (did you mean {by_folded[candidate]!r}?)" for candidate in matches[:1])


def _likeness_at_most(one: str, other: str) -> float:
    """Return an upper limit of the similarity of two names, based on the letters they share in any order."""
    return 2 * (Counter(one) & Counter(other)).total() / max(1, len(one) + len(other))
