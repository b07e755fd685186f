"""What creatures do besides their turns: legendary actions after those of others, lair actions at a count of the order.

Neither is ever offered to somebody who is down or can't act.
"""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Assault, Onslaught, Option, Procedure, Watch
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Clock, Combatant, Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.assaults import legality
from turnwright.play.events import AttackFailed
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.procedures.order import is_anybody_there, still_to_act
from turnwright.play.procedures.recharges import is_fit
from turnwright.play.supplies import LEGENDARY, have, legendary_options, spend_supply, supply_of
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.system import RuleSystem, creature_of

PASS = "pass"
LAIR = "lair"


def may_act(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody is on their feet and nothing keeps them from acting."""
    if not is_fit(lookup, who):
        return False
    return not contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, "action")).vetoes


def begin_legendary(tx: Transaction, ended: tuple[str, ...], parent: str = "") -> None:
    """Offer legendary actions at the end of a turn to those who still have some, unless the turn was their own."""
    for one in [*tx.all(Combatant)]:
        if one.id not in ended and is_fit(tx, one.id) and legendary_options(tx, one.id):
            begin(tx, LEGENDARY, "offer", Watch(one.id), parent)


def options_of(lookup: Lookup, who: str, sort: str) -> tuple[Feature, ...]:
    """Return what somebody may do now besides their turn."""
    return legendary_options(lookup, who) if sort == LEGENDARY else lair_options(lookup, who)


def offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask which of its actions of the sort, if any."""
    who = watch_of(procedure).who
    options = tuple(Option(one.id, one.name) for one in options_of(tx, who, procedure.kind))
    if not options or not may_act(tx, rules, who):
        return None
    asked = Ask(
        id="which",
        kind="choice",
        label=f"ask.{procedure.kind}",
        who=who,
        options=(*options, Option(PASS, "option.pass")),
        suggested=(PASS,),
    )
    ask(tx, procedure, f"prompt.{procedure.kind}", [asked], subject=tx.need(Combatant, who).label)
    return at(procedure, "taken")


def taken(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Spend what it costs, and ask on whom."""
    data = watch_of(procedure)
    which = next(iter(answers["which"].chosen), PASS) if "which" in answers else PASS
    feature = next((one for one in options_of(tx, data.who, procedure.kind) if one.id == which), None)
    if feature is None or not may_act(tx, rules, data.who):
        return None
    if feature.attack is None and not feature.save and not feature.damage:
        _do(tx, rules, procedure, feature, ())
        return None
    options = tuple(
        Option(one.id, one.label)
        for one in tx.all(Combatant)
        if one.id != data.who and not one.dead and _can_reach(tx, rules, procedure, feature, one.id)
    )
    if not options:
        tx.emit(AttackFailed(who=data.who, means=feature.name, reason="why.nobody_in_reach"))
        return None
    asked = Ask(
        "who", "targets", "ask.targets_one", data.who, options=options, most=1 if feature.attack is not None else 0
    )
    ask(tx, procedure, f"prompt.{procedure.kind}", [asked], subject=feature.name)
    return at(procedure, "struck", Watch(data.who, what=feature.id))


def struck(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the action happen to those named; naming nobody keeps it."""
    data = watch_of(procedure)
    feature = next((one for one in options_of(tx, data.who, procedure.kind) if one.id == data.what), None)
    chosen = answers["who"].chosen if "who" in answers else ()
    if feature is not None and chosen and may_act(tx, rules, data.who):
        _do(tx, rules, procedure, feature, chosen)


def _can_reach(tx: Transaction, rules: RuleSystem, procedure: Procedure, feature: Feature, target: str) -> bool:
    """Return whether such an action may be aimed at somebody; what takes no roll to hit may be, at anybody."""
    if feature.attack is None:
        return True
    assault = Assault(watch_of(procedure).who, feature, target, purpose=procedure.kind)
    if procedure.kind == LEGENDARY:
        return not legality(tx, rules, assault)
    return not rules.attack.vetoes(tx, rules, assault)


def _do(tx: Transaction, rules: RuleSystem, procedure: Procedure, feature: Feature, targets: tuple[str, ...]) -> None:
    who, parent = watch_of(procedure).who, procedure.parent
    if procedure.kind == LEGENDARY:
        spend_supply(tx, who, LEGENDARY, feature.name, feature.price)
    else:
        _set_mark(tx, who, f"{LAIR}.{feature.id}")
        spend_supply(tx, who, supply_of(feature), feature.name)
    if feature.attack is not None and targets:
        begin(tx, "attack", "declare", Assault(who, feature, targets[0], purpose=procedure.kind), parent)
        return
    if feature.concentration:
        concentrate(tx, rules, who, feature.name)
    onslaught = Onslaught((who,), feature, targets, save=feature.save, dc=feature.dc, half=feature.half)
    begin(tx, "onslaught", "saves", onslaught, parent)


# Lairs ------------------------------------------------------------------------------------------------------------


def begin_lairs(tx: Transaction, rules: RuleSystem) -> bool:
    """Let those who are at home act when their count of the order has come, after all who act on it; return whether.

    What they do has a parent, the stage at which `turns` goes on when all of it is done.
    """
    count, clock = rules.catalogue.initiative.lair, tx.need(Clock, "clock")
    following = next((slot for slot in still_to_act(tx, rules) if is_anybody_there(tx, slot)), None)
    passed = any(slot.count < count and (slot.acted or slot.id == clock.active) for slot in tx.all(Slot))
    if not count or passed or (following is not None and following.count >= count):
        return False
    fresh = [one.id for one in tx.all(Combatant) if _mark(tx, one.id, LAIR) != clock.round and _has_lair(tx, one)]
    for who in fresh:
        _set_mark(tx, who, LAIR)
    able = [who for who in fresh if lair_options(tx, who) and may_act(tx, rules, who)]
    if not able:
        return False
    tx.update(clock, active="")
    over = begin(tx, LAIR, "over", Watch(""))
    for who in reversed(able):
        begin(tx, LAIR, "offer", Watch(who), over.id)
    return True


def lair_options(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the lair actions that somebody has and did not use in the round before."""
    clock = lookup.get(Clock, "clock")
    before = (clock.round if clock is not None else 0) - 1
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    found = (one for one in features if one.cost == LAIR and _mark(lookup, who, f"{LAIR}.{one.id}") != before)
    return tuple(one for one in found if not supply_of(one) or have(lookup, who, supply_of(one)))


def _has_lair(lookup: Lookup, one: Combatant) -> bool:
    return any(feature.cost == LAIR for feature in creature_of(lookup, one).features)


def _mark(lookup: Lookup, who: str, name: str) -> int | None:
    """Return the round that somebody's mark was made in, None where there is none."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else None


def _set_mark(tx: Transaction, who: str, name: str) -> None:
    tx.put(Track(track_id(who, name), who, name, tx.need(Clock, "clock").round))


STAGES: dict[tuple[str, str], Stage] = {
    (LEGENDARY, "offer"): offer,
    (LEGENDARY, "taken"): taken,
    (LEGENDARY, "struck"): struck,
    (LAIR, "offer"): offer,
    (LAIR, "taken"): taken,
    (LAIR, "struck"): struck,
}
