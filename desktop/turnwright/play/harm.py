"""What damage, conditions and the end of effects do to records: the acts that handlers and stages share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from turnwright.dice.roll import Part, Roll
from turnwright.encounter.pending import Aftermath, Answered, Procedure, Prompt, TurnEnd, Watch
from turnwright.encounter.prepared import Affliction, Entry, Environment
from turnwright.encounter.running import Clock, Combatant, Effect, EndMoment, Ends, Track, track_id
from turnwright.play.events import (
    Adjustment,
    DamageTaken,
    DroppedToZero,
    EffectEnded,
    EffectGained,
    Healed,
    TrackSet,
    Unaffected,
)
from turnwright.play.procedures.loop import begin, pass_over
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.conditions import Condition
from turnwright.rules.hooks import Contribution, Hook, Moment, contributions
from turnwright.rules.parts.conditions import BROUGHT, cited, is_immune_to, is_out
from turnwright.rules.parts.dying import AT_ZERO, FAILURES, SUCCESSES
from turnwright.rules.parts.economy import on_turn
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import RuleSystem

HALF, DOUBLE = "half", "double"
HELD = "held"  # what a rule of duration calls what ends when whoever it comes from can no longer hold
LOST = "lost"  # what a rule of duration calls what ends for good when something is true
CONCENTRATING, INCAPACITATED, READIED = "concentrating", "incapacitated", "readied"
SAVE, HOURS = "ask.death_save", "ask.stable_hours"
OF_THE_DYING = (SAVE, HOURS, "ask.massive_save", "ask.recovery_check", "ask.dying_becomes")


def deal(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    parts: tuple[Part, ...],
    *,
    source: str = "",
    mundane: bool = False,
    share: str = "full",
    roll: Roll | None = None,
    by: str = "",
    melee: bool = False,
    cause: Literal["attack", "other"] = "other",
    critical: bool = False,
    parent: str = "",
    rule: str = "",
    times: int = 1,
    unshielded: bool = False,
    besides: int = 0,
    least: int = 0,
) -> int:
    """Deal rolled damage to one combatant and return the hit points, temporary ones included, that it cost.

    `cause` is whether an attack dealt it, `by` whose, `melee` and `critical` of what sort; `times` multiplies it;
    `unshielded`: temporary hit points don't stand before it; `besides` joins the first type unmultiplied, and before
    anything lessens it, it is the `least` at least. What is absorbed heals. What
    the damage brings (falling, dying, a shaken concentration) is begun as a procedure that `parent` waits for.
    """
    combatant = tx.need(Combatant, target)
    why: list[Adjustment] = []
    rule = rule or rules.cite("damage.types-used" if len(parts) > 1 else "hp.damage")
    parts = _at_least(rules, carried_over(parts), least, why)
    came = [
        _on_its_way(tx, rules, target, part, mundane, share, why, times, 0 if number else besides)
        for number, part in enumerate(parts)
    ]
    if any(each < 0 for each in came):
        _heal_by(tx, rules, target, -sum(each for each in came if each < 0), source)
        combatant = tx.need(Combatant, target)
    taken = sum(max(0, each) for each in came)
    absorbed = 0 if unshielded else min(taken, combatant.temp_hp)
    if absorbed:
        why.append(Adjustment("why.temporary", taken, taken - absorbed, rules.cite("temp.first")))
    hp_after = max(rules.catalogue.health.lowest(combatant.hp_max), combatant.hp - (taken - absorbed))
    after = tx.update(combatant, hp=hp_after, temp_hp=combatant.temp_hp - absorbed)
    tx.emit(
        DamageTaken(
            target=target,
            dealt=tuple((part.kind, part.total) for part in parts),
            taken=taken,
            hp_before=combatant.hp,
            hp_after=hp_after,
            temp_before=combatant.temp_hp,
            temp_after=after.temp_hp,
            source=source,
            why=tuple(why),
            roll=roll,
            critical=critical,
            rule=rule,
        )
    )
    if hp_after <= 0 < combatant.hp:
        tx.emit(DroppedToZero(who=target, hp=hp_after, rule=rules.cite("hp.range")))
    contributions(tx, rules, Hook.DAMAGE_TAKEN, Moment(target, source))
    lost = taken - absorbed
    hurt = lost > 0 and hp_after <= 0 < combatant.hp_max  # what never had hit points has none to lose
    if not combatant.dead and (hurt or (taken > 0 and concentration_of(tx, target) is not None)):
        _begin_aftermath(tx, Aftermath(target, taken, lost, combatant.hp, cause, by, melee, critical, source), parent)
    return taken


def _heal_by(tx: Transaction, rules: RuleSystem, target: str, amount: int, source: str) -> None:
    """Heal somebody by damage that they absorb, unless they are dead."""
    if not tx.need(Combatant, target).dead:
        regain(tx, rules, target, amount, source=source, rule=rules.cite("absorption.heals"))


def regain(
    tx: Transaction, rules: RuleSystem, target: str, amount: int, *, source: str = "", rule: str = "", offered: int = 0
) -> None:
    """Restore so many hit points (of those `offered`), and wake whoever lay at 0."""
    combatant = tx.need(Combatant, target)
    after = tx.update(combatant, hp=max(combatant.hp, min(combatant.hp_max, combatant.hp + amount)))
    tx.emit(
        Healed(
            target=target,
            amount=offered or amount,
            hp_before=combatant.hp,
            hp_after=after.hp,
            source=source,
            rule=rule,
        )
    )
    contributions(tx, rules, Hook.HEALED, Moment(target, source))
    if combatant.hp <= 0 < after.hp:
        wake(tx, rules, target)
        _rouse(tx, rules, target)


def wake(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Bring somebody round who has hit points again; what lying there might still have brought is asked no more."""
    pass_over(tx, lambda ask: ask.who == target and ask.label in (*OF_THE_DYING, "ask.brought"))
    for name in AT_ZERO:
        end_condition(tx, rules, target, name, rules.cite("zero.wake"))
    reset_death_saves(tx, target, rules.cite("death.reset"))


def _rouse(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Let what being healed awake brings hold through the next turn, where it brings anything."""
    roused = rules.catalogue.dying.bleeding.roused
    if roused:
        ends = Ends("turn-end", target, skip=int(is_active(tx, target)))
        put_condition(tx, rules, target, roused, ends=ends, rule=rules.cite("zero.roused"))


def reset_death_saves(tx: Transaction, target: str, rule: str) -> None:
    """Set the counts of death saves made and failed back to 0."""
    for name in (SUCCESSES, FAILURES):
        track = tx.get(Track, track_id(target, name))
        if track is not None and track.value:
            tx.update(track, value=0)
            tx.emit(TrackSet(who=target, track=name, before=track.value, after=0, rule=rule))


def _begin_aftermath(tx: Transaction, data: Aftermath, parent: str) -> None:
    """Begin what damage brings; where the same blow has struck others, after what it brings them."""
    before = [one for one in tx.all(Procedure) if (one.kind, one.stage, one.parent) == ("aftermath", "begin", parent)]
    procedure = begin(tx, "aftermath", "begin", data, parent)
    for one in before:
        tx.update(one, parent=procedure.id)


def carried_over(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return damage of several types with a penalty greater than its part taken from the others, in their order."""
    owed = -sum(min(0, part.total) for part in parts)
    if not owed or len(parts) == 1:
        return parts
    left = []
    for part in parts:
        have = max(0, part.total)
        left.append(Part(have - min(have, owed), part.kind, part.dice))
        owed -= min(have, owed)
    return (Part(-owed, left[0].kind, left[0].dice), *left[1:]) if owed else tuple(left)


def _at_least(rules: RuleSystem, parts: tuple[Part, ...], least: int, why: list[Adjustment]) -> tuple[Part, ...]:
    """Return damage of which there is as much as there has to be at least."""
    found = sum(part.total for part in parts)
    if not least or found >= least or not parts:
        return parts
    why.append(Adjustment("why.least_damage", found, least, rules.cite("damage.least")))
    first = parts[0]
    return (Part(first.total + least - found, first.kind, first.dice), *parts[1:])


def _on_its_way(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    part: Part,
    mundane: bool,
    share: str,
    why: list[Adjustment],
    times: int = 1,
    besides: int = 0,
) -> int:
    """Take one typed part through everything that changes it, noting each change; bonuses first, never below 0."""
    total = part.total
    for modifier in contributions(tx, rules, Hook.DAMAGE_INCOMING, Moment(target, part=part)).modifiers:
        why.append(Adjustment(modifier.reason, total, total + modifier.value, modifier.rule))
        total += modifier.value
    if total < rules.damage.floor:
        why.append(Adjustment("why.floor", total, rules.damage.floor, rules.cite("damage.minimum-zero")))
        total = rules.damage.floor
    if times > 1:
        why.append(Adjustment("why.critical", total, total * times, rules.cite("critical.double")))
        total *= times
    if besides:
        why.append(Adjustment("why.critical_dice", total, total + besides, rules.cite("critical.double")))
        total += besides
    if share in (HALF, DOUBLE):
        shared = rules.half(tx, total) if share == HALF else total * 2
        why.append(Adjustment(f"why.{share}", total, shared))
        total = shared
    for step in rules.damage.steps:
        if total <= 0:
            break
        adjusted = step(tx, rules, target, Part(total, part.kind, part.dice), mundane)
        if adjusted is not None:
            why.append(Adjustment(adjusted.reason, adjusted.before, adjusted.after, adjusted.rule))
            total = adjusted.after
    return total


def put_condition(
    tx: Transaction,
    rules: RuleSystem,
    target: str,
    condition: str,
    *,
    value: int = 0,
    ends: Ends = Ends(),  # noqa: B008 - frozen
    source: str = "",
    break_free: str = "",
    held_by: str = "",
    rule: str = "",
    by: str = "",
) -> bool:
    """Put a condition on somebody who is not immune to it, and return whether it took. The same one is replaced.

    `held_by` is whoever it ends with when they concentrate no longer. Of one that stands at a value the greater holds.
    """
    if is_immune_to(tx, target, condition):
        reason = rules.cite("immunity.conditions")
        tx.emit(Unaffected(who=target, what=f"<condition.{condition}>", reason="why.condition_immune", rule=reason))
        return False
    held = next((one for one in tx.all(Effect) if one.target == target and one.name == condition), None)
    if held is not None and condition == CONCENTRATING:
        end_effect(tx, rules, held)
        held = None
    found = rules.conditions.get(condition)
    if found is not None and found.valued:
        value = (value or 1) + (held.value if held is not None and found.stacks else 0)
    if found is not None and found.valued and held is not None and value < held.value:
        reason = "why.greater_value"
        tx.emit(Unaffected(who=target, what=f"<condition.{condition}>", reason=reason, rule=rule))
        return False
    id = held.id if held else tx.next_id("effect")
    note = held.note if held else ""
    since = _round_to_count_from(tx, rules, condition)
    effect = Effect(
        id, target, condition, source, value, ends, break_free, note=note, since=since, held_by=held_by, by=by
    )
    put_effect(tx, rules, effect)
    tx.emit(
        EffectGained(
            target=target,
            name=condition,
            value=value,
            ends=ends.moment,
            source=source,
            valued=found is not None and found.valued,
            rule=rule,
        ),
    )
    return True


def _round_to_count_from(tx: Transaction, rules: RuleSystem, condition: str) -> int:
    """Return the round since when a condition holds that is told anew each round; 0 for any other."""
    found = rules.conditions.get(condition)
    clock = tx.get(Clock, "clock")
    return clock.round if clock is not None and found is not None and is_told_each_round(found) else 0


def is_told_each_round(condition: Condition) -> bool:
    """Return whether a condition has a note for every round."""
    return any((rule.kind, rule.what) == ("note", "round") for rule in condition.rules)


def put_effect(tx: Transaction, rules: RuleSystem, effect: Effect) -> None:
    """Let an effect begin. Who is incapacitated by it concentrates no longer."""
    tx.put(effect)
    follow(tx, contributions(tx, rules, Hook.EFFECT_GAINED, Moment(effect.target, effect.name)))
    _lose_for_good(tx, rules, effect.target)
    let_go(tx, rules, effect.target)
    if concentration_of(tx, effect.target) and INCAPACITATED in condition_names(tx, rules, effect.target):
        lose_concentration(tx, rules, effect.target)


def _lose_for_good(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End what somebody loses as soon as something is true of them, and doesn't get back when it no longer is."""
    for effect in [one for one in tx.all(Effect) if one.target == who]:
        condition = rules.conditions.get(effect.name)
        for rule in condition.rules if condition is not None else ():
            lost = rule.kind == "duration" and rule.what == LOST
            if lost and truth(tx, rules, who, rule.when, Moment(who, effect.name)) is True:
                end_effect(tx, rules, effect, rule.ledger)
                break


def let_go(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End what is held by somebody who is dead or gone, or of whom a rule says that they can't hold it any longer."""
    for effect in [one for one in tx.all(Effect) if one.by == who]:
        condition = rules.conditions.get(effect.name)
        held = [one for one in condition.rules if (one.kind, one.what) == ("duration", HELD)] if condition else []
        for rule in held:
            if is_out(tx, who) or truth(tx, rules, who, rule.when, Moment(who, effect.name)) is True:
                end_effect(tx, rules, effect, cited(rules.conditions[effect.name], rule))
                break


def id_for(tx: Transaction, target: str, name: str, by: str = "") -> str:
    """Return the id of the same effect, of the same maker, that lies on somebody already, to put it anew; else a new one."""
    held = (one.id for one in tx.all(Effect) if (one.target, one.name, one.by) == (target, name, by))
    return next(held, "") or tx.next_id("effect")


def concentration_of(tx: Transaction, who: str) -> Effect | None:
    """Return the effect by which somebody concentrates, None where they don't."""
    return next((one for one in tx.all(Effect) if one.target == who and one.name == CONCENTRATING), None)


def lose_concentration(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End somebody's concentration, and with it all that it holds."""
    effect = concentration_of(tx, who)
    if effect is not None:
        end_effect(tx, rules, effect, rules.cite("external.concentration"))


def follow(tx: Transaction, said: Contribution) -> None:
    """Begin what hook functions say now befalls somebody."""
    for one in said.follows:
        data = Watch(one.who, what=one.rule, source=one.source)
        tx.put(Procedure(id=tx.next_id(one.kind), kind=one.kind, stage="begin", data=data))


def ends_for(tx: Transaction, affliction: Affliction, target: str, environment: str) -> Ends:
    """Return when an affliction ends: "its next turn" said during one's own turn skips the one under way."""
    if affliction.ends == "world":
        return Ends("world", environment)
    if affliction.ends == "never":
        return Ends()
    moment: EndMoment = affliction.ends
    skip = 1 if moment == "turn-end" and is_active(tx, target) and not is_turn_ending(tx) else 0
    return Ends(moment, target, skip)


def is_active(tx: Transaction, who: str) -> bool:
    """Return whether it is somebody's turn."""
    return on_turn(tx, who)


def is_turn_ending(tx: Transaction) -> bool:
    """Return whether the end of a turn is under way."""
    return any(isinstance(procedure.data, TurnEnd) for procedure in tx.all(Procedure))


def end_effect(tx: Transaction, rules: RuleSystem, effect: Effect, rule: str = "") -> None:
    """End an effect, saying so where it was one that shows; with concentration ends whatever it holds."""
    tx.remove(effect)
    if effect.shown:
        tx.emit(EffectEnded(target=effect.target, name=effect.name, rule=rule))
    follow(tx, contributions(tx, rules, Hook.EFFECT_ENDED, Moment(effect.target, effect.name)))
    found = rules.conditions.get(effect.name)
    if found is not None and found.after and tx.get(Combatant, effect.target) is not None:
        put_condition(tx, rules, effect.target, found.after, rule=rule)
    _withdraw_brought(tx, rules, effect.target)
    alone = effect.name == CONCENTRATING and concentration_of(tx, effect.target) is None
    for held in list(tx.all(Effect)):
        ours = effect.name == CONCENTRATING and held.held_by == effect.target
        if ours and (alone or held.source == effect.source):
            end_effect(tx, rules, held, rule)
    if effect.name == READIED and effect.held_by:  # a spell held until then is lost with it
        lose_concentration(tx, rules, effect.held_by)


def end_condition(tx: Transaction, rules: RuleSystem, target: str, name: str, rule: str = "") -> None:
    """End every effect of a name on a combatant."""
    for effect in [one for one in tx.all(Effect) if one.target == target and one.name == name]:
        end_effect(tx, rules, effect, rule)


def _withdraw_brought(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Ask no more what a condition would bring along that somebody is no longer under."""
    under = condition_names(tx, rules, who)
    for prompt in list(tx.all(Prompt)):
        procedure = tx.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None and procedure.kind == BROUGHT else None
        if isinstance(data, Watch) and data.who == who and data.source not in under:
            tx.update(prompt, answers=tuple(Answered(ask.id, skipped=True) for ask in prompt.asks))


def use_up(tx: Transaction, rules: RuleSystem, effects: Iterable[str]) -> None:
    """Let effects with a limited number of uses have served one roll more, and end those that are used up."""
    for id in dict.fromkeys(effects):
        effect = tx.get(Effect, id)
        if effect is None or not effect.uses:
            continue
        if effect.uses == 1:
            end_effect(tx, rules, effect)
        else:
            tx.update(effect, uses=effect.uses - 1)


def end_effects_at(
    tx: Transaction, rules: RuleSystem, moment: EndMoment, who: str | None = None, rule: str = ""
) -> None:
    """End what lasts until this moment (of `who`, or of anybody); what skips one moment is now one nearer its end."""
    for effect in list(tx.all(Effect)):
        if effect.ends.moment != moment or (who is not None and effect.ends.who != who):
            continue
        if effect.ends.skip:
            tx.update(effect, ends=Ends(moment, effect.ends.who, effect.ends.skip - 1))
        else:
            end_effect(tx, rules, effect, rule)


def change_track(tx: Transaction, who: str, name: str, by: int, rule: str = "") -> None:
    """Add to a track, making it where there is none."""
    track = tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name)
    after = max(0, track.value + by)
    tx.update(track, value=after)
    tx.emit(TrackSet(who=who, track=name, before=track.value, after=after, rule=rule))


def row_name(environment: Environment, row: Entry) -> str:
    """Return how a row is named as the source of something."""
    return f"{environment.name}: {row.name}"
