"""Ambushes before initiative: the game master chooses a side with advantage and a side that is surprised."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.encounter.procedure_state.turn_order import AMBUSH, AmbushChoice
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.surprise import mark_surprised
from turnwright.rules.system import RuleSystem

NO_AMBUSH, SIDE_SEPARATOR = "none", " > "


def begin_ambush(tx: Transaction) -> None:
    """Begin the ambush choice if there are at least two sides."""
    if len(_sides(tx)) > 1:
        begin(tx, AMBUSH.ask_ambushers, AmbushChoice())


def ask_ambushers(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask which side ambushes which. A side whose members are all sneaking is suggested."""
    sides = _sides(tx)
    pairs = [(side, other) for side in sides for other in sides if side != other]
    unseen = [
        side for side in sides if all(combatant.sneaking for combatant in tx.all(Combatant) if combatant.side == side)
    ]
    likely = next((SIDE_SEPARATOR.join(pair) for pair in pairs if pair[0] in unseen), NO_AMBUSH)
    options = (
        Option(NO_AMBUSH, "option.no_ambush"),
        *(Option(SIDE_SEPARATOR.join(pair), SIDE_SEPARATOR.join(pair)) for pair in pairs),
    )
    rule = rules.rule_id("surprise.ambush" if likely != NO_AMBUSH else "surprise.checks")
    question = Ask("ambush", "choice", "ask.ambush", options=options, suggested=(likely,), rule=rule)
    ask(tx, procedure, "prompt.ambush", [question], rule=rules.rule_id("setup.surprise-step"))
    return goto(procedure, AMBUSH.apply_ambush)


def apply_ambush(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Surprise the ambushed side, and give the ambushers advantage on initiative. If the ask is skipped, do nothing."""
    choice = choice_of(answers, "ambush", NO_AMBUSH)
    pair = next(
        ((side, other) for side in _sides(tx) for other in _sides(tx) if SIDE_SEPARATOR.join((side, other)) == choice),
        None,
    )
    mark_surprised(tx, rules, _members(tx, pair[1]) if pair is not None else ())
    for who in _members(tx, pair[0]) if pair is not None else ():
        tx.update(tx.need(Combatant, who), edge="advantage")


def _sides(lookup: Lookup) -> list[str]:
    return list(dict.fromkeys(combatant.side for combatant in lookup.all(Combatant) if not combatant.bystander))


def _members(lookup: Lookup, side: str) -> tuple[str, ...]:
    return tuple(
        combatant.id for combatant in lookup.all(Combatant) if combatant.side == side and not combatant.bystander
    )


STAGES = stages_in(globals(), AMBUSH)
