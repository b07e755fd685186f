"""Maximum hit points missing from a stat block, asked for when its first creature is spawned."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.spawning import MAX_HP, MaxHpQuestion
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import HitPointsSet
from turnwright.rules.system import RuleSystem, label_of

FIGURE = "health"
DEFAULT_HP = Creature("", "").hp


def begin_max_hp(tx: Transaction, rules: RuleSystem, entry: RosterEntry, spawned: list[str]) -> None:
    """Ask for the maximum hit points of a roster entry's creatures, unless they are known or already asked for."""
    creature = tx.get(Creature, entry.creature)
    is_known = entry.hp is not None or creature is None or creature.hp != DEFAULT_HP
    if spawned and rules.data.health.asked and not is_known and entry.creature not in _asked(tx):
        begin(tx, MAX_HP.ask_maximum, MaxHpQuestion(spawned[0]))


def _asked(lookup: Lookup) -> set[str]:
    questions = (procedure.data for procedure in lookup.all(Procedure))
    first = (data.who for data in questions if isinstance(data, MaxHpQuestion))
    return {combatant.creature for who in first if (combatant := lookup.get(Combatant, who)) is not None}


def ask_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the maximum hit points."""
    who = data_of(procedure, MaxHpQuestion).who
    if tx.get(Combatant, who) is None:
        return None
    rule = rules.rule_id("external.max-health")
    question = Ask(FIGURE, "number", "ask.max_health", who, rule=rule)
    return ask(tx, goto(procedure, MAX_HP.set_maximum), "prompt.figures", [question], subject=label_of(tx, who))


def set_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Set the maximum for all creatures with this stat block that have none. If the ask is skipped, nothing changes."""
    most = answers[FIGURE].number if FIGURE in answers else None
    first = tx.get(Combatant, data_of(procedure, MaxHpQuestion).who)
    if not most or first is None:
        return
    for combatant in list(tx.all(Combatant)):
        if combatant.creature == first.creature and combatant.hp_max == DEFAULT_HP:
            tx.put(msgspec.structs.replace(combatant, hp=most, hp_max=most))
            rule = rules.rule_id("external.max-health")
            tx.emit(HitPointsSet(who=combatant.id, hp=most, temp_hp=combatant.temp_hp, hp_max=most, rule=rule))


STAGES = stages_in(globals(), MAX_HP)
