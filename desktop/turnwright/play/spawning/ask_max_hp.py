"""Maximum hit points missing from a stat block: asked once for a kind of creature, when one is spawned."""

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
    """Ask for the maximum of a roster entry's creatures, unless it is known or asked already."""
    creature = tx.get(Creature, entry.creature)
    said = entry.hp is not None or creature is None or creature.hp != DEFAULT_HP
    if spawned and rules.data.health.asked and not said and entry.creature not in _asked(tx):
        begin(tx, MAX_HP.ask_maximum, MaxHpQuestion(spawned[0]))


def _asked(lookup: Lookup) -> set[str]:
    found = (one.data for one in lookup.all(Procedure))
    first = (data.who for data in found if isinstance(data, MaxHpQuestion))
    return {one.creature for who in first if (one := lookup.get(Combatant, who)) is not None}


def ask_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the maximum hit points."""
    who = data_of(procedure, MaxHpQuestion).who
    if tx.get(Combatant, who) is None:
        return None
    rule = rules.rule_id("external.max-health")
    asked = Ask(FIGURE, "number", "ask.max_health", who, rule=rule)
    return ask(tx, goto(procedure, MAX_HP.set_maximum), "prompt.figures", [asked], subject=label_of(tx, who))


def set_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Set the maximum of all creatures of the kind that have none; a skipped ask leaves them."""
    most = answers[FIGURE].number if FIGURE in answers else None
    first = tx.get(Combatant, data_of(procedure, MaxHpQuestion).who)
    if not most or first is None:
        return
    for one in list(tx.all(Combatant)):
        if one.creature == first.creature and one.hp_max == DEFAULT_HP:
            tx.put(msgspec.structs.replace(one, hp=most, hp_max=most))
            rule = rules.rule_id("external.max-health")
            tx.emit(HitPointsSet(who=one.id, hp=most, temp_hp=one.temp_hp, hp_max=most, rule=rule))


STAGES = stages_in(globals(), MAX_HP)
