"""Lines about what combatants do: actions, attacks, movement, features, and what they spend on them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from turnwright.play import events as happened
from turnwright.play.events import phrase
from turnwright.play.narrate.told import (
    NO_SUBJECT,
    Names,
    Teller,
    Told,
    about,
    plain,
    shifted,
    total_of,
)


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
        about(event.who),
    )


def _ruled_out(event: happened.RuledOut, names: Names) -> Told:
    return phrase("journal.ruled_out", who=names.who(event.who), what=event.what), "plain", about(event.who)


def _trial_spared(event: happened.TrialSpared, names: Names) -> Told:
    values = {"action": event.action, "by": names.who(event.by), "why": f"<{event.why}>"}
    return phrase("journal.trial_spared", who=names.who(event.who), **values), "plain", about(event.who)


def _compared(field: str, good: str, bad: str) -> Teller:
    """A line about a total held against a score; where they are equal that is said."""

    def told(event: Any, names: Names) -> Told:
        key = f"journal.{good if getattr(event, 'hidden', False) or getattr(event, 'found', False) else bad}"
        key += "_tie" if event.total == event.score else ""
        values: dict[str, str | int] = {"other": names.who(getattr(event, field)), "total": event.total}
        return phrase(key, who=names.who(event.who), score=event.score, **values), "plain", about(event.who)

    return told


def _maneuver(event: happened.ManeuverSettled, names: Names) -> Told:
    values = {"target": names.who(event.target), "what": event.maneuver, "outcome": f"<{event.outcome}>"}
    return phrase("journal.maneuver", who=names.who(event.who), **values), "plain", about(event.target)


def _gave_way(event: happened.FellBack, names: Names) -> Told:
    key = "journal.fell_back" if event.presser else "journal.fell_back_alone"
    values: dict[str, str | int] = {"presser": names.who(event.presser), "feet": event.feet}
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _followed(event: happened.Followed, names: Names) -> Told:
    values: dict[str, str | int] = {"after": names.who(event.after), "feet": event.feet}
    return phrase("journal.followed", who=names.who(event.who), **values), "plain", about(event.who)


def _readied(event: happened.Readied, names: Names) -> Told:
    key = "journal.readied" if event.trigger else "journal.readied_untold"
    values = {"response": event.response, "trigger": event.trigger}
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _readied_wasted(event: happened.ReadiedWasted, names: Names) -> Told:
    values = {"response": event.response, "why": f"<{event.why}>"}
    return phrase("journal.readied_wasted", who=names.who(event.who), **values), "plain", about(event.who)


def _moved(event: happened.Moved, names: Names) -> Told:
    key = "journal.moved" if event.cost == event.feet else "journal.moved_at_cost"
    values: dict[str, str | int] = {"feet": event.feet, "cost": event.cost, "mode": f"<speed.{event.mode}>"}
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _shift(event: happened.Shifted, names: Names) -> Told:
    said = phrase(f"journal.shifted_{event.how}", who=names.who(event.who))
    return said, "plain", about(event.who)


def _with_mount(key: str) -> Teller:
    """A line about a rider and a mount, saying the price where there was one."""

    def told(event: Any, names: Names) -> Told:
        values: dict[str, str | int] = {"mount": names.who(event.mount), "cost": event.cost}
        suffix = "" if event.cost else "_free"
        return phrase(f"journal.{key}{suffix}", who=names.who(event.who), **values), "plain", about(event.who)

    return told


def _dragged(event: happened.Dragged, names: Names) -> Told:
    return (
        phrase("journal.dragged", who=names.who(event.who), ally=names.who(event.ally)),
        "plain",
        about(event.who),
    )


def _worked(event: happened.WorkedAt, names: Names) -> Told:
    who, target = names.who(event.who), names.who(event.target)
    said = phrase("journal.worked_at", who=who, target=target, done=event.done, need=event.need)
    return said, "plain", about(event.who)


def _stood(event: happened.StoodUp, names: Names) -> Told:
    word = "stood_up" if event.cost else "stood_up_by_action"
    return phrase(f"journal.{word}", who=names.who(event.who), cost=event.cost), "plain", about(event.who)


def _planned(event: happened.Planned, names: Names) -> Told:
    return phrase("journal.planned", who=names.who(event.who), text=event.text), "plain", about(event.who)


def _regained(event: happened.Regained, names: Names) -> Told:
    values: dict[str, str | int] = {"resource": f"<resource.{event.resource}>"}
    if event.after is not None:
        values |= {"before": event.before, "after": event.after}
    key = "journal.regained" if event.after is None else "journal.regained_so_many"
    said = phrase(key, who=names.who(event.who), **values)
    return said, "plain", about(event.who)


def _attacked(event: happened.Attacked, names: Names) -> Told:
    key = f"journal.attack_{event.outcome}"
    if not event.name or (event.guessed and event.outcome == "miss"):
        key = "journal.attack_missed_place"
    elif event.roll is None or event.ac is None:
        key += "_unsaid"
    total = total_of(event.roll) if event.roll is not None else "?"
    values: dict[str, str | int] = {"means": event.means, "target": event.name, "total": total, "ac": event.ac or 0}
    hurt = event.outcome in ("hit", "critical")
    return phrase(key, who=names.who(event.who), **values), "harm" if hurt else "plain", about(event.who)


def _attack_failed(event: happened.AttackFailed, names: Names) -> Told:
    reason = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    values: dict[str, str | int] = {"attacker": names.who(event.who), "means": event.means, "reason": reason}
    return phrase("journal.attack_failed", **{**dict(event.params), **values}), "plain", about(event.who)


def _guess_made(event: happened.GuessMade, names: Names) -> Told:
    key = "journal.guess_right" if event.right else "journal.guess_wrong"
    total = total_of(event.roll) if event.roll is not None else "?"
    return (
        phrase(key, who=names.who(event.who), target=names.who(event.target), total=total),
        "secret",
        about(event.who),
    )


def _blocked(event: happened.CriticalBlocked, names: Names) -> Told:
    return phrase(f"journal.critical_{event.by}", who=names.who(event.who)), "warn", about(event.who)


def _supply(event: happened.SupplySpent, names: Names) -> Told:
    word, _, level = event.supply.partition(".")
    key = "journal.slot_spent" if word == "slots" else "journal.supply_spent"
    values: dict[str, str | int] = {"what": event.what, "left": event.left, "most": event.most, "level": level}
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _supply_set(event: happened.SupplySet, names: Names) -> Told:
    word, _, level = event.supply.partition(".")
    key = {"slots": "journal.slots_set", "legendary": "journal.legendary_set"}.get(word, "journal.supply_set")
    values: dict[str, str | int] = {"what": event.what, "before": event.before, "left": event.left, "level": level}
    return phrase(key, who=names.who(event.who), **values), "warn", about(event.who)


def _recharged(event: happened.FeatureRecharged, names: Names) -> Told:
    key = "journal.feature_back" if event.back else "journal.feature_spent"
    face = "?" if event.face is None else event.face
    return phrase(key, who=names.who(event.who), what=event.feature, face=face), "plain", about(event.who)


def _feature_used(event: happened.FeatureUsed, names: Names) -> Told:
    key = "journal.feature_used_on" if event.targets else "journal.feature_used"
    if event.save and event.targets:
        key += "_save" if event.dc else "_open_save"
    values: dict[str, str | int] = {
        "who": names.all(event.who),
        "what": event.feature,
        "targets": names.all(event.targets),
        "save": f"<save.{event.save}>",
        "dc": event.dc,
    }
    return phrase(key, **values), "plain", about(event.who[0]) if event.who else NO_SUBJECT


def _commanded(event: happened.Commanded, names: Names) -> Told:
    key = "journal.commanded_against" if event.target else "journal.commanded"
    values = {"creatures": names.all(event.creatures), "action": event.action, "target": names.who(event.target)}
    return phrase(key, who=names.who(event.who), **values), "plain", about(event.who)


def _group_checked(event: happened.GroupChecked, names: Names) -> Told:
    key = "journal.group_checked_numbers" if event.numbers else "journal.group_checked"
    values: dict[str, str | int] = {"total": event.total, "numbers": event.numbers, "check": f"<check.{event.check}>"}
    return phrase(key, who=names.all(event.who), **values), "plain", about(event.who[0])


def _action_announced(event: happened.ActionAnnounced, names: Names) -> Told:
    key = "journal.announced_answer" if event.of else "journal.action_announced"
    values = {"answers": event.answers, "of": names.who(event.of) if event.of else ""}
    return phrase(key, who=names.who(event.who), action=event.action, **values), "plain", about(event.who)


def _undone(event: happened.Undone, names: Names) -> Told:
    why = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    values: dict[str, str | int] = {**dict(event.params), "action": event.action, "why": why}
    return phrase("journal.undone", **{**values, "who": names.who(event.who)}), "plain", about(event.who)


def _kept(event: happened.Kept, names: Names) -> Told:
    values = {"action": event.action, "source": event.source}
    return phrase("journal.kept", who=names.who(event.who), **values), "plain", about(event.who)


TELLERS: Mapping[type[happened.Event], Teller] = MappingProxyType(
    {
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
        happened.WorkedAt: _worked,
        happened.Mounted: _with_mount("mounted"),
        happened.Dismounted: _with_mount("dismounted"),
        happened.Dragged: _dragged,
        happened.Halted: plain("halted"),
        happened.ActionAnnounced: _action_announced,
        happened.Undone: _undone,
        happened.Kept: _kept,
        happened.FallBegan: shifted("fall_began"),
        happened.Planned: _planned,
        happened.SupplySpent: _supply,
        happened.SupplySet: _supply_set,
        happened.FeatureRecharged: _recharged,
        happened.FeatureUsed: _feature_used,
        happened.Commanded: _commanded,
        happened.GroupChecked: _group_checked,
        happened.Attacked: _attacked,
        happened.AttackFailed: _attack_failed,
        happened.GuessMade: _guess_made,
        happened.CriticalBlocked: _blocked,
    }
)
