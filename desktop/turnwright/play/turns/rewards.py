"""Rewards at the end of an encounter: experience as entered, and treasure that the game master reveals."""

from __future__ import annotations

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Treasure
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.turns import REWARDS, Rewards
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, choices_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turns.events import ExperienceAwarded, TreasureFound
from turnwright.rules.parts.damage.dying import is_character
from turnwright.rules.system import RuleSystem

XP, TREASURE, UNASSIGNED = "xp", "treasure", "nobody-yet"


def begin_rewards(tx: Transaction, rules: RuleSystem) -> None:
    """Ask for rewards, in a game that has them."""
    figures = rules.data.awards
    if figures.xp or (figures.treasure and _finds(tx)):
        begin(tx, REWARDS.ask_rewards, Rewards())


def _finds(lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Return the treasure that was prepared: what each is called by the game master, and by those who find it."""
    lines = ((find, find) for find in scene_of(lookup).treasure)
    return (*lines, *((one.name.strip() or one.id, one.known_name) for one in lookup.all(Treasure)))


def ask_rewards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the experience, with no suggestion, and for the treasure found."""
    figures, rule = rules.data.awards, rules.rule_id("award.xp")
    asks = [Ask(XP, "number", "ask.award_xp", rule=rule)] if figures.xp else []
    finds = tuple(Option(str(place), name) for place, (name, _) in enumerate(_finds(tx)))
    if figures.treasure and finds:
        asks.append(Ask(TREASURE, "targets", "ask.treasure", options=finds, rule=rules.rule_id("award.treasure")))
    return ask(tx, goto(procedure, REWARDS.record_rewards), "prompt.awards", asks, rule=rule)


def record_rewards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Record the rewards entered, and ask which combatant takes the treasure."""
    answer = answers.get(XP)
    xp = answer.number if answer is not None and answer.number is not None else 0
    if rules.data.awards.xp:
        tx.emit(ExperienceAwarded(xp=max(0, xp), rule=rules.rule_id("award.xp")))
    finds = _finds(tx)
    chosen = choices_of(answers, TREASURE)
    found = tuple(finds[int(one)] for one in chosen if int(one) < len(finds))
    if not found:
        return None
    rule = rules.rule_id("award.treasure")
    party = [Option(one.id, one.label) for one in tx.all(Combatant) if is_character(tx, rules, one.id) and not one.dead]
    options = (*party, Option(UNASSIGNED, "option.nobody_yet"))
    asks = [
        choice_ask(str(place), "ask.treasure_to", options, detail=name, suggested=UNASSIGNED, rule=rule)
        for place, (name, _) in enumerate(found)
    ]
    ask(tx, procedure, "prompt.treasure", asks)
    known = tuple(name for _, name in found)
    return goto(procedure, REWARDS.assign_treasure, data_of(procedure, Rewards), treasure=known)


def assign_treasure(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Record which combatant takes which treasure, by the name that they know."""
    for place, name in enumerate(data_of(procedure, Rewards).treasure):
        chosen = choice_of(answers, str(place), UNASSIGNED)
        who = chosen if tx.get(Combatant, chosen) is not None else ""
        tx.emit(TreasureFound(what=name, who=who, rule=rules.rule_id("award.treasure")))


STAGES = stages_in(globals(), REWARDS)
