"""Features that come back by a roll at the start of their owner's turn, and legendary actions after others' turns.

Neither is ever offered to somebody who is down, or for something that is not spent.
"""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import MADE, Ask, Assault, Onslaught, Option, Procedure, Watch
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.play.assaults import legality
from turnwright.play.events import AttackFailed, FeatureRecharged
from turnwright.play.harm import track_id
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.supplies import LEGENDARY, legendary_options, spend_supply, spent_recharges
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem, creature_of

PASS = "pass"


def is_fit(lookup: Lookup, who: str) -> bool:
    """Return whether somebody is alive and on their feet, so that actions of theirs may be offered."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not is_out(lookup, who) and combatant.hp > 0


def begin_recharges(tx: Transaction, who: str) -> None:
    """Let a creature roll, as its turn begins, for whatever of it is spent and recharges."""
    spent = spent_recharges(tx, who) if is_fit(tx, who) else ()
    if spent:
        begin(tx, "recharge", "roll", Watch(who, rest=tuple(feature.id for feature in spent)))


def roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask a die for each spent feature."""
    data = watch_of(procedure)
    asks = [
        Ask(
            id=feature.id,
            kind="roll",
            label="ask.recharge",
            who=data.who,
            detail=feature.name,
            spec=RollSpec(rules.world.recharge_die),
            dc=feature.recharge,
        )
        for feature in _features(tx, data.who)
        if feature.id in data.rest
    ]
    if not asks:
        return None
    ask(tx, procedure, "prompt.recharge", asks, subject=tx.need(Combatant, data.who).label)
    return at(procedure, "back")


def back(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Bring back what rolled high enough."""
    data = watch_of(procedure)
    for feature in _features(tx, data.who):
        answer = answers.get(feature.id)
        if answer is None or answer.skipped:
            continue
        face = answer.roll.total if answer.roll else None
        came = MADE in answer.chosen or (face is not None and face >= feature.recharge)
        if came:
            name = f"recharge.{feature.id}"
            tx.put(Track(track_id(data.who, name), data.who, name, 1, 1))
        tx.emit(FeatureRecharged(who=data.who, feature=feature.name, back=came, face=face))


def begin_legendary(tx: Transaction, ended: tuple[str, ...], parent: str = "") -> None:
    """Offer legendary actions at the end of a turn to those who still have some, unless the turn was their own."""
    for one in [*tx.all(Combatant)]:
        if one.id not in ended and is_fit(tx, one.id) and legendary_options(tx, one.id):
            begin(tx, LEGENDARY, "offer", Watch(one.id), parent)


def offer(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask which legendary action, if any."""
    who = watch_of(procedure).who
    options = tuple(Option(one.id, one.name) for one in legendary_options(tx, who))
    if not options or not is_fit(tx, who):
        return None
    asked = Ask(
        id="which",
        kind="choice",
        label="ask.legendary",
        who=who,
        options=(*options, Option(PASS, "option.pass")),
        suggested=(PASS,),
    )
    ask(tx, procedure, "prompt.legendary", [asked], subject=tx.need(Combatant, who).label)
    return at(procedure, "taken")


def taken(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Spend what it costs, and ask on whom."""
    data = watch_of(procedure)
    which = next(iter(answers["which"].chosen), PASS) if "which" in answers else PASS
    feature = next((one for one in legendary_options(tx, data.who) if one.id == which), None)
    if feature is None:
        return None
    if feature.attack is None and not feature.save and not feature.damage:
        _do(tx, data.who, feature, (), procedure.parent)
        return None
    options = tuple(
        Option(one.id, one.label)
        for one in tx.all(Combatant)
        if one.id != data.who and not one.dead and _can_reach(tx, rules, data.who, feature, one.id)
    )
    if not options:
        tx.emit(AttackFailed(who=data.who, means=feature.name, reason="why.nobody_in_reach"))
        return None
    asked = Ask(
        "who", "targets", "ask.targets_one", data.who, options=options, most=1 if feature.attack is not None else 0
    )
    ask(tx, procedure, "prompt.legendary", [asked], subject=feature.name)
    return at(procedure, "struck", Watch(data.who, what=feature.id))


def struck(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Let the legendary action happen to those named; naming nobody keeps it."""
    data = watch_of(procedure)
    feature = next((one for one in legendary_options(tx, data.who) if one.id == data.what), None)
    chosen = answers["who"].chosen if "who" in answers else ()
    if feature is not None and chosen:
        _do(tx, data.who, feature, chosen, procedure.parent)


def _can_reach(tx: Transaction, rules: RuleSystem, who: str, feature: Feature, target: str) -> bool:
    """Return whether a legendary action may be aimed at somebody; what takes no roll to hit may be, at anybody."""
    return feature.attack is None or not legality(tx, rules, Assault(who, feature, target, purpose=LEGENDARY))


def _do(tx: Transaction, who: str, feature: Feature, targets: tuple[str, ...], parent: str) -> None:
    spend_supply(tx, who, LEGENDARY, feature.name, feature.price)
    if feature.attack is not None and targets:
        begin(tx, "attack", "declare", Assault(who, feature, targets[0], purpose=LEGENDARY), parent)
        return
    onslaught = Onslaught((who,), feature, targets, save=feature.save, dc=feature.dc, half=feature.half)
    begin(tx, "onslaught", "saves", onslaught, parent)


def _features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return creature_of(lookup, combatant).features if combatant else ()


def watch_of(procedure: Procedure) -> Watch:
    """Return what a small procedure about one combatant is about."""
    assert isinstance(procedure.data, Watch)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("recharge", "roll"): roll,
    ("recharge", "back"): back,
    (LEGENDARY, "offer"): offer,
    (LEGENDARY, "taken"): taken,
    (LEGENDARY, "struck"): struck,
}
