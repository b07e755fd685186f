"""Damage and healing of combatants, and changes to their levels of fatigue, strife and doom."""

from typing import Literal

import msgspec

from turnwright.dice.expression import Roll, RollPart
from turnwright.encounter import prepared, running, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, DamageConsequences
from turnwright.encounter.procedure_state.turns import AFFLICTION, AfflictionSaves
from turnwright.play.kernel.events import DamageAdjustment
from turnwright.play.kernel.scheduler import begin, withdraw_asks
from turnwright.play.kernel.transaction import Transaction, copy_fields
from turnwright.play.state import effect_records
from turnwright.play.state.events import DamageTaken, DroppedToZero, Healed, TrackSet, Unaffected
from turnwright.rules.parts.combatants.facts import DEALT_IN_TURN, SUFFERED, left_features, trigger_index
from turnwright.rules.parts.conditions.condition_rules import data_rules_on, is_immune_to
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.parts.economy.limited_uses import is_on_turn
from turnwright.rules.parts.positions.geometry import are_hostile
from turnwright.rules.system import Hook, HookContext, RuleSystem, creature_of, run_hooks
from turnwright.rules.system_data.statements import facts_in

HALF, DOUBLE = "half", "double"
EACH_TYPE = "each-type"  # property of a reaction, and prefix of its reduction: it counts for each damage type


class Damage(msgspec.Struct, frozen=True):
    """Rolled damage on its way to a combatant.

    - `by` is the combatant who dealt the damage. `melee` and `critical` describe the attack.
    - `multiplier` multiplies the damage. `flat_bonus` is added to the first type and isn't multiplied.
    - `share_reason` is the reason for a `share` that isn't full.
    - `lessened` are the final reductions by reactions: the name, the amount (`half` or
      points, with the prefix `each-type` for each damage type) and the rule of each.
    - `ignores_temp_hp`: temporary hit points don't absorb the damage.
    - `properties` are those of the attack, such as the weapon's material.
    - `spares`: damage that would reduce the target to 0 hit points isn't dealt.
    - `keeps` are the hit points that the target has at least afterwards.
    - `met` are the amounts of resistances and weaknesses that count already, by reason.
    """

    parts: tuple[RollPart, ...]
    source: str = ""
    roll: Roll | None = None
    rule: str = ""
    by: str = ""
    cause: Literal["attack", "other"] = "other"
    melee: bool = False
    critical: bool = False
    nonmagical: bool = False
    share: str = "full"
    share_reason: str = ""
    multiplier: int = 1
    flat_bonus: int = 0
    lessened: tuple[tuple[str, str, str], ...] = ()
    ignores_temp_hp: bool = False
    spares: bool = False
    keeps: int = 0
    properties: tuple[str, ...] = ()
    met: prepared.NamedNumbers = ()


def deal_damage(tx: Transaction, target: str, damage: Damage, parent: str = "") -> prepared.NamedNumbers:
    """Deal damage to a combatant, and return the hit points lost by damage type, including temporary ones.

    Damage types that the target absorbs heal it. The consequences of the damage (falling, dying, a concentration check)
    begin as a procedure, and `parent` waits for it.
    """
    combatant = tx.need(running.Combatant, target)
    why: list[DamageAdjustment] = []
    rule = damage.rule or tx.rule_id("damage.types-used" if len(damage.parts) > 1 else "hp.damage")
    rolled = damage.cause == "attack" or (damage.roll is not None and damage.roll.origin != "fixed")
    least = tx.rules.data.attack.least
    parts = _at_least(tx.rules, redistribute_penalty(damage.parts), least if rolled else 0, why)
    halves = [tx.rules.half(tx, part.total * damage.multiplier) for part in parts]
    raised = next((number for number, part in enumerate(parts) if part.total > 0 and max(halves) < least), -1)
    amounts = []
    for number, part in enumerate(parts):
        part_adjustments: list[DamageAdjustment] = []
        bonus, minimum = 0 if number else damage.flat_bonus, least if number == raised else 0
        own = msgspec.structs.replace(damage, properties=()) if number else damage  # weaknesses to them count once
        amounts.append(_adjusted_part(tx, target, part, own, bonus, minimum, part_adjustments))
        kind = part.kind if len(parts) > 1 else ""
        why += [msgspec.structs.replace(adjustment, kind=kind) for adjustment in part_adjustments]
    amounts = _lessened(tx, amounts, damage.lessened, why)
    healed = -sum(amount for amount in amounts if amount < 0)
    if healed and not combatant.dead:
        restore_hit_points(tx, target, healed, source=damage.source, rule=tx.rule_id("absorption.heals"))
        combatant = tx.need(running.Combatant, target)
    total = sum(max(0, amount) for amount in amounts)
    absorbed = 0 if damage.ignores_temp_hp else min(total, combatant.temp_hp)
    if damage.spares and 0 < combatant.hp <= total - absorbed:
        tx.emit(Unaffected(who=target, what=damage.source, reason="why.spared_at_zero", rule=rule))
        return ()
    if absorbed:
        why.append(DamageAdjustment("why.temporary", total, total - absorbed, tx.rule_id("temp.first")))
    lowest = min(combatant.hp, damage.keeps) if damage.keeps else tx.rules.data.health.lowest(combatant.hp_max)
    hp_after = max(lowest, combatant.hp - (total - absorbed))
    after = tx.update(combatant, hp=hp_after, temp_hp=combatant.temp_hp - absorbed)
    tx.emit(
        copy_fields(
            DamageTaken,
            damage,
            target=target,
            dealt=tuple((part.kind, part.total) for part in parts),
            taken=total,
            hp_before=combatant.hp,
            hp_after=hp_after,
            temp_before=combatant.temp_hp,
            temp_after=after.temp_hp,
            why=tuple(why),
            rule=rule,
        )
    )
    if hp_after <= 0 < combatant.hp:
        tx.emit(DroppedToZero(who=target, hp=hp_after, rule=tx.rule_id("hp.range")))
    kinds = tuple(part.kind for part, amount in zip(parts, amounts, strict=True) if amount > 0 and part.kind)
    _mark_suffered(tx, after, (*kinds, *(damage.properties if kinds else ())), total)
    tags = tuple(f"kind:{kind}" for kind in kinds)
    tags += tuple(f"with:{each}" for each in (damage.source.lower().replace(" ", "-"), *damage.properties))
    tags += (("melee",) if damage.melee else ()) + (("critical",) if damage.critical else ())
    hurting = HookContext(target, "damage-against", other=damage.by, tags=tags, amount=total, hp_before=combatant.hp)
    effect_records.start_followups(tx, run_hooks(tx, tx.rules, Hook.DAMAGE_TAKEN, hurting), parent)
    if total > 0:
        effect_records.mark_stirred(tx, target, hurt=True)
        for effect in list(tx.of(running.Effect, target)):
            harmed = effect.ends.moment == "harmed" and bool(damage.by) and not are_hostile(tx, damage.by, effect.by)
            if harmed or effect.ends.moment == "hurt":
                effect_records.end_effect(tx, effect)
        again = ("hurt-save", "saved-hurt")
        saving = tuple(each.id for each in tx.of(running.Effect, target) if each.ends.moment in again and each.save)
        if saving:
            begin(tx, AFFLICTION.ask_saves, AfflictionSaves(saving, is_hurt=True), parent)
    if absorbed and not after.temp_hp:
        effect_records.spent_temp_hp(tx, after)
    lost = total - absorbed
    hurt = lost > 0 and hp_after <= 0 < combatant.hp_max  # an object without hit points can't lose any
    if not combatant.dead and (
        hurt or (total > 0 and effect_records.concentration_of(tx, tx.rules, target) is not None)
    ):
        by, cause, melee, critical, traits = damage.by, damage.cause, damage.melee, damage.critical, damage.properties
        dealt = (cause, by, melee, critical, damage.source, kinds, traits)
        data = DamageConsequences(target, total, lost, combatant.hp, *dealt)
        _begin_consequences(tx, data, parent)
    most = combatant.hp_max - damage.keeps if damage.keeps else total  # it doesn't kill by a lower maximum either
    return tuple((part.kind, max(0, min(amount, most))) for part, amount in zip(parts, amounts, strict=True))


def _lessened(
    tx: Transaction, came: list[int], lessened: tuple[tuple[str, str, str], ...], why: list[DamageAdjustment]
) -> list[int]:
    """Return damage by type after reductions by reactions, starting with the first type. Record each reduction."""
    for name, amount, rule in lessened:
        before = sum(max(0, part_amount) for part_amount in came)
        left = before - tx.rules.half(tx, before) if amount == HALF else int(amount.removeprefix(EACH_TYPE))
        for at, part_amount in enumerate(came):
            taken = min(left, max(0, part_amount))
            came[at] = part_amount - taken
            left -= 0 if amount.startswith(EACH_TYPE) else taken
        after = sum(max(0, part_amount) for part_amount in came)
        if before != after:
            why.append(DamageAdjustment(name, before, after, rule))
    return came


def _mark_suffered(tx: Transaction, combatant: running.Combatant, kinds: tuple[str, ...], total: int) -> None:
    """Mark damage types that trigger a combatant's features, until the end of the next turn that it starts.

    The value of a mark is the number of turns that the combatant will have ended by then. The total also adds up over a
    turn, if a feature counts it.
    """
    who, left = combatant.id, (fact for each in left_features(tx, combatant.id) for fact in facts_in(each.when))
    by_effects = {fact.argument for fact in left if fact.word == SUFFERED}
    index = trigger_index(creature_of(tx, combatant))
    if any(DEALT_IN_TURN in feature.when for feature in index.features.get("hurt", ())):
        mark = running.Effect(f"{DEALT_IN_TURN}-{who}", who, DEALT_IN_TURN, ends=running.Duration("turn"), shown=False)
        so_far = tx.get(running.Effect, mark.id) or mark
        tx.put(msgspec.structs.replace(so_far, value=so_far.value + total))
    watched = (index.suffered | by_effects).intersection(kinds)
    slot = state.slot_of(tx, who) if watched else None
    has_begun = int(slot is not None and (is_on_turn(tx, who) or slot.delay == "waiting"))
    for kind in watched:
        ends, value = running.Duration("turn-end", who, skip=has_begun), combatant.turns_ended + 1 + has_begun
        marks = (mark.id for mark in state.effects_named(tx, who, SUFFERED) if mark.source == kind)
        tx.put(running.Effect(next(marks, "") or tx.next_id("effect"), who, SUFFERED, kind, value, ends, shown=False))


def restore_hit_points(
    tx: Transaction, target: str, amount: int, *, source: str = "", rule: str = "", by: str = ""
) -> None:
    """Restore hit points, and wake a combatant that was at 0."""
    combatant = tx.need(running.Combatant, target)
    if any(data_rules_on(tx, tx.rules, target, "deny", "healing")):
        tx.emit(Unaffected(who=target, what=source or "<why.healing>", reason="why.no_healing", rule=rule))
        return
    after = tx.update(combatant, hp=max(combatant.hp, min(combatant.hp_max, combatant.hp + amount)))
    before, hp = combatant.hp, after.hp
    tx.emit(Healed(target=target, amount=amount, hp_before=before, hp_after=hp, source=source, by=by, rule=rule))
    healed = HookContext(target, source, amount=hp - before, hp_before=before)
    effect_records.start_followups(tx, run_hooks(tx, tx.rules, Hook.HEALED, healed))
    for closed in [*data_rules_on(tx, tx.rules, target, "duration", "healed")]:
        if (effect := closed.context.effect) is not None:
            effect_records.end_effect(tx, effect, closed.rule.ledger)
    if before <= 0 < hp or (amount > 0 and state.effects_named(tx, target, tx.role("stable"))):
        regain_consciousness(tx, target)
        _apply_roused(tx, target)


def regain_consciousness(tx: Transaction, target: str) -> None:
    """End the conditions of 0 hit points on a combatant that is above 0 again, and withdraw asks about dying.

    A sleep that has its own end, such as a spell's, continues.
    """
    withdraw_asks(tx, lambda ask: ask.who == target and ask.label in (*effect_records.DYING_ASKS, "ask.brought"))
    for name in damage_steps.zero_hp_conditions(tx.rules):
        for effect in state.effects_named(tx, target, name):
            has_own_end = effect.rounds_left or effect.save or effect.concentrator or effect.bound_to
            if not has_own_end and effect.ends.moment == "never":
                effect_records.end_effect(tx, effect, tx.rule_id("zero.wake"))
    reset_death_saves(tx, target, tx.rule_id("death.reset"))


def _apply_roused(tx: Transaction, target: str) -> None:
    """Apply the condition for combatants who just woke, until the end of their next turn, in games that have one."""
    revived = tx.rules.data.dying.bleeding_out.revived
    if revived:
        ends = running.Duration("turn-end", target, skip=int(is_on_turn(tx, target)))
        effect_records.put_condition(tx, target, revived, ends=ends, rule=tx.rule_id("zero.revived"))


def reset_death_saves(tx: Transaction, target: str, rule: str) -> None:
    """Reset the numbers of successful and failed death saves to 0."""
    for name in (damage_steps.SUCCESSES, damage_steps.FAILURES):
        track = tx.get(running.Track, running.track_id(target, name))
        if track is not None and track.value:
            tx.update(track, value=0)
            tx.emit(TrackSet(who=target, track=name, before=track.value, after=0, rule=rule, bookkeeping=True))


def _begin_consequences(tx: Transaction, data: DamageConsequences, parent: str) -> None:
    """Begin the consequences of damage, which follow those for earlier targets of the same attack."""
    earlier = [other for other in tx.all(Procedure) if (other.at, other.parent) == (DAMAGE_CONSEQUENCES.start, parent)]
    procedure = begin(tx, DAMAGE_CONSEQUENCES.start, data, parent)
    for other in earlier:
        tx.update(other, parent=procedure.id)


def redistribute_penalty(parts: tuple[RollPart, ...]) -> tuple[RollPart, ...]:
    """Deduct the part of a penalty that exceeds its own damage type from the other types, in order."""
    owed = -sum(min(0, part.total) for part in parts)
    if not owed or len(parts) == 1:
        return parts
    remaining = []
    for part in parts:
        total = max(0, part.total)
        remaining.append(RollPart(total - min(total, owed), part.kind, part.dice))
        owed -= min(total, owed)
    return (RollPart(-owed, remaining[0].kind, remaining[0].dice), *remaining[1:]) if owed else tuple(remaining)


def _at_least(
    rules: RuleSystem, parts: tuple[RollPart, ...], minimum: int, why: list[DamageAdjustment]
) -> tuple[RollPart, ...]:
    """Raise the first part of the damage so that the total reaches a minimum. Record the adjustment."""
    total = sum(part.total for part in parts)
    if not minimum or total >= minimum or not parts:
        return parts
    why.append(DamageAdjustment("why.least_damage", total, minimum, rules.rule_id("damage.least")))
    first = parts[0]
    return (RollPart(first.total + minimum - total, first.kind, first.dice), *parts[1:])


def _adjusted_part(
    tx: Transaction, target: str, part: RollPart, damage: Damage, bonus: int, minimum: int, why: list[DamageAdjustment]
) -> int:
    """Return the damage of one type after all adjustments: modifiers, critical hit, share, resistances. Record each.

    Halving leaves at least `minimum`.
    """
    total = part.total
    for modifier in run_hooks(tx, tx.rules, Hook.DAMAGE_INCOMING, HookContext(target, part=part)).modifiers:
        why.append(DamageAdjustment(modifier.reason, total, total + modifier.value, modifier.rule))
        total += modifier.value
    if total < 0:
        why.append(DamageAdjustment("why.floor", total, 0, tx.rule_id("damage.minimum-zero")))
        total = 0
    if damage.multiplier > 1:
        times = damage.multiplier
        why.append(DamageAdjustment("why.critical", total, total * times, tx.rule_id("critical.double")))
        total *= times
    if bonus:
        why.append(DamageAdjustment("why.critical_dice", total, total + bonus, tx.rule_id("critical.double")))
        total += bonus
    if damage.share in (HALF, DOUBLE):
        shared = max(tx.rules.half(tx, total), min(total, minimum)) if damage.share == HALF else total * 2
        why.append(DamageAdjustment(damage.share_reason or f"why.{damage.share}", total, shared))
        total = shared
    traits = {*damage.properties}.intersection(tx.rules.data.damage_traits)
    for step in tx.rules.data.health.steps:
        if total <= 0:
            break
        coming = RollPart(total, part.kind, part.dice)
        kinds = (part.kind, *traits) if step == damage_steps.WEAKNESS else (part.kind,)
        parts = (msgspec.structs.replace(coming, kind=kind) for kind in kinds)
        found = (damage_steps.DAMAGE_STEPS[step](tx, tx.rules, target, each, damage.nonmagical) for each in parts)
        adjusted = max(filter(None, found), key=lambda each: each.value, default=None)
        if adjusted is not None and (met := dict(damage.met).get(adjusted.reason, 0)):
            both = msgspec.structs.replace(coming, total=total + met)
            adjusted = damage_steps.DAMAGE_STEPS[step](tx, tx.rules, target, both, damage.nonmagical) or adjusted
            left = max(0, abs(adjusted.value) - met)
            adjusted = msgspec.structs.replace(adjusted, value=left if adjusted.value > 0 else -left) if left else None
        if adjusted is not None:
            why.append(DamageAdjustment(adjusted.reason, total, total + adjusted.value, adjusted.rule))
            total += adjusted.value
    return total


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, which is created if necessary. It never falls below 0."""
    track = tx.get(running.Track, running.track_id(who, name)) or running.Track(running.track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))


def add_levels(tx: Transaction, who: str, condition: str, levels: int, rule: str = "") -> None:
    """Give a combatant levels of fatigue or strife. Fatigue gained in an encounter is pending until it ends."""
    if levels < 1:
        return
    if condition == tx.role("fatigue") and state.is_encounter_running(tx) and not is_immune_to(tx, who, condition):
        change_track(tx, who, damage_steps.PENDING_FATIGUE, levels, rule)
    elif effect_records.put_condition(tx, who, condition, value=levels, rule=rule):
        apply_doomed(tx, who)


def apply_pending_fatigue(tx: Transaction) -> None:
    """Apply the pending fatigue of all living combatants after the encounter."""
    for combatant in list(tx.all(running.Combatant)):
        waiting = tx.get(running.Track, running.track_id(combatant.id, damage_steps.PENDING_FATIGUE))
        if waiting is not None and waiting.value and not combatant.dead:
            tx.update(waiting, value=0)
            effect_records.put_condition(
                tx, combatant.id, damage_steps.FATIGUE, value=waiting.value, rule=tx.rule_id("fatigue.deferred")
            )
            apply_doomed(tx, combatant.id)


def apply_doomed(tx: Transaction, who: str) -> None:
    """Apply Doomed to a combatant whose fatigue has reached the system's limit."""
    at = tx.rules.data.dying.doomed_at
    if at and not state.effects_named(tx, who, tx.role("doomed")) and damage_steps.effective_fatigue(tx, who) >= at:
        effect_records.put_condition(
            tx, who, tx.role("doomed"), source=f"<condition.{damage_steps.FATIGUE}>", rule=tx.rule_id("fatigue.seven")
        )
