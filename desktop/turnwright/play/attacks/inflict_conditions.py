"""Conditions, persistent damage and pushes of a feature, and the save against them."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.effects.persistent_damage import put_persistent_damage
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.forced_movement import push
from turnwright.play.state.effect_records import EndedBy, duration_of, put_condition
from turnwright.play.state.events import Unaffected
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.checks.degrees import result_options
from turnwright.rules.system import RuleSystem


def save_ask(
    tx: Transaction,
    rules: RuleSystem,
    save: str,
    dc: int,
    who: str,
    by: str,
    rule: str,
    *,
    id: str = "save",
    tags: tuple[str, ...] = (),
) -> Ask:
    """Return the ask for the save against a feature. If the DC is unknown, ask for the outcome instead.

    `tags` classify the threat that the save is against.
    """
    detail = f"<save.{save}>"
    if not dc:
        return Ask(id, "choice", "ask.save", who, detail, options=result_options(rules), rule=rule)
    other = by if tx.get(Combatant, by) is not None else ""
    return Ask(id, "roll", "ask.save", who, detail, save_roll(tx, rules, who, save, other, tags), dc, rule=rule)


def inflict(
    tx: Transaction,
    rules: RuleSystem,
    feature: Feature,
    targets: tuple[str, ...],
    by: str,
    rule: str,
    parent: str = "",
    *,
    degree: str = "",
    saved: bool = False,
) -> None:
    """Apply a feature's conditions, persistent damage and pushes to its targets.

    Effects of a feature that needs concentration end with the concentration. If that is already lost, they don't apply.
    `degree` is the degree of success of the save or the attack. `saved`: only effects of exactly that degree apply.
    """
    applying = tuple(
        affliction
        for affliction in feature.afflictions
        if affliction.degree == degree or not (affliction.degree or saved)
    )
    feature = msgspec.structs.replace(feature, afflictions=applying)
    if saved:
        feature = msgspec.structs.replace(feature, ongoing="", push=0)
    present = tuple(who for who in targets if tx.get(Combatant, who) is not None)
    lasting = bool(feature.afflictions or feature.ongoing)
    for who in present if lasting else ():
        if feature.concentration and not _is_held(tx, rules, feature, by):
            why, concentration_rule = "why.concentration_lost", rules.rule_id("external.concentration")
            tx.emit(Unaffected(who=who, what=feature.name, reason=why, rule=concentration_rule))
        else:
            _leave(tx, rules, feature, who, by, rule)
    push(tx, rules, present, feature.push, source=feature.name, pusher=by, rule=rule, parent=parent)


def _is_held(tx: Transaction, rules: RuleSystem, means: Feature, by: str) -> bool:
    return any(
        (effect.name, effect.source) == (rules.role("concentrating"), means.name) for effect in tx.of(Effect, by)
    )


def _leave(tx: Transaction, rules: RuleSystem, means: Feature, who: str, by: str, rule: str) -> None:
    holder = by if means.concentration else ""
    for affliction in means.afflictions:
        saves_again = affliction.ends == "saved" and bool(means.save and means.dc)
        put_condition(
            tx,
            rules,
            who,
            affliction.condition,
            value=affliction.value or affliction.escape_dc,
            ends=duration_of(tx, affliction, who, by=by),
            source=means.name,
            rule=rule,
            ended_by=EndedBy(affliction.break_free, holder, *((means.save, means.dc) if saves_again else ())),
        )
    if means.ongoing:
        put_persistent_damage(tx, rules, who, means.ongoing, source=means.name, by=by, held_by=holder)
