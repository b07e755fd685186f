"""Journal lines of the events in `play.attacks.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.attacks.events import (
    Attacked,
    AttackFailed,
    AttackGuessed,
    CaughtFire,
    CriticalNegated,
    FeatureUsed,
    ObjectDamaged,
    ObjectDestroyed,
)
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import NO_SUBJECT, Formatter, LabelLookup, LineParts, roll_total, subject_of


def _attacked(event: Attacked, names: LabelLookup) -> LineParts:
    key = f"journal.attack_{event.outcome}"
    if not event.name or (event.guessed and event.outcome == "miss"):
        key = "journal.attack_missed_place"
    elif event.roll is None or event.ac is None:
        key += "_unsaid"
    total = roll_total(event.roll) if event.roll is not None else "?"
    values: dict[str, str | int] = {"means": event.weapon, "target": event.name, "total": total, "ac": event.ac or 0}
    hurt = event.outcome in ("hit", "critical")
    return phrase(key, who=names.label(event.who), **values), "harm" if hurt else "plain", subject_of(event.who)


def _attack_failed(event: AttackFailed, names: LabelLookup) -> LineParts:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    values: dict[str, str | int] = {"attacker": names.label(event.who), "means": event.weapon, "reason": reason}
    return phrase("journal.attack_failed", **{**dict(event.params), **values}), "plain", subject_of(event.who)


def _guess_made(event: AttackGuessed, names: LabelLookup) -> LineParts:
    key = "journal.guess_right" if event.right else "journal.guess_wrong"
    total = roll_total(event.roll) if event.roll is not None else "?"
    return (
        phrase(key, who=names.label(event.who), target=names.label(event.target), total=total),
        "secret",
        subject_of(event.who),
    )


def _blocked(event: CriticalNegated, names: LabelLookup) -> LineParts:
    return phrase(f"journal.critical_{event.by}", who=names.label(event.who)), "warn", subject_of(event.who)


def _feature_used(event: FeatureUsed, names: LabelLookup) -> LineParts:
    key = "journal.feature_used_on" if event.targets else "journal.feature_used"
    if event.save and event.targets:
        key += "_save" if event.dc else "_open_save"
    values: dict[str, str | int] = {
        "who": names.labels(event.who),
        "what": event.feature,
        "targets": names.labels(event.targets),
        "save": f"<save.{event.save}>",
        "dc": event.dc,
    }
    return phrase(key, **values), "plain", subject_of(event.who[0]) if event.who else NO_SUBJECT


def _thing(event: ObjectDamaged | ObjectDestroyed, names: LabelLookup) -> LineParts:
    if isinstance(event, ObjectDestroyed):
        return phrase("journal.thing_broken", what=event.object_name, amount=event.amount), "harm", NO_SUBJECT
    said = phrase("journal.thing_damaged", what=event.object_name, amount=event.amount, left=event.left)
    return said, "harm", NO_SUBJECT


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        FeatureUsed: _feature_used,
        Attacked: _attacked,
        AttackFailed: _attack_failed,
        AttackGuessed: _guess_made,
        CriticalNegated: _blocked,
        ObjectDamaged: _thing,
        ObjectDestroyed: _thing,
        CaughtFire: lambda event, _: (phrase("journal.caught_fire", what=event.object_name), "world", NO_SUBJECT),
    }
)
