"""Features that come back by a roll at the start of their owner's turn.

None is ever offered to somebody who is down, nor for what is not spent.
"""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import MADE, Ask, Procedure, Watch
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.events import FeatureRecharged
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin, watch_of
from turnwright.play.supplies import spent_recharges
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.conditions import is_out
from turnwright.rules.system import RuleSystem, creature_of


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


def _features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return creature_of(lookup, combatant).features if combatant else ()


STAGES: dict[tuple[str, str], Stage] = {
    ("recharge", "roll"): roll,
    ("recharge", "back"): back,
}
