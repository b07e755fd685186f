"""Reads the values in a script's statements: numbers, names of records, lists, squares and so on.

If a name exists in neither the encounter nor the rule system, the error suggests the most similar name.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, get_args

import msgspec

from turnwright.cli.script import arguments
from turnwright.cli.script.lexer import (
    MissingWordError,
    ScriptError,
    UnknownWordError,
    WordReader,
    unknown_name,
    whole_number,
)
from turnwright.cli.script.resolve import NameResolver, resolve_name
from turnwright.dice.expression import DiceError
from turnwright.encounter import prepared, running
from turnwright.encounter.field_specs import FieldSpec, nearest_hint
from turnwright.play.actions import contest, use_feature
from turnwright.play.actions.action import ITEM, OTHER_ITEM
from turnwright.play.attacks.save_effect import PLANTS
from turnwright.play.damage.damage_roll import damage_types_in
from turnwright.play.state.action_economy import MOVED
from turnwright.rules.parts.actions import action_options, spell_features
from turnwright.rules.parts.combatants.facts import LEVEL
from turnwright.rules.parts.damage.damage_steps import FAILURES, SUCCESSES
from turnwright.rules.parts.economy.limited_uses import all_uses, cost_key
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.statements import FACTS, StatementError, parse_statement, unknown_names

_SQUARE = re.compile(r"(-?\d+),(-?\d+)(?:@(-?\d+))?")
MOST_ACROSS = 500
_RESULT = re.compile(r"[\d\s!?+-]+")


class LineSoFar:
    """A partly read line: its words, the values read so far, and the current argument."""

    argument: arguments.Argument

    def __init__(self, read: WordReader, names: NameResolver) -> None:
        self.read, self.names = read, names
        self.values: dict[str, Any] = {}

    @property
    def who(self) -> str:
        """The combatant that the statement is about, or the first of several."""
        who: str | tuple[str, ...] = self.values["who"]
        return who if isinstance(who, str) else who[0]


WordValue = Callable[[str, LineSoFar, FieldSpec], Any]
ListValue = Callable[[list[str], LineSoFar], Any]


def _alike(ids: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of id and name for ids that have no other name."""
    return [(id, id) for id in dict.fromkeys(ids)]


# One word ------------------------------------------------------------------------------------------------------------


def _name(kind: str, text: str, line: LineSoFar, spec: FieldSpec) -> str:
    """Return the id of a record in the encounter or the rule system, using the resolver's method for its kind."""
    id: str = getattr(line.names, kind)(text)
    return id


def _number(text: str, line: LineSoFar, spec: FieldSpec) -> int:
    value = whole_number(text, line.argument.noun)
    problem = spec.problem(value)
    if problem:
        raise ScriptError(f"the {line.argument.noun} {problem}")
    return value


def _choice(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    options = [option for option in spec.options if option]
    if text not in options:
        raise unknown_name(line.argument.noun, text, _alike(options))
    return text


def _square(text: str) -> tuple[prepared.Point, int | None]:
    match = _SQUARE.fullmatch(text)
    if match is None:
        raise UnknownWordError(f"expected a square as column,row, such as 3,4; found '{text}'", text)
    column, row, height = match.groups()
    return (int(column), int(row)), None if height is None else int(height)


def _flat_square(text: str, line: LineSoFar, spec: FieldSpec) -> prepared.Point:
    point, height = _square(text)
    if height is not None:
        raise ScriptError(f"expected a square without an elevation, such as {point[0]},{point[1]}; found '{text}'")
    return point


def _condition_or_name(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    """Return the id of a condition. A name in quotes that isn't the whole name of one is kept."""
    name = text.strip()
    if not name or not line.read.words_read[-1].startswith('"'):
        return line.names.condition(text)
    conditions = line.names.rules.data.conditions
    return next((one.id for one in conditions if name.lower() in (one.id, one.name.lower())), name)


def _target(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    """Return the id of a combatant, an object of the map or an environment feature."""
    if "." in text:
        return ".".join(line.names.entry(text))
    combatants = [(combatant.id, combatant.label) for combatant in line.names.encounter.all(running.Combatant)]
    return resolve_name(text, [*combatants, *line.names.obstacles()], "combatant or object")


def _feature_or_spell(text: str, line: LineSoFar, spec: FieldSpec) -> tuple[str, str]:
    """Return the ids of a feature and a spell, one of them empty. The combatant's features take precedence."""
    own = {feature.id: feature.name for feature in line.names.features(line.who)}
    listed = {spell.id: spell.name for spell in line.names.rules.data.spells if spell.id not in own}
    with suppress(UnknownWordError):
        return resolve_name(text, own.items(), "feature"), ""
    with suppress(UnknownWordError):
        return "", resolve_name(text, listed.items(), "feature")
    raise unknown_name("feature or spell", text, [*own.items(), *listed.items()])


def _spell_or_name(text: str, line: LineSoFar, spec: FieldSpec) -> tuple[str, str, str]:
    """Return the ids of a feature and a spell, and the quoted name of any other spell. Two of them are empty.

    Without numbers after it, a quoted name like that of a listed spell is a typing mistake.
    """
    try:
        return (*_feature_or_spell(text, line, spec), "")
    except UnknownWordError as error:
        is_described = line.read.next_is(("save", "attack", "damage", "heals", "rules", "cost", "points", "held"))
        if not line.read.words_read[-1].startswith('"') or not text.strip() or (error.hint and not is_described):
            raise
        return "", "", text.strip()


def _mount_feature(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    return line.names.feature(text, line.names.encounter.need(running.Combatant, line.who).rides or line.who)


def _mount_order(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    movement = line.names.rules.data.movement
    return resolve_name(text, _alike((*movement.free_orders, *movement.paid_orders)), "order for a mount")


def _action(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    try:
        return line.names.action(text, line.who)
    except UnknownWordError as error:
        raise error.with_note(f" (for any other activity, write: other {text})") from None


def _cost(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    """Return a valid cost for the line's action."""
    names = line.names
    option = action_options.action_option(names.encounter, names.rules, line.who, line.values["action"])
    return resolve_name(text, _alike(option.payable), f"cost of {option.name}")


def _variant(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    """Return the variant of the line's action: one of its options or checks, the readied action, or an item."""
    encounter, rules, who = line.names.encounter, line.names.rules, line.who
    option = action_options.action_option(encounter, rules, who, line.values["action"])
    known = {choice.id: choice.name for choice in option.choices}
    if option.trial is not None:
        known |= {roll: roll for full in option.trial.rolls for roll in (full, full.rpartition(":")[2])}
        known |= {contest.ALLOW: contest.ALLOW, contest.RESIST: contest.RESIST} if option.trial.lets else {}
    if option.done == action_options.READY:
        known |= {action.id: action.name for action in rules.data.actions}
        known |= {feature.id: feature.name for feature in line.names.features(who)}
    if ITEM in option.asks:
        items = action_options.usable_items(encounter, rules, who)
        known |= {item.id: item.name for item in items} | dict(line.names.obstacles())
        known |= {OTHER_ITEM: OTHER_ITEM}
    return resolve_name(text, known.items(), f"option of {option.name}")


def _track(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    names = line.names
    uses = [track.name for track in all_uses(names.encounter, line.who)]
    levels = tuple(condition.id for condition in names.rules.data.conditions if condition.stacks)
    known = _alike((MOVED, SUCCESSES, FAILURES, *names.rules.resources, *levels, *uses))
    condition = names.rules.conditions.get(text)
    if condition is not None and text not in levels:
        level = " value 1" if condition.has_levels else ""
        raise ScriptError(f"{text!r} is a condition, not a track; expected `condition {line.who} {text}{level}`")
    return resolve_name(text, known, "track")


def _stat(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    data = line.names.rules.data
    against = [action.trial.against for action in data.actions if action.trial is not None]
    features = line.names.features(line.who)
    prices = [cost_key(feature.id, pool) for feature in features for pool in ("", *dict(feature.spends))]
    passives = [f"passive.{skill.id}" for skill in data.skills]
    spells = (spell_features.SPELL_DC, spell_features.SPELL_ATTACK, spell_features.SPELL_MODIFIER)
    known = (*passives, "maneuver-dc", "proficiency", LEVEL, *spells, data.surprise.against, *against, *prices)
    return resolve_name(text, _alike(name for name in known if name), "statistic")


def _ability(text: str, line: LineSoFar, spec: FieldSpec) -> str:
    return resolve_name(text, ((ability.id, ability.name) for ability in line.names.rules.data.abilities), "ability")


NAMES = (
    "combatant", "slot", "roster", "wave", "environment", "countdown", "pool", "condition", "resource", "speed", "check",
    "door", "creature", "snapshot", "size",
)  # fmt: skip
WORDS: Mapping[str, WordValue] = {
    **{kind: partial(_name, kind) for kind in NAMES},
    "text": lambda text, line, spec: text,
    "prose": lambda text, line, spec: text,
    "word": lambda text, line, spec: text,
    "number": _number,
    "negative": lambda text, line, spec: -whole_number(text, line.argument.noun),
    "choice": _choice,
    "square": _flat_square,
    "to,elevation": lambda text, line, spec: _square(text),
    "entry,environment": lambda text, line, spec: line.names.entry(text)[::-1],
    "row": lambda text, line, spec: ".".join(line.names.entry(text)),
    "action": _action,
    "order": lambda text, line, spec: line.names.action(text, line.values["creatures"][0]),
    "feature": lambda text, line, spec: line.names.feature(text, line.who),
    "feature,spell": _feature_or_spell,
    "spell-or-name": _spell_or_name,
    "mount-feature": _mount_feature,
    "mount-order": _mount_order,
    "condition-or-name": _condition_or_name,
    "target": _target,
    "cost": _cost,
    "variant": _variant,
    "ability": _ability,
    "track": _track,
    "stat": _stat,
}


# Several words -------------------------------------------------------------------------------------------------------


def _dice(words: list[str], line: LineSoFar) -> str:
    """Return a dice expression. Raise ScriptError if the rule system doesn't define one of its damage types."""
    text = " ".join(words)
    known = [(damage_type.id, damage_type.name) for damage_type in line.names.rules.data.damage_types]
    try:
        kinds = damage_types_in(text)
    except DiceError as error:
        raise ScriptError(str(error)) from error
    for kind in kinds:
        if kind and kind not in dict(known):
            unknown = next((word for word in kind.split() if word not in dict(known)), kind)
            raise unknown_name("damage type", unknown, [*known, *_alike(("advantage", "disadvantage"))])
    return text


def _totals(words: list[str], line: LineSoFar) -> tuple[tuple[str, int], ...]:
    """Return pairs of combatant and number."""
    if len(words) % 2:
        raise MissingWordError(f"a number after {line.names.combatant(words[-1])}", ["17"])
    numbers = (whole_number(text, "number of a combatant") for text in words[1::2])
    return tuple((line.names.combatant(who), number) for who, number in zip(words[::2], numbers, strict=True))


def _path(words: list[str], line: LineSoFar) -> tuple[tuple[prepared.Point, ...], tuple[int, ...]]:
    """Return the squares of a path, and their elevations."""
    squares = [_square(text) for text in words]
    heights = tuple(height for _, height in squares if height is not None)
    if len(heights) not in (0, len(squares)):
        raise ScriptError("expected an elevation for all squares or for none, such as 3,4@0 4,4@10")
    return tuple(square for square, _ in squares), heights


def _results(words: list[str], line: LineSoFar) -> tuple[str, ...]:
    """Return the results of rolls as typed: `17`, `20!`, `27 20!`, `?`."""
    for word in words:
        if not _RESULT.fullmatch(word):
            raise UnknownWordError(f"'{word}' is not the result of a roll; expected a number such as 17", word)
    return tuple(words)


def _squares(words: list[str], line: LineSoFar) -> tuple[prepared.Point, ...]:
    """Return squares. `3,4:8,6` is a rectangle between two corners."""
    squares: list[prepared.Point] = []
    for word in words:
        corners = [_square(part)[0] for part in word.split(":", 1)]
        (left, right), (top, bottom) = (sorted((corners[0][axis], corners[-1][axis])) for axis in (0, 1))
        if right - left >= MOST_ACROSS or bottom - top >= MOST_ACROSS:
            raise ScriptError(f"expected at most {MOST_ACROSS} squares across and down; found '{word}'")
        squares += ((column, row) for row in range(top, bottom + 1) for column in range(left, right + 1))
    return tuple(squares)


def _cubes(words: list[str], line: LineSoFar) -> tuple[use_feature.Cube, ...]:
    try:
        return use_feature.parse_cubes(" ".join(words))
    except ValueError:
        raise ScriptError("expected cubes of three numbers each, such as 0,0,0 1,0,0") from None


def _exempt(words: list[str], line: LineSoFar) -> tuple[str, ...]:
    """Return the ids of combatants. They include the keyword for all plants if it is typed."""
    plants = [word for word in words if word in (PLANTS, f"{PLANTS}s")]
    combatants = line.names.combatants(word for word in words if word not in plants)
    return (*((PLANTS,) if plants else ()), *combatants)


def _facts(words: list[str], line: LineSoFar) -> tuple[str, ...]:
    """Return facts about a roll: statements such as `flanks` and `not target.sees`, and `cover:half`."""
    known = {**known_ids(line.names.rules.data), "feature": line.names.choosable()}
    for word in words:
        fact, _, grade = word.rpartition(".")[2].removeprefix("not ").partition(":")
        if fact == "cover":
            resolve_name(grade, _alike(level for level in get_args(prepared.CoverLevel) if level), "degree of cover")
            continue
        if fact in FACTS and FACTS[fact].worked_out:
            known_facts = [name for name, known_fact in FACTS.items() if not known_fact.worked_out]
            raise ScriptError(f"{word!r} follows from the roll and can't be entered{nearest_hint(fact, known_facts)}")
        try:
            problems = list(unknown_names(parse_statement(word).facts, known))
        except StatementError as error:
            problems = [str(error)]
        if problems:
            raise ScriptError(problems[0])
    return tuple(words)


LISTS: Mapping[str, ListValue] = {
    "texts": lambda words, line: tuple(words),
    "combatants": lambda words, line: line.names.combatants(words),
    "dice": _dice,
    "numbers": _totals,
    "faces": lambda words, line: tuple(whole_number(word, "face of a die") for word in words),
    "path,heights": _path,
    "squares": _squares,
    "results": _results,
    "cubes": _cubes,
    "exempt": _exempt,
    "objects": lambda words, line: tuple(resolve_name(word, line.names.obstacles(), "object") for word in words),
    "facts": _facts,
}


# Phrases, and values derived from the encounter ----------------------------------------------------------------------


def _rest(line: LineSoFar) -> str:
    """Read the rest of the line as one text. A place in words isn't a square."""
    text = " ".join([line.read.expect(line.argument), *line.read.until()])
    if line.argument == arguments.BY_STATEMENT["place.place"] and _SQUARE.fullmatch(text):
        raise ScriptError(
            f"{text!r} is a square, but `place` takes words; expected `force move {line.who} {text} teleport`"
        )
    return text


def _effect(line: LineSoFar) -> str:
    """Read `effect-3` or `prone on mira`; return the effect's id."""
    name = line.read.expect(arguments.EFFECT)
    return line.names.effect(
        name, line.names.combatant(line.read.expect(arguments.COMBATANT)) if line.read.accept("on") else ""
    )


def _duration(line: LineSoFar) -> running.Duration:
    """Read `turn-end of mira skipping 1`."""
    moments = tuple(moment for moment in get_args(running.EndMoment) if moment != "owner-gone" and "save" not in moment)
    moment = line.read.expect(arguments.Argument(arguments.alternatives(arguments.quoted(moments)), "turn-end"))
    if moment not in moments:
        raise unknown_name("moment", moment, _alike(moments))
    who, targets = "", line.values["targets"]
    if line.read.accept("of"):
        text = line.read.expect(arguments.ENVIRONMENT if moment == "world" else arguments.COMBATANT)
        who = line.names.environment(text) if moment == "world" else line.names.combatant(text)
    elif moment in ("turn-start", "turn-end"):
        if len(targets) > 1:
            raise MissingWordError("'of' and a combatant, because there are several targets", [f"of {targets[0]}"])
        who = targets[0]
    skip = line.read.expect(arguments.SKIPPED) if line.read.accept("skipping") else "0"
    return running.Duration(msgspec.convert(moment, running.EndMoment), who, whole_number(skip, arguments.SKIPPED.noun))


def _outside(line: LineSoFar, *, inside: bool) -> tuple[str, ...]:
    """Read an environment that the combatant enters or leaves. Return all environments that it isn't in afterwards."""
    environment = line.names.environment(line.read.expect(arguments.ENVIRONMENT))
    others = tuple(id for id in line.names.encounter.need(running.Combatant, line.who).outside if id != environment)
    return others if inside else (*others, environment)


def _dice_mode(line: LineSoFar) -> running.DiceMode:
    """Return the source of dice results after setting a seed. The script is no longer the source."""
    mode = (line.names.encounter.get(running.Dice, "dice") or running.Dice()).mode
    return "roll" if mode == "script" else mode


PHRASES: Mapping[str, Callable[[LineSoFar], Any]] = {
    "rest": _rest,
    "effect": _effect,
    "duration": _duration,
    "inside": lambda line: _outside(line, inside=True),
    "outside": lambda line: _outside(line, inside=False),
    "dice-mode": _dice_mode,
    "nobody": lambda line: (),
}
