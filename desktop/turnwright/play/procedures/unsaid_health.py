"""Maximum health that no stat block gives: asked, once for a kind of creature, as soon as one of it is on the table."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Checks, Procedure
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.events import HitPointsSet
from turnwright.play.procedures.loop import Answers, Stage, ask, at, begin
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem, label_of

KIND, ASK, SET, FIGURE = "health", "ask", "set", "health"
UNSAID = Creature("", "").hp


def ask_health(tx: Transaction, rules: RuleSystem, entry: RosterEntry, minted: list[str]) -> None:
    """Ask the maximum of those of a roster entry, in a game where that is nobody's to guess, unless it is asked already."""
    creature = tx.get(Creature, entry.creature)
    said = entry.hp is not None or creature is None or creature.hp != UNSAID
    if minted and rules.catalogue.health.asked and not said and entry.creature not in _asked(tx):
        begin(tx, KIND, ASK, Checks(tuple(minted[:1])))


def _asked(lookup: Lookup) -> set[str]:
    found = (one.data for one in lookup.all(Procedure) if one.kind == KIND)
    first = (data.who[0] for data in found if isinstance(data, Checks))
    return {one.creature for who in first if (one := lookup.get(Combatant, who)) is not None}


def figure(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask the figure."""
    who = _who(procedure)
    if tx.get(Combatant, who) is None:
        return None
    rule = rules.cite("external.max-health")
    asked = Ask(FIGURE, "number", "ask.max_health", who, rule=rule)
    ask(tx, procedure, "prompt.figures", [asked], subject=label_of(tx, who), rule=rule)
    return at(procedure, SET)


def set_health(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Give it to all of that kind who have none; passed over, they stay as they are."""
    most = answers[FIGURE].number if FIGURE in answers else None
    first = tx.get(Combatant, _who(procedure))
    if not most or first is None:
        return
    for one in list(tx.all(Combatant)):
        if one.creature == first.creature and one.hp_max == UNSAID:
            tx.put(msgspec.structs.replace(one, hp=most, hp_max=most))
            rule = rules.cite("external.max-health")
            tx.emit(HitPointsSet(who=one.id, hp=most, temp_hp=one.temp_hp, hp_max=most, rule=rule))


def _who(procedure: Procedure) -> str:
    assert isinstance(procedure.data, Checks)
    return procedure.data.who[0]


STAGES: dict[tuple[str, str], Stage] = {(KIND, ASK): figure, (KIND, SET): set_health}
