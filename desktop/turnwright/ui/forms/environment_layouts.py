"""The forms of environments, their features and world actions, and the outcomes of countdowns as data."""

from collections.abc import Callable

import msgspec

from turnwright.encounter.prepared import (
    AddWave,
    Announce,
    Check,
    Countdown,
    Creature,
    DealDamage,
    Environment,
    EnvironmentEntry,
    Outcome,
    SavingThrow,
    Spawn,
    StartCountdown,
    TriggerEntry,
)
from turnwright.rules.parts.economy.limited_uses import is_finite
from turnwright.rules.system_data import SystemData
from turnwright.ui.forms.choices import exemption_choices
from turnwright.ui.forms.compound_fields import MultiChoiceField, NumberList
from turnwright.ui.forms.creature_layouts import afflictions, recharge
from turnwright.ui.forms.fields import ChoiceField, Field, Options
from turnwright.ui.forms.form import FormLayout, form_groups, form_layout
from turnwright.ui.forms.kinds import NONE, FieldRequest, FormContext
from turnwright.ui.forms.record_fields import TypedRecordsField, record
from turnwright.ui.look.style import tr
from turnwright.ui.models.row_list_model import pending_waves

DEFAULT_DC = 12


def _settle_save(_context: FormContext, before: SavingThrow, after: SavingThrow, _name: str) -> SavingThrow | None:
    """Return the edited save, or None if it has no ability. A new save gets the default DC."""
    if not after.ability:
        return None
    return after if before.ability else msgspec.structs.replace(after, dc=DEFAULT_DC)


def _settle_check(context: FormContext, before: Check, after: Check, name: str) -> Check | None:
    """Return the edited check, or None if it has no ability.

    A new check gets the skill's usual ability and the default DC. It gets no DC if it is against the caster's roll.
    """
    if name == "skill" and not before.ability:
        usual = {skill.id: skill.ability for skill in context.rules.data.skills}
        after = msgspec.structs.replace(after, ability=usual.get(after.skill, "dex"))
    if not after.ability:
        return None
    if before.ability and name != "against":
        return after
    return msgspec.structs.replace(after, dc=0 if after.against else after.dc or DEFAULT_DC)


def _settle_spawn(context: FormContext, before: Spawn, after: Spawn, name: str) -> Spawn | None:
    """Return the edited spawn, or None if it has no creature. A name copied from the creature is updated."""
    if not after.creature:
        return None
    names = dict(_spawned_creatures(context))
    if name != "creature" or before.name not in ("", names.get(before.creature)):
        return after
    return msgspec.structs.replace(after, name=names.get(after.creature, after.creature))


def _spawned_creatures(context: FormContext) -> Options:
    own = {creature.id: creature.name or creature.id for creature in context.encounter().all(Creature)}
    shipped = {id: spawned.name for id, spawned in context.rules.spawns.items() if id not in own}
    return [*own.items(), *shipped.items()]


def _spawned_creature(request: FieldRequest) -> Field:
    none = ("", request.words("absent"))
    return ChoiceField(load_options=lambda: [none, *_spawned_creatures(request.context)])


SAVE = form_layout(
    "save", SavingThrow, settle=_settle_save, enabled=lambda save, name: bool(save.ability) or name == "ability"
)


CHECK = form_layout(
    "check",
    Check,
    settle=_settle_check,
    enabled=lambda check, name: (
        name in ("ability", "skill") or bool(check.ability and not (name == "dc" and check.against))
    ),
    fields={"against": lambda request: ChoiceField([(id, request.words(id or "dc")) for id in ("", "spellcasting")])},
)


SPAWN = form_layout(
    "spawn",
    Spawn,
    settle=_settle_spawn,
    enabled=lambda spawn, name: bool(spawn.creature) or name == "creature",
    fields={"creature": _spawned_creature},
)


def _exemptions(request: FieldRequest) -> Callable[[], Options]:
    context = request.context
    return lambda: exemption_choices(request.binding.value(), context.encounter(), context.rules.data)


def _reduced(request: FieldRequest) -> Field:
    exemptions = _exemptions(request)
    return ChoiceField(load_options=lambda: [("", NONE), *exemptions()])


def _extra_costs(request: FieldRequest) -> Field:
    data = request.context.rules.data
    limited = [resource.id for resource in data.resources if is_finite(resource)]
    actions = [(action.id, action.name) for action in data.actions if action.cost in limited]
    return NumberList(actions, 1, lambda _action: 1, request.words("add"))


ENTRY_GROUPS = form_groups("entry")


def _entry_layout(form: str) -> FormLayout:
    return form_layout(
        form,
        EnvironmentEntry,
        groups=ENTRY_GROUPS,
        fields={
            "recharge": recharge,
            "save": record(SAVE),
            "afflictions": afflictions,
            "check": record(CHECK),
            "unaffected": lambda request: MultiChoiceField((), _exemptions(request), own_caption=request.words("own")),
            "reduced": _reduced,
            "spawn": record(SPAWN),
            "extra_costs": _extra_costs,
        },
    )


ACTION = _entry_layout("world-action")
FEATURE = _entry_layout("environment-feature")


def _place_has(context: FormContext, name: str) -> bool:
    budgets = [budget for budget in context.rules.data.budgets if budget.places]
    return name not in ("rating", "complex") or bool(budgets and (name == "rating" or budgets[0].complex))


ENVIRONMENT = form_layout("environment", Environment, has=_place_has)
ENVIRONMENT_NOTES = form_layout("environment-notes", Environment)


def describe_entry(catalogue: SystemData) -> Callable[[EnvironmentEntry], str]:
    """Return a function that summarises an environment entry: save, damage, conditions, recharge and terrain."""
    shorts = {ability.id: ability.short.capitalize() for ability in catalogue.abilities}
    conditions = {condition.id: condition.name.lower() for condition in catalogue.conditions}

    def describe(entry: EnvironmentEntry) -> str:
        parts = []
        if entry.recharge:
            parts.append(f"◇ {'6' if entry.recharge == 6 else f'{entry.recharge}–6'}")
        if entry.save is not None:
            parts.append(
                tr("ui.environment-entry.save-short", ability=shorts.get(entry.save.ability, ""), dc=entry.save.dc)
            )
        parts += [entry.damage] if entry.damage else []
        parts += [conditions.get(affliction.condition, affliction.condition) for affliction in entry.afflictions]
        parts += [tr(f"ui.environment-entry.terrain-{entry.terrain}").lower()] if entry.terrain else []
        parts += [tr(f"ui.environment-entry.obscured-{entry.obscured}").lower()] if entry.obscured else []
        if entry.cover:
            what = tr(f"ui.environment-entry.cover-{entry.cover}").lower()
            parts.append(tr("ui.environment-entry.cover-short", what=what))
        parts += [entry.spawn.name] if entry.spawn is not None else []
        return ", ".join(parts)

    return describe


def _with_first_entry(context: FormContext, _before: TriggerEntry, after: TriggerEntry, name: str) -> TriggerEntry:
    """Return the edited trigger. If its environment has changed, select the environment's first entry."""
    if name != "environment":
        return after
    place = context.encounter().get(Environment, after.environment)
    rows = (*place.actions, *place.features) if place is not None else ()
    return msgspec.structs.replace(after, entry=rows[0].id if rows else "")


OUTCOMES: dict[type[msgspec.Struct], FormLayout] = {
    kind: form_layout(str(kind.__struct_config__.tag), kind, words="ui.outcome-field", settle=_with_first_entry)
    for kind in (Announce, AddWave, StartCountdown, TriggerEntry, DealDamage)
}


def outcomes(request: FieldRequest) -> Field:
    """Return the field for the outcomes of a countdown. A new outcome gets the first available option."""
    context = request.context

    def create(kind: type[Outcome]) -> Outcome:
        encounter = context.encounter()
        if kind is TriggerEntry:
            places = ((place, row) for place in encounter.all(Environment) for row in (*place.actions, *place.features))
            return next((TriggerEntry(place.id, row.id) for place, row in places), TriggerEntry("", ""))
        if kind is AddWave:
            return AddWave(next(iter(dict(pending_waves(encounter))), ""))
        if kind is StartCountdown:
            return StartCountdown(next(iter(encounter.ids(Countdown)), ""))
        return DealDamage("1d6") if kind is DealDamage else Announce("")

    return TypedRecordsField(context, OUTCOMES, "ui.outcome", create)
