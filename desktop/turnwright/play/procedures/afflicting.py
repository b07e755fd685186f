"""What a feature leaves on those it has caught, besides damage, and the save that wards it off."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.events import Unaffected
from turnwright.play.harm import CONCENTRATING, ends_for, put_condition
from turnwright.play.procedures.hurled import push
from turnwright.play.procedures.ongoing import put_ongoing
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.degrees import outcomes
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem


def save_ask(
    tx: Transaction, rules: RuleSystem, save: str, dc: int, who: str, by: str, rule: str, *, id: str = "save"
) -> Ask:
    """Return the save that a feature calls for; where nobody knows its DC a person says how it went."""
    detail = f"<save.{save}>"
    if not dc:
        return Ask(id, "choice", "ask.save", who, detail, options=outcomes(rules), rule=rule)
    other = by if tx.get(Combatant, by) is not None else ""
    return Ask(id, "roll", "ask.save", who, detail, rules.checks.save(tx, rules, who, save, other), dc, rule=rule)


def afflict(
    tx: Transaction,
    rules: RuleSystem,
    means: Feature,
    whom: tuple[str, ...],
    by: str,
    rule: str,
    parent: str = "",
    *,
    degree: str = "",
    warded: bool = False,
) -> None:
    """Put what a feature leaves on whom it has caught: conditions, ongoing damage, a push.

    What is held by concentrating ends with that; where it has been lost already nothing lasting is left. `degree` is how
    well what decided it went; `warded`: whoever saved gets nothing but what that very degree brings.
    """
    kept = tuple(one for one in means.afflictions if one.degree == degree or not (one.degree or warded))
    means = msgspec.structs.replace(means, afflictions=kept)
    if warded:
        means = msgspec.structs.replace(means, ongoing="", push=0)
    there = tuple(who for who in whom if tx.get(Combatant, who) is not None)
    lasting = bool(means.afflictions or means.ongoing)
    for who in there if lasting else ():
        if means.concentration and not _is_held(tx, means, by):
            why, cited = "why.concentration_lost", rules.cite("external.concentration")
            tx.emit(Unaffected(who=who, what=means.name, reason=why, rule=cited))
        else:
            _leave(tx, rules, means, who, by, rule)
    push(tx, rules, there, means.push, source=means.name, by=by, rule=rule, parent=parent)


def _is_held(tx: Transaction, means: Feature, by: str) -> bool:
    return any((one.name, one.source) == (CONCENTRATING, means.name) for one in effects_on(tx, by))


def _leave(tx: Transaction, rules: RuleSystem, means: Feature, who: str, by: str, rule: str) -> None:
    holder = by if means.concentration else ""
    for one in means.afflictions:
        put_condition(
            tx,
            rules,
            who,
            one.condition,
            value=one.value or one.escape_dc,
            ends=ends_for(tx, one, who, ""),
            source=means.name,
            break_free=one.break_free,
            held_by=holder,
            rule=rule,
        )
    if means.ongoing:
        put_ongoing(tx, rules, who, means.ongoing, source=means.name, by=by, held_by=holder)
