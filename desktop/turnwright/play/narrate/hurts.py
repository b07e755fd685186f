"""Lines about what befalls combatants: damage and healing, conditions and levels, and things that break."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play import events as happened
from turnwright.play.events import phrase
from turnwright.play.narrate.told import (
    NO_SUBJECT,
    Names,
    Teller,
    Told,
    about,
    plain,
)


def _damage(event: happened.DamageTaken, names: Names) -> Told:
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
    return phrase(key, who=names.who(event.target), **values), "harm", about(event.target)


def _dropped(event: happened.DroppedToZero, names: Names) -> Told:
    return phrase("journal.dropped", who=names.who(event.who), hp=event.hp), "harm", about(event.who)


def _healed(event: happened.Healed, names: Names) -> Told:
    values: dict[str, str | int] = {"before": event.hp_before, "after": event.hp_after, "source": event.source}
    key = "journal.healed_from" if event.source else "journal.healed"
    gained = event.hp_after - event.hp_before
    return phrase(key, who=names.who(event.target), gained=gained, **values), "heal", about(event.target)


def _temporary(event: happened.TemporaryGained, names: Names) -> Told:
    key = "journal.temporary" if event.after != event.before or not event.before else "journal.temporary_kept"
    values: dict[str, str | int] = {"offered": event.offered, "after": event.after}
    return phrase(key, who=names.who(event.target), **values), "heal", about(event.target)


def _temporary_lost(event: happened.TemporaryLost, names: Names) -> Told:
    said = phrase("journal.temporary_lost", who=names.who(event.target), before=event.before)
    return said, "plain", about(event.target)


def _hit_points_set(event: happened.HitPointsSet, names: Names) -> Told:
    values: dict[str, str | int] = {"hp": event.hp, "hp_max": event.hp_max, "temp": event.temp_hp}
    key = "journal.hit_points_set_with" if event.temp_hp else "journal.hit_points_set"
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _effect(event: happened.EffectGained, names: Names) -> Told:
    key = "journal.effect_gained" if event.ends in ("", "never") else "journal.effect_gained_until"
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "until": f"<ends.{event.ends}>"}
    if event.valued:
        key, values = f"{key}_at", values | {"value": event.value}
    return phrase(key, who=names.who(event.target), **values), "warn", about(event.target)


def _effect_ended(event: happened.EffectEnded, names: Names) -> Told:
    said = phrase("journal.effect_ended", who=names.who(event.target), what=f"<condition.{event.name}>")
    return said, "plain", about(event.target)


def _effect_counted(event: happened.EffectCounted, names: Names) -> Told:
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "n": event.left, "value": event.value}
    key = "journal.effect_lasts" if event.left else "journal.effect_stands"
    return phrase(key, who=names.who(event.target), **values), "plain", about(event.target)


def _unaffected(event: happened.Unaffected, names: Names) -> Told:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    said = phrase("journal.unaffected", who=names.who(event.who), what=event.what, reason=reason)
    return said, "plain", about(event.who)


def _track(event: happened.TrackSet, names: Names) -> Told:
    values: dict[str, str | int] = {"track": f"<track.{event.track}>", "before": event.before, "after": event.after}
    return phrase("journal.track_set", who=names.who(event.who), **values), "warn", about(event.who)


def _reminded(event: happened.Reminded, names: Names) -> Told:
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "round": event.since}
    key = "journal.reminded" if event.since else "journal.reminded_bare"
    return phrase(key, who=names.who(event.who), **values), "warn", about(event.who)


def _thing(event: happened.ThingDamaged | happened.ThingBroken, names: Names) -> Told:
    if isinstance(event, happened.ThingBroken):
        return phrase("journal.thing_broken", what=event.thing, amount=event.amount), "harm", NO_SUBJECT
    said = phrase("journal.thing_damaged", what=event.thing, amount=event.amount, left=event.left)
    return said, "harm", NO_SUBJECT


TELLERS: Mapping[type[happened.Event], Teller] = MappingProxyType(
    {
        happened.DamageTaken: _damage,
        happened.DroppedToZero: _dropped,
        happened.Healed: _healed,
        happened.TemporaryGained: _temporary,
        happened.TemporaryLost: _temporary_lost,
        happened.HitPointsSet: _hit_points_set,
        happened.Died: plain("died", "harm"),
        happened.RestoredToLife: plain("restored", "heal"),
        happened.EffectGained: _effect,
        happened.EffectEnded: _effect_ended,
        happened.EffectCounted: _effect_counted,
        happened.Unaffected: _unaffected,
        happened.TrackSet: _track,
        happened.Reminded: _reminded,
        happened.ThingDamaged: _thing,
        happened.ThingBroken: _thing,
    }
)
