"""Features that recharge with a roll at the start of their owner's turn.

Only the spent features of conscious creatures are rolled for.
"""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import MADE, Ask
from turnwright.encounter.procedure_state.turns import RECHARGE, RechargeRolls
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turns.events import FeatureRechargeRolled
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.economy.limited_uses import awaiting_recharge
from turnwright.rules.system import RuleSystem, creature_of


def is_conscious(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is in play and above 0 hit points, so that it can be offered actions."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not is_out_of_play(lookup, who) and combatant.hp > 0


def begin_recharges(tx: Transaction, who: str) -> None:
    """Begin the recharge rolls for a creature's spent features at the start of its turn."""
    spent = awaiting_recharge(tx, who) if is_conscious(tx, who) else ()
    if spent:
        begin(tx, RECHARGE.ask_rolls, RechargeRolls(who, tuple(feature.id for feature in spent)))


def ask_rolls(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for a die roll for each spent feature."""
    data, spec = data_of(procedure, RechargeRolls), RollSpec(rules.data.turns.recharge_die)
    asks = [
        Ask(feature.id, "roll", "ask.recharge", data.who, feature.name, spec, feature.recharge)
        for feature in _features(tx, data.who)
        if feature.id in data.features
    ]
    if not asks:
        return None
    return ask(tx, goto(procedure, RECHARGE.apply), "prompt.recharge", asks, subject=tx.need(Combatant, data.who).label)


def apply(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Recharge the features whose rolls were high enough."""
    data = data_of(procedure, RechargeRolls)
    for feature in _features(tx, data.who):
        answer = answers.get(feature.id)
        if answer is None or answer.skipped:
            continue
        face = answer.roll.total if answer.roll else None
        is_recharged = MADE in answer.chosen or (face is not None and face >= feature.recharge)
        if is_recharged:
            name = f"recharge.{feature.id}"
            tx.put(Track(track_id(data.who, name), data.who, name, 1, 1))
        needed = feature.recharge
        tx.emit(
            FeatureRechargeRolled(who=data.who, feature=feature.name, recharged=is_recharged, face=face, needed=needed)
        )


def _features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return creature_of(lookup, combatant).features if combatant else ()


STAGES = stages_in(globals(), RECHARGE)
