"""The forms of creatures and their features as data: rows, groups, and functions that create special fields."""

import re
from collections.abc import Callable, Sequence
from typing import Any, get_args

import msgspec

from turnwright.encounter import prepared
from turnwright.encounter.field_specs import spec_of, specs_of
from turnwright.encounter.state import unique_id
from turnwright.rules.parts.combatants.facts import HOVER
from turnwright.rules.parts.stat_block.features import COSTS, calculated_bonus, faces_text
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import KnownIds, known_ids
from turnwright.rules.system_data.numbers import RATINGS
from turnwright.rules.word_keys import signed_text
from turnwright.ui.forms import stage_line
from turnwright.ui.forms.choices import named_choices, specialty_ids
from turnwright.ui.forms.compound_fields import (
    AbilitiesField,
    DamageAmountsField,
    MultiChoiceField,
    NumberGrid,
    NumberList,
)
from turnwright.ui.forms.data_rule_line import data_rules_error, format_data_rules, parse_data_rules
from turnwright.ui.forms.fields import ChoiceField, Field, NumberInput, Options, ParsedTextField, TextField
from turnwright.ui.forms.form import Form, FormLayout, Row, form_groups, form_layout, form_rows, form_words
from turnwright.ui.forms.kinds import NONE, ChildBinding, FieldMaker, FieldRequest, FormContext, number
from turnwright.ui.forms.left_feature_line import format_left_feature, left_feature_error, parse_left_feature
from turnwright.ui.forms.record_fields import ChosenRecordsField, ReadFiguresField, without_edited
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import id_as_words
from turnwright.ui.widgets.records.stat_block import feature_marks

_WAY = re.compile(r"(?:([0-9]{1,2})\s*[x\N{MULTIPLICATION SIGN}]?\s+)?([a-z0-9][a-z0-9_-]*)")


def parse_multiattack(text: str) -> tuple[prepared.NamedNumbers, ...]:
    """Parse the alternatives of a multiattack, for example `1 bite, 2 claw; 2 longbow`."""
    ways = [[_WAY.fullmatch(part.strip()) for part in way.split(",")] for way in text.split(";") if way.strip()]
    return tuple(tuple((match[2], int(match[1] or 1)) for match in way if match) for way in ways)


def format_multiattack(alternatives: tuple[prepared.NamedNumbers, ...]) -> str:
    """Return the alternatives of a multiattack as text."""
    return "; ".join(", ".join(f"{count} {id}" for id, count in way) for way in alternatives)


def multiattack_error(text: str) -> str:
    """Return the error in the alternatives of a multiattack, or an empty string if they are valid."""
    parts = [part.strip() for way in text.split(";") if way.strip() for part in way.split(",")]
    malformed = next((part for part in parts if not _WAY.fullmatch(part)), None)
    return "" if malformed is None else tr("ui.feature.not-multiattack", text=malformed)


def parse_source_notes(text: str) -> tuple[prepared.SourceNote, ...]:
    """Parse source notes, for example `speeds: 40 feet as a boar; ac: 13 while prone`."""
    pairs = [part.partition(":") for part in text.split(";") if part.strip()]
    return tuple(prepared.SourceNote(about.strip(), words.strip()) for about, _, words in pairs)


def format_source_notes(notes: tuple[prepared.SourceNote, ...]) -> str:
    """Return source notes as text."""
    return "; ".join(f"{remark.about}: {remark.text.replace(';', ',')}" for remark in notes)


def source_notes_error(text: str) -> str:
    """Return the error in source notes, or an empty string if they are valid."""
    fields = prepared.Creature.__struct_fields__
    parts = [part.partition(":") for part in text.split(";") if part.strip()]
    malformed = next(
        (about.strip() for about, _, words in parts if about.strip() not in fields or not words.strip()), None
    )
    return "" if malformed is None else tr("ui.creature.not-remark", text=malformed)


SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
SENSE_FEET = 60  # the default range of a new sense
PASSIVES = ("perception", "investigation", "insight")
SPELL_LEVELS = 9
DISABLE_DC = 15  # the default DC of a new skill
ELSEWHERE = {"id", "features", "source"}


# Creatures --------------------------------------------------------------------------------------------------------


def _has(context: FormContext, name: str) -> bool:
    """Whether the rule system uses a field of creatures."""
    data = context.rules.data
    if name in ("disable", "disable_needs"):
        return bool(data.dying.devices.tags)
    if name == "pools":
        return bool(data.presentation.pools)
    if spec_of(prepared.Creature, name).group:
        return True
    key = "mundane_immunity" if name.startswith("mundane_") else name
    return name in form_words("creature", "always") or data.presentation.has(key)


def _settle(context: FormContext, before: prepared.Creature, after: prepared.Creature, name: str) -> prepared.Creature:
    """Return the edited creature. If the system uses the level as the rating, it follows an edited rating."""
    after = without_edited(before, after, name)
    if name == "rating" and context.rules.data.presentation.leveled:
        return msgspec.structs.replace(after, level=int(after.rating) if after.rating.isdecimal() else 0)
    return after


def _rating(request: FieldRequest) -> Field:
    ratings = request.context.rules.data.presentation.ratings or RATINGS
    return ChoiceField([(rating, rating) for rating in ratings], free=True)


def _speeds(request: FieldRequest) -> Field:
    return NumberGrid(named_choices(request.context.rules.data.speeds), 3, 0, tr("ui.general.feet"), rare=(HOVER,))


def _shorts(data: SystemData) -> Options:
    return [(ability.id, ability.short) for ability in data.abilities]


def _abilities(request: FieldRequest) -> Field:
    data = request.context.rules.data
    return AbilitiesField(_shorts(data), data.ability_scale)


def _saves(request: FieldRequest) -> Field:
    data = request.context.rules.data
    saves = data.presentation.saves or _shorts(data)
    return NumberGrid(saves, max(1, len(saves)), -20, arrows=False)


def _skills(request: FieldRequest) -> Field:
    rules = request.context.rules
    abilities = {skill.id: skill.ability for skill in rules.data.skills}

    def usual(skill: str) -> int:
        creature = request.binding.value()
        return rules.modifier_of(creature, abilities.get(skill, "dex")) if creature is not None else 0

    return NumberList(named_choices(rules.data.skills), -20, usual, request.words("add"))


def _senses(request: FieldRequest) -> Field:
    senses = [(sense, sense.capitalize()) for sense in SENSES]
    return NumberList(senses, 0, lambda _id: SENSE_FEET, request.words("add"), tr("ui.general.feet"), free=True)


def _disable(request: FieldRequest) -> Field:
    return NumberList(named_choices(request.context.rules.data.skills), 0, lambda _id: DISABLE_DC, request.words("add"))


def _weaknesses(request: FieldRequest) -> Field:
    """Return the field for resistances or vulnerabilities, with amounts if the rule system has them."""
    data = request.context.rules.data
    kinds = named_choices(data.damage_types)
    if not data.presentation.figured:
        return MultiChoiceField(kinds)
    groups = dict.fromkeys(damage_type.group for damage_type in data.damage_types if damage_type.group)
    options = [*kinds, *((group, group.capitalize()) for group in groups), ("all", tr("ui.creature.all-damage"))]
    return DamageAmountsField(options, tr("ui.creature.add-damage"))


def _specialties(request: FieldRequest) -> Field:
    context = request.context
    return MultiChoiceField(
        (), lambda: specialty_ids(context.encounter(), context.rules.data), own_caption=request.words("own")
    )


def _passives(request: FieldRequest) -> Field:
    names = {skill.id: skill.name for skill in request.context.rules.data.skills}
    return NumberGrid([(id, names.get(id, id.capitalize())) for id in PASSIVES], 3, 0)


def _slots(request: FieldRequest) -> Field:
    levels = [(str(level), tr("ui.creature.slots-of", level=level)) for level in range(1, SPELL_LEVELS + 1)]
    return NumberGrid(levels, SPELL_LEVELS, 0, arrows=False)


def _pools(request: FieldRequest) -> Field:
    data = request.context.rules.data
    return NumberGrid(named_choices(pool for pool in data.resources if pool.id in data.presentation.pools), 3, 0)


def _parsed(
    error: Callable[[str, KnownIds], str], parse: Callable[[str], Any], text_of: Callable[[Any], str]
) -> FieldMaker:
    """Return a function that creates a field for a value that is written as a line of text."""

    def make(request: FieldRequest) -> Field:
        known = known_ids(request.context.rules.data)
        return ParsedTextField(lambda text: error(text, known), parse, text_of, request.words("hint"))

    return make


NEW_PHASES = {"bloodied": 50, "mythic": 0, "phase": 25}  # phase id → percentage of hit points at which it starts


def _phases(request: FieldRequest) -> Field:
    options = [(id, tr(f"ui.creature-phase.add-{id}")) for id in NEW_PHASES]
    owner = request.binding

    def limited() -> Options:
        creature = owner.value()
        limited_features = (
            one for one in (creature.features if creature is not None else ()) if one.uses or one.recharge
        )
        all_features = (prepared.ALL_FEATURES, tr("ui.creature-phase.recharges-all"))
        return [all_features, *((feature.id, feature.name) for feature in limited_features)]

    def recharges(request: FieldRequest) -> Field:
        return MultiChoiceField((), limited, none=request.words("none"))

    layout = form_layout("creature-phase", prepared.CreaturePhase, fields={"ends": _phase_ends, "recharges": recharges})
    return ChosenRecordsField(request.context, layout, "ui.creature-phase", options, _new_phase)


def _phase_ends(request: FieldRequest) -> Field:
    conditions = named_choices(request.context.rules.data.conditions)
    return MultiChoiceField([(prepared.ALL_CONDITIONS, request.words("all")), *conditions], none=request.words("none"))


def _new_phase(id: str, others: Sequence[prepared.CreaturePhase]) -> prepared.CreaturePhase:
    """Return a new phase with a unique id and the usual percentage of hit points."""
    own = unique_id(id, [other.id for other in others], id)
    return prepared.CreaturePhase(own, own.replace("-", " ").capitalize(), NEW_PHASES[id])


CREATURE_FIELDS: dict[str, FieldMaker] = {
    "type": lambda _request: ChoiceField(
        [(type, type.capitalize()) for type in form_words("creature", "types")], free=True
    ),
    "rating": _rating,
    "speeds": _speeds,
    "abilities": _abilities,
    "saves": _saves,
    "skills": _skills,
    "senses": _senses,
    "disable": _disable,
    "resistances": _weaknesses,
    "vulnerabilities": _weaknesses,
    "specialties": _specialties,
    "passives": _passives,
    "slots": _slots,
    "pools": _pools,
    "remarks": _parsed(lambda text, _known: source_notes_error(text), parse_source_notes, format_source_notes),
    "phases": _phases,
}
IDENTITY_ROWS, STATS_ROWS, DEFENCES_ROWS = (form_rows("creature", part) for part in ("identity", "stats", "defences"))
GROUPS = form_groups("creature")


def _unplaced() -> dict[str, tuple[Row, ...]]:
    """Return rows for the fields that aren't in any layout, keyed by the group in their spec."""
    rows = (*IDENTITY_ROWS, *STATS_ROWS, *DEFENCES_ROWS, *(row for rows in GROUPS.values() for row in rows))
    placed = {name for row in rows for name in row.names} | {"resistances", "vulnerabilities"} | ELSEWHERE
    rows_by_group: dict[str, tuple[Row, ...]] = {}
    for spec in specs_of(prepared.Creature):
        if spec.name not in placed:
            group = spec.group or "origin"
            rows_by_group[group] = (*rows_by_group.get(group, ()), Row((spec.name,)))
    return rows_by_group


def creature_layouts(data: SystemData) -> tuple[FormLayout, FormLayout, FormLayout, FormLayout]:
    """Return the forms of a creature in a rule system: identity, stats, groups of additional stats, and defences."""
    figured = data.presentation.figured
    weaknesses = form_rows("creature", "weaknesses-with-amounts" if figured else "weaknesses")
    further = _unplaced()
    creature = FormLayout(prepared.Creature, fields=CREATURE_FIELDS, has=_has, settle=_settle)
    return (
        msgspec.structs.replace(creature, rows=(*IDENTITY_ROWS, *further.get("identity", ()))),
        msgspec.structs.replace(creature, rows=(*STATS_ROWS, *further.get("stats", ()))),
        msgspec.structs.replace(
            creature,
            groups={id: (*rows, *further.get(id, ())) for id, rows in GROUPS.items()},
            bare=lambda _context: prepared.Creature("", "", reach=data.attack.reach or prepared.Creature("", "").reach),
        ),
        msgspec.structs.replace(
            creature,
            rows=(*weaknesses, *DEFENCES_ROWS, *further.get("defences", ())),
            captions={"vulnerabilities": "ui.creature.weaknesses"} if figured else {},
        ),
    )


# Features ---------------------------------------------------------------------------------------------------------


def recharge(request: FieldRequest) -> Field:
    """Return the field for the lowest die roll that recharges a feature."""
    return ChoiceField([(0, request.words("none")), *((face, faces_text(face)) for face in range(6, 1, -1))])


def _break_free(request: FieldRequest) -> Field:
    resources = request.context.rules.data.resources
    costs = [(resource.id, tr("ui.editing.break-free", cost=resource.name.lower())) for resource in resources]
    return ChoiceField([("", request.words("none")), *costs])


INFLICTED_CONDITION = form_layout(
    "inflicted-condition", prepared.InflictedCondition, fields={"break_free": _break_free, "wakes": _break_free}
)


def afflictions(request: FieldRequest) -> Field:
    """Return the field for the conditions that a feature or environment entry inflicts."""
    conditions = named_choices(request.context.rules.data.conditions)
    return ChosenRecordsField(request.context, INFLICTED_CONDITION, "ui.inflicted-condition", conditions)


OTHER_DAMAGE = form_layout("other-damage", prepared.OtherDamage)
USUAL_OTHER_DAMAGE = ("with-two-hands", "when-bloodied", "in-another-form")


def _other_damage(request: FieldRequest) -> Field:
    options = [(words, words) for words in (tr(f"ui.other-damage.{key}") for key in USUAL_OTHER_DAMAGE)]
    return ChosenRecordsField(request.context, OTHER_DAMAGE, "ui.other-damage", options)


def _feature_has(context: FormContext, name: str) -> bool:
    """Whether the rule system uses a field of features."""
    data = context.rules.data
    used = {
        "spends": any(resource.own for resource in data.resources),
        "proficient": data.presentation.has("proficiency"),
        "interrupts": data.reactions.stack,
    }
    return bool(used.get(name, True))


def _is_priced(feature: prepared.Feature, context: FormContext) -> bool:
    presentation = context.rules.data.presentation
    costs = {cost for cost, _ in presentation.signs} - {"free"} | (
        {"legendary"} if presentation.has("legendary") else set()
    )
    return feature.cost in costs or feature.price != 1 or bool(feature.spends)


def _price(request: FieldRequest) -> Field:
    """Return the field for a price. It can be left blank if the system uses cost signs."""
    return number(request, blank=request.words("none") if request.context.rules.data.presentation.signs else "")


def _spends(request: FieldRequest) -> Field:
    pools = [(resource.id, resource.name) for resource in request.context.rules.data.resources if resource.own]
    return NumberGrid(pools, len(pools), 0)


def _until(_request: FieldRequest) -> Field:
    ends = get_args(prepared.InflictedConditionEnds)
    return ChoiceField([(moment, tr(f"ui.inflicted-condition.ends-{moment}")) for moment in ends])


def _spell_level(_request: FieldRequest) -> Field:
    levels = [(None, tr("ui.feature.no-spell")), (0, tr("ui.feature.cantrip"))]
    return ChoiceField([*levels, *((level, str(level)) for level in range(1, SPELL_LEVELS + 1))])


def _feature_kind(request: FieldRequest) -> Field:
    return ChoiceField([(cost, request.words(cost)) for cost in feature_kinds(request.context.rules.data)])


def _properties(request: FieldRequest) -> Field:
    words = [(one, request.words(one) or id_as_words(one).capitalize()) for one in form_words("feature", "properties")]
    return MultiChoiceField(words, own_caption=request.words("own"))


def _does(request: FieldRequest) -> Field:
    known = known_ids(request.context.rules.data)
    owner = request.binding.parent if isinstance(request.binding, ChildBinding) else None

    def check(text: str) -> str:
        features = owner.value().features if owner is not None else ()
        return stage_line.steps_error(text, known, frozenset(feature.id for feature in features))

    return ParsedTextField(check, stage_line.parse_steps, stage_line.format_steps, request.words("hint"))


def _read(request: FieldRequest) -> Field:
    binding, data = request.binding, request.context.rules.data
    owner = binding.parent if isinstance(binding, ChildBinding) else None

    def sentence() -> str:
        creature, feature = owner.value() if owner is not None else None, binding.value()
        mark = feature_marks(creature, data).get(feature.id) if creature is not None and feature is not None else None
        return mark.sentence if mark is not None else ""

    return ReadFiguresField(binding, sentence)


def _show_calculated(form: Form, feature: prepared.Feature) -> None:
    """Show the unit of the price, and the calculated attack bonus if none was entered."""
    data, price, attack = form.context.rules.data, form.fields["price"], form.fields["attack"]
    names = {resource.id: resource.name.lower() for resource in data.resources}
    unit = tr("ui.feature.legendary-actions") if feature.cost == "legendary" else names.get(feature.cost, "")
    owner = form.binding.parent.value() if isinstance(form.binding, ChildBinding) else None
    bonus = calculated_bonus(data, owner, feature) if owner is not None else None
    if isinstance(price, NumberInput) and isinstance(attack, NumberInput):
        price.box.setSuffix(f" {unit}" if unit else "")
        attack.set_blank_text(NONE if bonus is None else tr("ui.feature.worked-out", bonus=signed_text(bonus.total)))


FEATURE = form_layout(
    "feature",
    prepared.Feature,
    {"is-priced": _is_priced},
    fields={
        "cost": _feature_kind,
        "read": _read,
        "price": _price,
        "spends": _spends,
        "recharge": recharge,
        "shares": lambda request: TextField(request.words("hint")),
        "properties": _properties,
        "afflictions": afflictions,
        "other_damage": _other_damage,
        "level": _spell_level,
        "multiattack": _parsed(lambda text, _known: multiattack_error(text), parse_multiattack, format_multiattack),
        "rules": _parsed(data_rules_error, parse_data_rules, format_data_rules),
        "effect": _parsed(data_rules_error, parse_data_rules, format_data_rules),
        "until": _until,
        "does": _does,
        "leaves": _parsed(left_feature_error, parse_left_feature, format_left_feature),
        "stages": _parsed(stage_line.stages_error, stage_line.parse_stages, stage_line.format_stages),
    },
    has=_feature_has,
    settle=lambda _context, before, after, name: without_edited(before, after, name),
    on_refresh=_show_calculated,
)


def feature_kinds(catalogue: SystemData) -> list[str]:
    """Return the feature types of a rule system: one for each resource that features can cost, and traits."""
    kinds = {resource.id for resource in catalogue.resources} | {"trait"}
    kinds |= {"legendary"} if catalogue.presentation.has("legendary") else set()
    kinds |= {"lair"} if catalogue.initiative.lair else set()
    return [cost for cost in COSTS if cost in kinds]


def describe_feature(feature: prepared.Feature) -> str:
    """Return a short description of a feature."""
    parts = [tr(f"ui.feature.cost-{feature.cost}")] if feature.cost != "trait" else []
    if feature.attack is not None:
        parts.append(signed_text(feature.attack))
    if feature.damage:
        parts.append(feature.damage)
    return ", ".join(parts)
