"""Rewards at the end of an encounter: the experience entered, and the treasure that the game master reveals."""

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
    """Ask for the rewards, in games that have them."""
    settings = rules.data.awards
    if settings.xp or (settings.treasure and _finds(tx)):
        begin(tx, REWARDS.ask_rewards, Rewards())


def _finds(lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Return the prepared treasure. Each is a pair of the game master's name and the name that players know."""
    lines = ((find, find) for find in scene_of(lookup).treasure)
    return (*lines, *((treasure.name.strip() or treasure.id, treasure.known_name) for treasure in lookup.all(Treasure)))


def ask_rewards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the experience, without a suggestion, and for the treasure found."""
    settings, rule = rules.data.awards, rules.rule_id("award.xp")
    asks = [Ask(XP, "number", "ask.award_xp", rule=rule)] if settings.xp else []
    finds = tuple(Option(str(place), name) for place, (name, _) in enumerate(_finds(tx)))
    if settings.treasure and finds:
        asks.append(Ask(TREASURE, "targets", "ask.treasure", options=finds, rule=rules.rule_id("award.treasure")))
    return ask(tx, goto(procedure, REWARDS.record_rewards), "prompt.awards", asks, rule=rule)


def record_rewards(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Record the rewards entered, and ask which combatant takes each treasure."""
    answer = answers.get(XP)
    xp = answer.number if answer is not None and answer.number is not None else 0
    if rules.data.awards.xp:
        tx.emit(ExperienceAwarded(xp=max(0, xp), rule=rules.rule_id("award.xp")))
    finds = _finds(tx)
    choices = choices_of(answers, TREASURE)
    treasure = tuple(finds[int(index)] for index in choices if int(index) < len(finds))
    if not treasure:
        return None
    rule = rules.rule_id("award.treasure")
    party = [
        Option(combatant.id, combatant.label)
        for combatant in tx.all(Combatant)
        if is_character(tx, rules, combatant.id) and not combatant.dead
    ]
    options = (*party, Option(UNASSIGNED, "option.nobody_yet"))
    asks = [
        choice_ask(str(place), "ask.treasure_to", options, detail=name, suggested=UNASSIGNED, rule=rule)
        for place, (name, _) in enumerate(treasure)
    ]
    ask(tx, procedure, "prompt.treasure", asks)
    known_names = tuple(name for _, name in treasure)
    return goto(procedure, REWARDS.assign_treasure, data_of(procedure, Rewards), treasure=known_names)


def assign_treasure(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Record which combatant takes each treasure, under the name that players know."""
    for place, name in enumerate(data_of(procedure, Rewards).treasure):
        choice = choice_of(answers, str(place), UNASSIGNED)
        who = choice if tx.get(Combatant, choice) is not None else ""
        tx.emit(TreasureFound(what=name, who=who, rule=rules.rule_id("award.treasure")))


STAGES = stages_in(globals(), REWARDS)
