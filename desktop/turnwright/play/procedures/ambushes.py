"""Who ambushes whom, where a person says so before initiative: the one side has advantage, the other is surprised."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option, Procedure, Surprise
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.awareness import surprise
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

NONE, BETWEEN = "none", " > "


def settle_ambush(tx: Transaction) -> None:
    """Begin to find out who ambushes whom, where there are two sides at least."""
    if len(_sides(tx)) > 1:
        begin(tx, "ambush", "choose", Surprise((), ()))


def choose(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Let a person say which side ambushes which; suggested where all of one mean to act unseen."""
    sides = _sides(tx)
    pairs = [(one, other) for one in sides for other in sides if one != other]
    unseen = [side for side in sides if all(one.sneaking for one in tx.all(Combatant) if one.side == side)]
    likely = next((BETWEEN.join(pair) for pair in pairs if pair[0] in unseen), NONE)
    options = (Option(NONE, "option.no_ambush"), *(Option(BETWEEN.join(pair), BETWEEN.join(pair)) for pair in pairs))
    rule = rules.cite("surprise.ambush" if likely != NONE else "surprise.checks")
    asked = Ask("ambush", "choice", "ask.ambush", options=options, suggested=(likely,), rule=rule)
    ask(tx, procedure, "prompt.ambush", [asked], rule=rules.cite("setup.surprise-step"))
    return at(procedure, "settle")


def settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Surprise the one side, and let the other roll initiative with advantage; nobody, where it was passed over."""
    answer = answers.get("ambush")
    chosen = answer.chosen[0] if answer is not None and answer.chosen else NONE
    pair = next(
        ((one, other) for one in _sides(tx) for other in _sides(tx) if BETWEEN.join((one, other)) == chosen), None
    )
    surprise(tx, rules, _members(tx, pair[1]) if pair is not None else ())
    for who in _members(tx, pair[0]) if pair is not None else ():
        tx.update(tx.need(Combatant, who), edge="advantage")


def _sides(lookup: Lookup) -> list[str]:
    return list(dict.fromkeys(one.side for one in lookup.all(Combatant) if not one.bystander))


def _members(lookup: Lookup, side: str) -> tuple[str, ...]:
    return tuple(one.id for one in lookup.all(Combatant) if one.side == side and not one.bystander)


STAGES: dict[tuple[str, str], Stage] = {
    ("ambush", "choose"): choose,
    ("ambush", "settle"): settle,
}
