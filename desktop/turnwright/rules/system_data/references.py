"""The ids and statements in the fields of records, and messages about those that refer to nothing."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

import msgspec

from turnwright.encounter.data_rules import DataRule, DataRuleKind
from turnwright.encounter.field_specs import CLOSE, LIKENESS, dice_problem, fields_of_struct, nearest_hint, stated_spec
from turnwright.encounter.prepared import Feature
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.statements import Statement, StatementError, kind_text, parse_statement, unknown_names

MAX_LIKE: Final = 1_000  # limit on the names from users' files that are searched for a similar one
Path = tuple[str | int, ...]
Named = tuple[Path, str, str]  # a text's place in a record, the kind of its id, and the text
STATEMENT: Final = "statement"
# The kind of ids in the `what` of each kind of data rule. The default is a roll.
WHAT_IDS: Final[Mapping[DataRuleKind, str]] = {
    **dict.fromkeys(get_args(DataRuleKind), "roll"),
    "modifier": "number or roll",
    "resource": "resource",
    "deny": "what can be denied",
    "damage": "damage type or all",
    "unprovoking": "mode or move",
    "senses": "hindrance of sight",
    "terrain": "kind of ground",
    "at-zero": "outcome at zero",
    "duration": "end of an effect",
    "grant": "condition",
    "note": "subject of a note",
}  # fmt: skip
NOT_IN_FEATURES: Final = frozenset({"grant", "note"})
FOREIGN: Final = "foreign "  # in converted environments, prefix for the kind of an id from another game
# Any word is allowed for these kinds. Only words very similar to a known one are reported.
LOOSE: Final = frozenset({
    "gear", "specialty", "property", "suspension", "tag", "kind of ground", "hindrance of sight", "threat",
    "waiving table rule",
})  # fmt: skip
_SHIPPED: Final = frozenset({"word", "rule", "icon"})
_WITHOUT_RESOURCE: Final = frozenset({"trait", "free", "legendary", "lair", "none"})  # costs without a resource
_PLURALS: Final = {"conditions": "condition", "damage-types": "listed damage type"}
_KINDS: Final = frozenset({
    "ability", "action", "check", "condition", "damage type", "dice", "gear", "hit dice", "resource", "size", "skill", "speed",
    "spell", "table rule", "track", *_PLURALS.values(),
})  # fmt: skip
ICON_PREFIX: Final = "mdi6."  # may be omitted
FEATURE_RULE: Final = "rule of a feature"
_DAMAGE_TYPE: Final = re.compile(r"[a-z][a-z-]*")
_WORD_KEY: Final = re.compile(r"[a-z]+\.[a-z_]+")
_DIE_BEHIND: Final = re.compile(r"-d[0-9]+$")
_DIE: Final = re.compile(r"[0-9]*d[0-9]+[a-z0-9]*")


@cache
def kinds_in(struct: type[msgspec.Struct]) -> Mapping[str, tuple[str, ...]]:
    """Return the kinds of ids for each field that contains ids: one kind, or one for each side of its pairs."""
    return {field.name: kinds for field in fields_of_struct(struct) if (kinds := _kinds_of(field.type))}


def _kinds_of(annotation: Any) -> tuple[str, ...]:
    if Statement in (annotation, *get_args(annotation)):
        return (STATEMENT,)
    spec = stated_spec(annotation)
    kind = _PLURALS.get(spec.kind, spec.kind).replace("-", " ")
    return spec.ids or ((kind,) if kind in _KINDS else ())


def ids_in(record: msgspec.Struct) -> Iterator[Named]:
    """Yield every id and statement in a record, including those in nested records."""
    yield from own_ids(record)
    for field in record.__struct_fields__:
        value = getattr(record, field)
        if isinstance(value, msgspec.Struct) and not isinstance(value, Statement):
            yield from _under((field,), value)
        elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
            for index, item in enumerate(value):
                yield from _under((field, getattr(item, "id", index)), item)


def own_ids(record: msgspec.Struct) -> Iterator[Named]:
    """Yield the ids and statements in the fields of a record, except those in nested records."""
    for field, kinds in kinds_in(type(record)).items():
        if value := getattr(record, field):
            yield from _texts_in((field,), kinds, value)
    if isinstance(record, Feature):
        yield from ((("rules", index, "kind"), FEATURE_RULE, rule.kind) for index, rule in enumerate(record.rules))
    if isinstance(record, DataRule):
        yield ("what",), WHAT_IDS[record.kind], record.what


def _under(path: Path, record: msgspec.Struct) -> Iterator[Named]:
    yield from (((*path, *inner), kind, text) for inner, kind, text in ids_in(record))


def _texts_in(path: Path, kinds: tuple[str, ...], value: Any) -> Iterator[Named]:
    """Yield the texts in a value: a single text, the items of a list, or the sides of pairs."""
    if isinstance(value, str | Statement):
        yield path, kinds[0], value if isinstance(value, str) else value.text
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if isinstance(item, str | Statement):
                yield from _texts_in((*path, index), kinds, item)
            else:
                for kind, side in zip(kinds, item, strict=False):
                    yield from _texts_in((*path, item[0]), (kind,), side)


def problems(kind: str, text: str, known: KnownIds) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, the id and a message for each unknown name in a text of this kind."""
    if kind == STATEMENT:
        try:
            yield from ((kind, text, message) for message in unknown_names(parse_statement(text).facts, known))
        except StatementError as error:
            yield kind, text, str(error)
        return
    if kind == FEATURE_RULE:
        if text in NOT_IN_FEATURES:
            yield kind, text, f"a rule of the kind {text!r} does nothing in a feature"
        return
    if kind == "text" and _WORD_KEY.fullmatch(text):
        kind = "word"
    if kind in ("dice", "hit dice") and text and (wrong := dice_problem(text)):
        yield kind, text, wrong
    if kind == "reduction":
        if text != "half" and (wrong := dice_problem(text)):
            yield kind, text, f"must be 'half' or dice: {wrong}"
        return
    for part_kind, id in parts_of(kind, text):
        if id and part_kind in known and not is_known(id, known[part_kind]):
            loose = part_kind in LOOSE or part_kind.startswith(FOREIGN)
            likeness = CLOSE if loose else LIKENESS
            hint = (
                nearest_hint(id, known[part_kind], likeness)
                if part_kind in _SHIPPED or len(known[part_kind]) <= MAX_LIKE
                else ""
            )
            if hint or not loose:
                kind_name = "damage type" if part_kind in ("resistance", "listed damage type") else part_kind
                yield kind_name, id, f"unknown {kind_text(kind_name)} {id!r}{hint}"


def is_known(id: str, ids: Collection[str]) -> bool:
    """Return whether an id is one of `ids`. A `*` in them matches one word, as in the topic `move.*-speed`."""
    return id in ids or any(
        re.fullmatch(re.escape(pattern).replace(r"\*", r"[^.]+"), id)
        for pattern in ids
        if "." in pattern and "*" in pattern
    )


def parts_of(kind: str, text: str) -> Iterator[tuple[str, str]]:
    """Split a text into the ids it contains, each with its kind."""
    before, _, after = text.partition(":")
    if kind == "check":
        yield "ability", before.removeprefix("save.")
        yield "skill", after
    elif kind == "foreign check":
        yield "foreign ability", before
        yield "foreign skill", after
    elif kind in ("roll", "number or roll") and "." in before:
        roll, _, ability = before.partition(".")
        yield kind, roll
        yield {"passive": "skill", "speed": "speed"}.get(roll, "ability"), "" if text == "save.death" else ability
        yield "skill", after
    elif kind == "opposed number":
        number, _, rest = text.partition(".")
        yield "opposed number", number
        yield from parts_of({"dc": "roll", "score": "ability"}.get(number, "skill"), rest)
    elif kind == "dice":
        yield from (("listed damage type", word) for word in damage_types_in(text))
    elif kind in ("resistance", "listed damage type"):
        name, _, amount = text.rpartition(" ")
        has_amount = bool(name) and amount.isdigit()
        yield kind if has_amount and kind == "resistance" else "listed damage type", name if has_amount else text
    elif kind == "property":
        yield kind, _DIE_BEHIND.sub("", text)
    elif kind == "icon":
        yield kind, f"{ICON_PREFIX}{text.removeprefix(ICON_PREFIX)}"
    elif kind == "switch of a table rule":
        yield "table rule", text.removeprefix("not ")
    elif kind == "field of a creature" and text.startswith("skill."):
        yield "skill", text.removeprefix("skill.")
    elif kind != "resource" or text not in _WITHOUT_RESOURCE:
        yield kind, text


def damage_types_in(dice: str) -> Iterator[str]:
    """Yield the damage types that a dice expression names."""
    yield from _DAMAGE_TYPE.findall(_DIE.sub(" ", dice))
