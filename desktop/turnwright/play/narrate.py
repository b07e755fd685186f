"""From what happened to what the journal says: each event becomes a word key with names and figures in it.

The words themselves stand in the catalogue of words; nothing here is a sentence. A parameter in angle brackets
(`<condition.prone>`) is a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.dice.roll import Roll
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Clock, Combatant
from turnwright.play import events as happened
from turnwright.play.events import AnyEvent, Line, Phrase, phrase
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import entry_in
from turnwright.rules.system import RuleSystem

Told = tuple[Phrase, str, tuple[str, str]]
NO_SUBJECT = ("", "")
UNSAID = frozenset({happened.TurnEnded, happened.RoundEnded})  # the next turn or round says it


class Names:
    """Finds the names of ids as they are now, or were before this step took them away."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def who(self, id: str) -> str:
        """Return a combatant's label."""
        one = self._tx.get(Combatant, id) or self._tx.base.get(Combatant, id)
        return one.label if one else id

    def all(self, ids: tuple[str, ...]) -> str:
        """Return labels in a row."""
        return ", ".join(self.who(id) for id in ids)

    def countdown(self, id: str) -> str:
        """Return a countdown's name."""
        found = self._tx.get(Countdown, id) or self._tx.base.get(Countdown, id)
        return found.name if found else id

    def row(self, environment: str, entry: str) -> str:
        """Return the name of a row of an environment."""
        place = self._tx.get(Environment, environment) or self._tx.base.get(Environment, environment)
        row = entry_in(place, entry) if place else None
        return row.name if row else entry


def tell(tx: Transaction, events: tuple[AnyEvent, ...], serial: int, rules: RuleSystem) -> tuple[Line, ...]:
    """Return the journal lines of a step's events, with the round and turn they fell in."""
    names = Names(tx)
    before = tx.base.get(Clock, "clock") or Clock()
    round_number, turn = before.round, before.active
    lines: list[Line] = []
    for event in events:
        if isinstance(event, happened.RoundStarted):
            round_number, turn = event.round, ""
        elif isinstance(event, happened.TurnStarted):
            turn = event.who[0] if event.who else ""
        if type(event) in UNSAID:
            continue
        said, kind, subject = TELLERS[type(event)](event, names)
        lines.append(
            Line(
                serial=serial,
                index=len(lines),
                round=round_number,
                phrase=said,
                kind=kind,
                turn=turn,
                subject=subject,
                rule=event.rule,
                roll=getattr(event, "roll", None),
                why=event.why if isinstance(event, happened.DamageTaken) else (),
            )
        )
    return tuple(lines)


def _combatant(id: str) -> tuple[str, str]:
    return (Combatant.table, id) if id else NO_SUBJECT


def _plain(key: str, kind: str = "plain") -> Callable[[Any, Names], Told]:
    """A line that needs nothing but who it is about."""

    def told(event: Any, names: Names) -> Told:
        who = getattr(event, "who", "")
        return phrase(f"journal.{key}", who=names.who(who)), kind, _combatant(who)

    return told


def _course(key: str, *fields: str) -> Callable[[Any, Names], Told]:
    """A line about the encounter's course with some fields of the event as they are."""

    def told(event: Any, names: Names) -> Told:
        values = {name: getattr(event, name) for name in fields}
        if "elapsed" in values:
            values["time"] = game_time(values["elapsed"])
        kind = "header" if key.startswith("round_started") else "plain"
        return phrase(f"journal.{key}", **values), kind, NO_SUBJECT

    return told


def game_time(seconds: int) -> str:
    """Return seconds of game time as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _members(key: str, kind: str) -> Callable[[Any, Names], Told]:
    def told(event: Any, names: Names) -> Told:
        return phrase(f"journal.{key}", who=names.all(event.who)), kind, _combatant(event.who[0] if event.who else "")

    return told


def _row(key: str, kind: str = "world") -> Callable[[Any, Names], Told]:
    """A line about a row of an environment."""

    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"what": names.row(event.environment, event.entry)}
        for field in ("face", "needed", "due"):
            if hasattr(event, field):
                values[field] = getattr(event, field) or "?"
        for field in ("who", "actor", "caster"):
            if getattr(event, field, ""):
                values[field] = names.who(getattr(event, field))
        if getattr(event, "reason", ""):
            values["reason"] = f"<{event.reason}>"
        return phrase(f"journal.{key}", **values), kind, (Environment.table, event.environment)

    return told


def _either(
    choose: Callable[[Any], str], *tellers: tuple[str, Callable[[Any, Names], Told]]
) -> Callable[[Any, Names], Told]:
    by_key = dict(tellers)
    return lambda event, names: by_key[choose(event)](event, names)


def _pool(key: str) -> Callable[[Any, Names], Told]:
    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"what": names.countdown(event.countdown)}
        for field in ("dice", "face", "left", "reason"):
            if hasattr(event, field):
                values[field] = getattr(event, field)
        if isinstance(event, happened.PoolRolled):
            values["faces"] = " ".join(map(str, event.faces)) or "?"
        if isinstance(event, happened.PoolAdjusted):
            values["by"] = f"{event.by:+d}"
        return phrase(f"journal.{key}", **values), "world", (Countdown.table, event.countdown)

    return told


def _rolled(event: happened.Rolled, names: Names) -> Told:
    key = "rolled" if event.who else "rolled_nobody" if event.detail else "rolled_alone"
    if event.passed is not None:
        key = "rolled_passed" if event.passed else "rolled_failed"
    values: dict[str, str | int] = {
        "purpose": f"<{event.purpose}>",
        "detail": event.detail,
        "total": total_of(event.roll),
        "dc": event.dc,
    }
    return phrase(f"journal.{key}", who=names.who(event.who), **values), "roll", _combatant(event.who)


def total_of(roll: Roll) -> str:
    """Return a roll's total as text, with a mark beside a natural 20 or 1; `?` where nobody knows it."""
    total = "?" if roll.total is None else str(roll.total)
    return f"{total} ({roll.natural}!)" if roll.natural in (1, 20) else total


def _skipped(event: happened.Skipped, names: Names) -> Told:
    key = "journal.skipped" if event.who else "journal.skipped_nobody" if event.detail else "journal.skipped_alone"
    values = {"purpose": f"<{event.purpose}>", "detail": event.detail}
    return phrase(key, who=names.who(event.who), **values), "roll", _combatant(event.who)


def _initiative(event: happened.InitiativeSet, names: Names) -> Told:
    key = f"journal.initiative_{event.how}"
    return phrase(key, who=names.who(event.who), total=event.total), "plain", _combatant(event.who)


def _acted(event: happened.Acted, names: Names) -> Told:
    key = "journal.acted" if event.action else "journal.spent"
    cost = f"<resource.{event.cost}>" if event.cost else ""
    action = event.action or event.note
    key += "" if event.cost else "_free"
    note = event.note if event.action else ""
    key += "_on" if event.targets else ""
    key += "_about" if event.targets and event.about else ""
    values = {"targets": names.all(event.targets), "foe": names.who(event.about) if event.about else ""}
    return (
        phrase(
            key + ("_note" if note else ""), who=names.who(event.who), action=action, cost=cost, note=note, **values
        ),
        "plain",
        _combatant(event.who),
    )


def _ruled_out(event: happened.RuledOut, names: Names) -> Told:
    return phrase("journal.ruled_out", who=names.who(event.who), what=event.what), "plain", _combatant(event.who)


def _trial_spared(event: happened.TrialSpared, names: Names) -> Told:
    values = {"action": event.action, "by": names.who(event.by), "why": f"<{event.why}>"}
    return phrase("journal.trial_spared", who=names.who(event.who), **values), "plain", _combatant(event.who)


def _compared(field: str, good: str, bad: str) -> Callable[[Any, Names], Told]:
    """A line about a total held against a score; where they are equal that is said."""

    def told(event: Any, names: Names) -> Told:
        key = f"journal.{good if getattr(event, 'hidden', False) or getattr(event, 'found', False) else bad}"
        key += "_tie" if event.total == event.score else ""
        values: dict[str, str | int] = {"other": names.who(getattr(event, field)), "total": event.total}
        return phrase(key, who=names.who(event.who), score=event.score, **values), "plain", _combatant(event.who)

    return told


def _maneuver(event: happened.ManeuverSettled, names: Names) -> Told:
    values = {"target": names.who(event.target), "what": event.maneuver, "outcome": f"<{event.outcome}>"}
    return phrase("journal.maneuver", who=names.who(event.who), **values), "plain", _combatant(event.target)


def _gave_way(event: happened.FellBack, names: Names) -> Told:
    key = "journal.fell_back" if event.presser else "journal.fell_back_alone"
    values: dict[str, str | int] = {"presser": names.who(event.presser), "feet": event.feet}
    return phrase(key, who=names.who(event.who), **values), "plain", _combatant(event.who)


def _followed(event: happened.Followed, names: Names) -> Told:
    values: dict[str, str | int] = {"after": names.who(event.after), "feet": event.feet}
    return phrase("journal.followed", who=names.who(event.who), **values), "plain", _combatant(event.who)


def _readied(event: happened.Readied, names: Names) -> Told:
    key = "journal.readied" if event.trigger else "journal.readied_untold"
    values = {"response": event.response, "trigger": event.trigger}
    return phrase(key, who=names.who(event.who), **values), "plain", _combatant(event.who)


def _readied_wasted(event: happened.ReadiedWasted, names: Names) -> Told:
    values = {"response": event.response, "why": f"<{event.why}>"}
    return phrase("journal.readied_wasted", who=names.who(event.who), **values), "plain", _combatant(event.who)


def _moved(event: happened.Moved, names: Names) -> Told:
    key = "journal.moved" if event.cost == event.feet else "journal.moved_at_cost"
    values: dict[str, str | int] = {"feet": event.feet, "cost": event.cost, "mode": f"<speed.{event.mode}>"}
    return phrase(key, who=names.who(event.who), **values), "plain", _combatant(event.who)


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
    return phrase(key, who=names.who(event.target), **values), "harm", _combatant(event.target)


def _healed(event: happened.Healed, names: Names) -> Told:
    values: dict[str, str | int] = {"before": event.hp_before, "after": event.hp_after, "source": event.source}
    key = "journal.healed_from" if event.source else "journal.healed"
    gained = event.hp_after - event.hp_before
    return phrase(key, who=names.who(event.target), gained=gained, **values), "heal", _combatant(event.target)


def _temporary(event: happened.TemporaryGained, names: Names) -> Told:
    key = "journal.temporary" if event.after != event.before or not event.before else "journal.temporary_kept"
    values: dict[str, str | int] = {"offered": event.offered, "after": event.after}
    return phrase(key, who=names.who(event.target), **values), "heal", _combatant(event.target)


def _temporary_lost(event: happened.TemporaryLost, names: Names) -> Told:
    said = phrase("journal.temporary_lost", who=names.who(event.target), before=event.before)
    return said, "plain", _combatant(event.target)


def _hit_points_set(event: happened.HitPointsSet, names: Names) -> Told:
    values: dict[str, str | int] = {"hp": event.hp, "hp_max": event.hp_max, "temp": event.temp_hp}
    return phrase("journal.hit_points_set", who=names.who(event.who), **values), "plain", _combatant(event.who)


def _effect(event: happened.EffectGained, names: Names) -> Told:
    key = "journal.effect_gained" if event.ends in ("", "never") else "journal.effect_gained_until"
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "until": f"<ends.{event.ends}>"}
    return phrase(key, who=names.who(event.target), **values), "warn", _combatant(event.target)


def _effect_ended(event: happened.EffectEnded, names: Names) -> Told:
    said = phrase("journal.effect_ended", who=names.who(event.target), what=f"<condition.{event.name}>")
    return said, "plain", _combatant(event.target)


def _unaffected(event: happened.Unaffected, names: Names) -> Told:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    said = phrase("journal.unaffected", who=names.who(event.who), what=event.what, reason=reason)
    return said, "plain", _combatant(event.who)


def _track(event: happened.TrackSet, names: Names) -> Told:
    values: dict[str, str | int] = {"track": f"<track.{event.track}>", "before": event.before, "after": event.after}
    return phrase("journal.track_set", who=names.who(event.who), **values), "warn", _combatant(event.who)


def _reminded(event: happened.Reminded, names: Names) -> Told:
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "round": event.since}
    key = "journal.reminded" if event.since else "journal.reminded_bare"
    return phrase(key, who=names.who(event.who), **values), "warn", _combatant(event.who)


def _used(event: happened.EntryUsed, names: Names) -> Told:
    key = "journal.used_on" if event.targets else "journal.used"
    if event.actor:
        key = "journal.used_by"
    values = {"what": names.row(event.environment, event.entry), "targets": names.all(event.targets)}
    return phrase(key, actor=names.who(event.actor), **values), "world", (Environment.table, event.environment)


def _shifted(key: str) -> Callable[[Any, Names], Told]:
    def told(event: Any, names: Names) -> Told:
        return phrase(f"journal.{key}", who=names.who(event.who), feet=event.feet), "world", _combatant(event.who)

    return told


def _text(key: str, kind: str) -> Callable[[Any, Names], Told]:
    return lambda event, _: (phrase(f"journal.{key}", text=event.text), kind, NO_SUBJECT)


def _shift(event: happened.Shifted, names: Names) -> Told:
    said = phrase(f"journal.shifted_{event.how}", who=names.who(event.who))
    return said, "plain", _combatant(event.who)


def _with_mount(key: str) -> Callable[[Any, Names], Told]:
    """A line about a rider and a mount, saying the price where there was one."""

    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"mount": names.who(event.mount), "cost": event.cost}
        suffix = "" if event.cost else "_free"
        return phrase(f"journal.{key}{suffix}", who=names.who(event.who), **values), "plain", _combatant(event.who)

    return told


def _dragged(event: happened.Dragged, names: Names) -> Told:
    return (
        phrase("journal.dragged", who=names.who(event.who), ally=names.who(event.ally)),
        "plain",
        _combatant(event.who),
    )


def _stood(event: happened.StoodUp, names: Names) -> Told:
    return phrase("journal.stood_up", who=names.who(event.who), cost=event.cost), "plain", _combatant(event.who)


def _planned(event: happened.Planned, names: Names) -> Told:
    return phrase("journal.planned", who=names.who(event.who), text=event.text), "plain", _combatant(event.who)


def _regained(event: happened.Regained, names: Names) -> Told:
    said = phrase("journal.regained", who=names.who(event.who), resource=f"<resource.{event.resource}>")
    return said, "plain", _combatant(event.who)


def _joined(event: happened.Joined, names: Names) -> Told:
    return (
        phrase("journal.joined", who=names.who(event.who), side=f"<side.{event.side}>"),
        "warn",
        _combatant(event.who),
    )


def _likeness(event: happened.LikenessDrawn, names: Names) -> Told:
    said = phrase("journal.likeness", who=names.who(event.who), like=names.who(event.like))
    return said, "world", _combatant(event.who)


def _left(event: happened.Left, names: Names) -> Told:
    return phrase("journal.left", who=event.label), "plain", NO_SUBJECT


def _corrected(event: happened.Corrected, names: Names) -> Told:
    values: dict[str, str | int] = {"text": event.text, "serial": event.serial, "line": event.line}
    return phrase("journal.corrected", **values), "correction", NO_SUBJECT


def _anyway(event: happened.DoneAnyway, names: Names) -> Told:
    said = {"reason": f"<{event.reason}>", **dict(event.params)}
    return phrase("journal.done_anyway", **said), "warn", NO_SUBJECT


def _rest(event: happened.Rested, names: Names) -> Told:
    return phrase(f"journal.rested_{event.length}"), "header", NO_SUBJECT


def _setup(event: happened.SetupReached, names: Names) -> Told:
    return phrase(f"journal.setup_{event.step}"), "header", NO_SUBJECT


def _scene_set(event: happened.SceneSet, names: Names) -> Told:
    places = "; ".join(f"{names.who(id)}: {place}" for id, place in event.places)
    values: dict[str, str | int] = {
        "places": places,
        "features": ", ".join(event.features),
        "seconds": event.round_seconds,
    }
    key = "journal.scene_set" if places or event.features else "journal.scene_set_bare"
    return phrase(key, **values), "plain", NO_SUBJECT


def _started(event: happened.EncounterStarted, names: Names) -> Told:
    key = "journal.encounter_started_for" if event.reason else "journal.encounter_started"
    return phrase(key, reason=event.reason), "header", NO_SUBJECT


def _world_turn(_event: happened.WorldTurnStarted, _names: Names) -> Told:
    return phrase("journal.world_turn"), "world", NO_SUBJECT


def _related(event: happened.Related, names: Names) -> Told:
    value = event.value
    told = f"related_{event.fact}" + (f"_{value}" if value in ("yes", "no") else "")
    if event.fact == "cover":
        value = f"<cover.{value}>"
    said = phrase(f"journal.{told}", one=names.who(event.one), other=names.who(event.other), value=value)
    return said, "plain", _combatant(event.one)


def _supplied(event: happened.Supplied, names: Names) -> Told:
    said = phrase("journal.supplied", who=names.who(event.who), figure=event.figure, value=event.value)
    return said, "plain", _combatant(event.who)


def _attacked(event: happened.Attacked, names: Names) -> Told:
    key = f"journal.attack_{event.outcome}"
    if not event.name or (event.guessed and event.outcome == "miss"):
        key = "journal.attack_missed_place"
    elif event.roll is None or event.ac is None:
        key += "_unsaid"
    total = total_of(event.roll) if event.roll is not None else "?"
    values: dict[str, str | int] = {"means": event.means, "target": event.name, "total": total, "ac": event.ac or 0}
    hurt = event.outcome in ("hit", "critical")
    return phrase(key, who=names.who(event.who), **values), "harm" if hurt else "plain", _combatant(event.who)


def _attack_failed(event: happened.AttackFailed, names: Names) -> Told:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    values: dict[str, str | int] = {"attacker": names.who(event.who), "means": event.means, "reason": reason}
    return phrase("journal.attack_failed", **{**dict(event.params), **values}), "plain", _combatant(event.who)


def _guess_made(event: happened.GuessMade, names: Names) -> Told:
    key = "journal.guess_right" if event.right else "journal.guess_wrong"
    total = total_of(event.roll) if event.roll is not None else "?"
    return (
        phrase(key, who=names.who(event.who), target=names.who(event.target), total=total),
        "secret",
        _combatant(event.who),
    )


def _blocked(event: happened.CriticalBlocked, names: Names) -> Told:
    return phrase(f"journal.critical_{event.by}", who=names.who(event.who)), "warn", _combatant(event.who)


def _thing(event: happened.ThingDamaged | happened.ThingBroken, names: Names) -> Told:
    if isinstance(event, happened.ThingBroken):
        return phrase("journal.thing_broken", what=event.thing, amount=event.amount), "harm", NO_SUBJECT
    said = phrase("journal.thing_damaged", what=event.thing, amount=event.amount, left=event.left)
    return said, "harm", NO_SUBJECT


def _if(field: str, yes: str, no: str) -> Callable[[Any], str]:
    return lambda event: yes if getattr(event, field) else no


def _supply(event: happened.SupplySpent, names: Names) -> Told:
    word, _, level = event.supply.partition(".")
    key = "journal.slot_spent" if word == "slots" else "journal.supply_spent"
    values: dict[str, str | int] = {"what": event.what, "left": event.left, "most": event.most, "level": level}
    return phrase(key, who=names.who(event.who), **values), "plain", _combatant(event.who)


def _supply_set(event: happened.SupplySet, names: Names) -> Told:
    word, _, level = event.supply.partition(".")
    key = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}.get(word, "journal.supply_set")
    values: dict[str, str | int] = {"what": event.what, "before": event.before, "left": event.left, "level": level}
    return phrase(key, who=names.who(event.who), **values), "warn", _combatant(event.who)


def _recharged(event: happened.FeatureRecharged, names: Names) -> Told:
    key = "journal.feature_back" if event.back else "journal.feature_spent"
    face = "?" if event.face is None else event.face
    return phrase(key, who=names.who(event.who), what=event.feature, face=face), "plain", _combatant(event.who)


def _feature_used(event: happened.FeatureUsed, names: Names) -> Told:
    key = "journal.feature_used_on" if event.targets else "journal.feature_used"
    key += "_save" if event.save and event.targets else ""
    values: dict[str, str | int] = {
        "who": names.all(event.who),
        "what": event.feature,
        "targets": names.all(event.targets),
        "save": f"<save.{event.save}>",
        "dc": event.dc,
    }
    return phrase(key, **values), "plain", _combatant(event.who[0]) if event.who else NO_SUBJECT


def _commanded(event: happened.Commanded, names: Names) -> Told:
    key = "journal.commanded_against" if event.target else "journal.commanded"
    values = {"creatures": names.all(event.creatures), "action": event.action, "target": names.who(event.target)}
    return phrase(key, who=names.who(event.who), **values), "plain", _combatant(event.who)


def _group_checked(event: happened.GroupChecked, names: Names) -> Told:
    key = "journal.group_checked_numbers" if event.numbers else "journal.group_checked"
    values: dict[str, str | int] = {"total": event.total, "numbers": event.numbers, "check": f"<check.{event.check}>"}
    return phrase(key, who=names.all(event.who), **values), "plain", _combatant(event.who[0])


TELLERS: Mapping[type[happened.Event], Callable[[Any, Names], Told]] = MappingProxyType(
    {
        happened.EncounterStarted: _started,
        happened.SetupReached: _setup,
        happened.SceneSet: _scene_set,
        happened.RoundStarted: _course("round_started", "round", "elapsed"),
        happened.WorldTurnStarted: _world_turn,
        happened.TurnStarted: _members("turn_started", "turn"),
        happened.EncounterEnded: _course("encounter_ended", "round"),
        happened.WentBackToPrepared: _course("went_back"),
        happened.Rested: _rest,
        happened.Rolled: _rolled,
        happened.Skipped: _skipped,
        happened.SneakingMarked: _either(
            _if("sneaking", "yes", "no"), ("yes", _plain("sneaking")), ("no", _plain("not_sneaking"))
        ),
        happened.Surprised: _plain("surprised", "warn"),
        happened.NobodySurprised: _course("nobody_surprised"),
        happened.InitiativeSet: _initiative,
        happened.OrderSettled: _members("order_settled", "plain"),
        happened.Acted: _acted,
        happened.RuledOut: _ruled_out,
        happened.TrialSpared: _trial_spared,
        happened.HidFrom: _compared("observer", "hid_from", "noticed_by"),
        happened.SearchedFor: _compared("hider", "search_found", "search_missed"),
        happened.ManeuverSettled: _maneuver,
        happened.FellBack: _gave_way,
        happened.Followed: _followed,
        happened.Readied: _readied,
        happened.ReadiedWasted: _readied_wasted,
        happened.Regained: _regained,
        happened.Moved: _moved,
        happened.Shifted: _shift,
        happened.StoodUp: _stood,
        happened.Mounted: _with_mount("mounted"),
        happened.Dismounted: _with_mount("dismounted"),
        happened.Dragged: _dragged,
        happened.Halted: _plain("halted"),
        happened.FallBegan: _shifted("fall_began"),
        happened.Planned: _planned,
        happened.DamageTaken: _damage,
        happened.DroppedToZero: _plain("dropped", "harm"),
        happened.Healed: _healed,
        happened.TemporaryGained: _temporary,
        happened.TemporaryLost: _temporary_lost,
        happened.HitPointsSet: _hit_points_set,
        happened.Died: _plain("died", "harm"),
        happened.RestoredToLife: _plain("restored", "heal"),
        happened.EffectGained: _effect,
        happened.EffectEnded: _effect_ended,
        happened.Unaffected: _unaffected,
        happened.TrackSet: _track,
        happened.SupplySpent: _supply,
        happened.SupplySet: _supply_set,
        happened.FeatureRecharged: _recharged,
        happened.FeatureUsed: _feature_used,
        happened.Commanded: _commanded,
        happened.GroupChecked: _group_checked,
        happened.CaughtFire: lambda event, _: (phrase("journal.caught_fire", what=event.thing), "world", NO_SUBJECT),
        happened.TimePassed: _course("time_passed", "hours"),
        happened.Reminded: _reminded,
        happened.EntryUsed: _used,
        happened.EntryFailed: _row("entry_failed"),
        happened.Found: _row("found"),
        happened.Reflected: _either(
            _if("back", "yes", "no"), ("yes", _row("reflected")), ("no", _row("reflected_astray"))
        ),
        happened.Disturbed: _row("disturbed"),
        happened.Pushed: _shifted("pushed"),
        happened.Teleported: _shifted("teleported"),
        happened.RechargeRolled: _either(
            _if("ready", "yes", "no"), ("yes", _row("recharged")), ("no", _row("not_recharged"))
        ),
        happened.ReadinessSet: _either(
            _if("ready", "yes", "no"), ("yes", _row("set_ready")), ("no", _row("set_spent"))
        ),
        happened.PoolStarted: _pool("pool_started"),
        happened.PoolRolled: _pool("pool_rolled"),
        happened.PoolAdjusted: _either(
            _if("reason", "yes", "no"), ("yes", _pool("pool_adjusted_for")), ("no", _pool("pool_adjusted"))
        ),
        happened.PoolStopped: _pool("pool_stopped"),
        happened.PoolUnstoppable: _either(
            _if("unstoppable", "yes", "no"), ("yes", _pool("pool_unstoppable")), ("no", _pool("pool_stoppable"))
        ),
        happened.PoolExpired: _pool("pool_expired"),
        happened.Announced: _text("announced", "world"),
        happened.Joined: _joined,
        happened.LikenessDrawn: _likeness,
        happened.Left: _left,
        happened.Related: _related,
        happened.Supplied: _supplied,
        happened.Noted: _text("noted", "note"),
        happened.Corrected: _corrected,
        happened.Attacked: _attacked,
        happened.AttackFailed: _attack_failed,
        happened.GuessMade: _guess_made,
        happened.CriticalBlocked: _blocked,
        happened.ThingDamaged: _thing,
        happened.ThingBroken: _thing,
        happened.DoneAnyway: _anyway,
    }
)
