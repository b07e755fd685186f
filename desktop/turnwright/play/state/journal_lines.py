"""Journal lines of the events in `play.state.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import Formatter, LabelLookup, LineParts, roll_total, subject_of
from turnwright.play.state.events import (
    ActionTaken,
    DamageTaken,
    DroppedToZero,
    EffectEnded,
    EffectGained,
    Healed,
    HitPointsSet,
    RelationCleared,
    RelationSet,
    ResourceRestored,
    Rolled,
    Skipped,
    StatSet,
    TrackSet,
    Unaffected,
    UsesSet,
    UsesSpent,
)


def _rolled(event: Rolled, names: LabelLookup) -> LineParts:
    key = "rolled" if event.who else "rolled_nobody" if event.detail else "rolled_alone"
    if event.passed is not None:
        key = "rolled_passed" if event.passed else "rolled_failed"
    if event.degree:
        key = "rolled_degree"
    values: dict[str, str | int] = {
        "purpose": f"<{event.purpose}>",
        "detail": event.detail,
        "total": roll_total(event.roll),
        "dc": event.dc,
        "degree": f"<degree.{event.degree}>" if event.degree else "",
    }
    return phrase(f"journal.{key}", who=names.label(event.who), **values), "roll", subject_of(event.who)


def _skipped(event: Skipped, names: LabelLookup) -> LineParts:
    key = "journal.skipped" if event.who else "journal.skipped_nobody" if event.detail else "journal.skipped_alone"
    values = {"purpose": f"<{event.purpose}>", "detail": event.detail}
    return phrase(key, who=names.label(event.who), **values), "roll", subject_of(event.who)


def _relation_set(event: RelationSet, names: LabelLookup) -> LineParts:
    value = event.value
    fact_key = f"related_{event.fact}" + (f"_{value}" if value in ("yes", "no") else "")
    if event.fact == "cover":
        value = f"<cover.{value}>"
    line_phrase = phrase(f"journal.{fact_key}", one=names.label(event.who), other=names.label(event.other), value=value)
    return line_phrase, "plain", subject_of(event.who)


def _relation_cleared(event: RelationCleared, names: LabelLookup) -> LineParts:
    line_phrase = phrase("journal.parted", who=names.label(event.who), others=names.labels(event.others))
    return line_phrase, "plain", subject_of(event.who)


def _stat_set(event: StatSet, names: LabelLookup) -> LineParts:
    line_phrase = phrase("journal.supplied", who=names.label(event.who), figure=event.stat, value=event.value)
    return line_phrase, "plain", subject_of(event.who)


def _action_taken(event: ActionTaken, names: LabelLookup) -> LineParts:
    key = "journal.acted" if event.action else "journal.spent"
    cost = f"<resource.{event.cost}>" if event.cost else ""
    action = event.action or event.note
    key += "" if event.cost else "_free"
    note = event.note if event.action else ""
    key += "_on" if event.targets else ""
    key += "_about" if event.targets and event.about else ""
    values = {"targets": names.labels(event.targets), "foe": names.label(event.about) if event.about else ""}
    return (
        phrase(
            key + ("_note" if note else ""), who=names.label(event.who), action=action, cost=cost, note=note, **values
        ),
        "plain",
        subject_of(event.who),
    )


def _resource_restored(event: ResourceRestored, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"resource": f"<resource.{event.resource}>"}
    if event.after is not None:
        values |= {"before": event.before, "after": event.after}
    key = "journal.regained" if event.after is None else "journal.regained_so_many"
    line_phrase = phrase(key, who=names.label(event.who), **values)
    return line_phrase, "plain", subject_of(event.who)


def _uses_spent(event: UsesSpent, names: LabelLookup) -> LineParts:
    word, _, level = event.use_key.partition(".")
    key = "journal.slot_spent" if word == "slots" else "journal.supply_spent"
    values: dict[str, str | int] = {"what": event.what, "left": event.left, "most": event.maximum, "level": level}
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


def _uses_set(event: UsesSet, names: LabelLookup) -> LineParts:
    word, _, level = event.use_key.partition(".")
    key = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}.get(word, "journal.supply_set")
    values: dict[str, str | int] = {"what": event.what, "before": event.before, "left": event.left, "level": level}
    return phrase(key, who=names.label(event.who), **values), "warn", subject_of(event.who)


def _damage(event: DamageTaken, names: LabelLookup) -> LineParts:
    dealt = " + ".join(f"{amount} <damage.{kind}>" if kind else str(amount) for kind, amount in event.dealt)
    values: dict[str, str | int] = {
        "taken": event.taken,
        "dealt": dealt,
        "before": event.hp_before,
        "after": event.hp_after,
        "source": event.source,
        "absorbed": event.temp_before - event.temp_after,
    }
    as_dealt = len(event.dealt) == 1 and event.dealt[0][1] == event.taken
    key = "journal.damage" if event.taken else "journal.damage_none"
    if event.taken and as_dealt and event.temp_before == event.temp_after:
        key = "journal.damage_as_dealt"
    if event.temp_before != event.temp_after:
        key += "_absorbed"
    if event.source:
        key += "_from"
    if event.critical:
        key += "_critical"
    return phrase(key, who=names.label(event.target), **values), "harm", subject_of(event.target)


def _dropped(event: DroppedToZero, names: LabelLookup) -> LineParts:
    return phrase("journal.dropped", who=names.label(event.who), hp=event.hp), "harm", subject_of(event.who)


def _hit_points_set(event: HitPointsSet, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"hp": event.hp, "hp_max": event.hp_max, "temp": event.temp_hp}
    key = "journal.hit_points_set_with" if event.temp_hp else "journal.hit_points_set"
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


def _effect(event: EffectGained, names: LabelLookup) -> LineParts:
    key = "journal.effect_gained" if event.ends in ("", "never") else "journal.effect_gained_until"
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "until": f"<ends.{event.ends}>"}
    if event.valued:
        key, values = f"{key}_at", values | {"value": event.value}
    return phrase(key, who=names.label(event.target), **values), "warn", subject_of(event.target)


def _effect_ended(event: EffectEnded, names: LabelLookup) -> LineParts:
    line_phrase = phrase("journal.effect_ended", who=names.label(event.target), what=f"<condition.{event.name}>")
    return line_phrase, "plain", subject_of(event.target)


def _unaffected(event: Unaffected, names: LabelLookup) -> LineParts:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    line_phrase = phrase("journal.unaffected", who=names.label(event.who), what=event.what, reason=reason)
    return line_phrase, "plain", subject_of(event.who)


def _track(event: TrackSet, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"track": f"<track.{event.track}>", "before": event.before, "after": event.after}
    return phrase("journal.track_set", who=names.label(event.who), **values), "warn", subject_of(event.who)


def _healed(event: Healed, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"before": event.hp_before, "after": event.hp_after, "source": event.source}
    key = "journal.healed_from" if event.source else "journal.healed"
    gained = event.hp_after - event.hp_before
    return phrase(key, who=names.label(event.target), gained=gained, **values), "heal", subject_of(event.target)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        Rolled: _rolled,
        Skipped: _skipped,
        RelationCleared: _relation_cleared,
        RelationSet: _relation_set,
        StatSet: _stat_set,
        ActionTaken: _action_taken,
        ResourceRestored: _resource_restored,
        UsesSpent: _uses_spent,
        UsesSet: _uses_set,
        DamageTaken: _damage,
        DroppedToZero: _dropped,
        HitPointsSet: _hit_points_set,
        EffectGained: _effect,
        EffectEnded: _effect_ended,
        Unaffected: _unaffected,
        TrackSet: _track,
        Healed: _healed,
    }
)
