"""Adds and ends effects and conditions, with all consequences.

If a system's sources only name a condition, the game master can apply its usual effects automatically.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import cast

import msgspec

from turnwright.dice.expression import Roll
from turnwright.encounter import data_rules, field_specs, prepared, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Prompt
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, PHASE, DamageConsequences, PhaseBeginning
from turnwright.encounter.procedure_state.effects import LEAVING, LingeringConditions, SummonedCreatures
from turnwright.encounter.procedure_state.turns import TurnEnd
from turnwright.encounter.running import Combatant, Duration, Effect, EndMoment, GuestCreature, LastingArea, ShapeChange
from turnwright.play.kernel import optional_modifiers, scheduler
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.transaction import Command, Transaction, command, require
from turnwright.play.state import events, maximum_hp
from turnwright.rules.parts.combatants.facts import KEPT_UP, SUMMONED, condition_names
from turnwright.rules.parts.conditions import condition_rules
from turnwright.rules.parts.conditions.predicates import evaluate, is_true_of
from turnwright.rules.parts.economy.limited_uses import is_on_turn, use_track
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.movement.routes import ground_below
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import Hook, HookContext, HookResult, RuleSystem, creature_of, run_hooks
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.numbers import ActionOption
from turnwright.rules.system_data.rounds import rounds_in

UNTIL_SOURCE_CANNOT_HOLD = "held"  # duration rule: the effect ends when its source can no longer maintain it
DEATH_SAVE_LABEL, STABLE_HOURS_LABEL = "ask.death_save", "ask.stable_hours"
DYING_ASKS = (DEATH_SAVE_LABEL, STABLE_HOURS_LABEL, "ask.massive_save", "ask.recovery_check", "ask.dying_becomes")
UNTIL_TRUE = "lost"  # duration rule: the effect ends for good when a predicate is true
UNTIL_IDLE = "idle"  # duration rule: the effect ends with a turn of its target without an attack or damage
SAVING_MOMENTS = ("hurt-save", "saved-hurt", "saved-unseen")
FLOATING, FLYING = "float", "speed.fly"
LIFTING = ("height", FLOATING)  # what rules change that keep a combatant above the ground
STIRRED = "stirred"  # mark: it attacked or took damage; the value is the number of turns that it had ended by then


def is_turn_ending(tx: Transaction) -> bool:
    """Return whether a turn is currently ending."""
    return any(isinstance(procedure.data, TurnEnd) for procedure in tx.all(Procedure))


class EndedBy(msgspec.Struct, frozen=True):
    """Other ends of a condition than its duration.

    `break_free` is the check or action that escapes it, and `held_by` the combatant whose concentration maintains it.
    `save` and `dc` are the target's save at the end of each of its turns. It also ends with the condition `bound_to`
    from the same creator, after the time `lasts`, or by the check `escape`, or if a creature next to the target spends
    the resource `wakes`. `rules` are further rules of it, such as other ends, and
    `uses_left` the number of rolls that use it up.
    """

    break_free: str = ""
    held_by: str = ""
    save: str = ""
    dc: int = 0
    bound_to: str = ""
    lasts: str = ""
    escape: str = ""
    wakes: str = ""
    rules: tuple[data_rules.DataRule, ...] = ()
    uses_left: int = 0


NOTHING_ELSE = EndedBy()


def put_condition(
    tx: Transaction,
    target: str,
    condition: str,
    *,
    value: int = 0,
    ends: Duration = Duration(),  # noqa: B008 - frozen
    source: str = "",
    rule: str = "",
    by: str = "",
    ended_by: EndedBy = NOTHING_ELSE,
    is_level: bool = False,
) -> bool:
    """Apply a condition to a combatant that isn't immune. Return whether it took hold.

    It replaces a condition from the same source, or one that ends in the same way. Others stay and have their own ends.
    If both have a value and end in the same way, the greater value stays, or the values of a condition that stacks are
    added. `is_level`: the value is the new level, as a person names it.
    """
    if condition_rules.keeps_out(tx, tx.rules, target, condition, by):
        reason = tx.rule_id("immunity.conditions")
        tx.emit(
            events.Unaffected(who=target, what=f"<condition.{condition}>", reason="why.condition_immune", rule=reason)
        )
        return False
    if condition == tx.role("concentrating"):
        end_condition(tx, target, condition)
    definition = tx.rules.conditions.get(condition)
    damage = definition.damage if definition is not None else ""
    as_told = Effect("", target, condition, source, value, ends, by=by, concentrator=ended_by.held_by)
    fields = ("break_free", "save", "dc", "bound_to", "escape", "wakes", "rules", "uses_left")
    ends_by = {name: getattr(ended_by, name) for name in fields}
    effect = msgspec.structs.replace(
        as_told,
        **ends_by,
        damage=damage,
        damage_at="turn-start" if damage else "",
        rounds_left=rounds_in(ended_by.lasts, state.scene_of(tx).round_seconds),
        counted_on="creator" if by else "affected",
        since_round=_round_to_count_from(tx, condition),
    )
    valued = definition is not None and definition.valued
    previous = _replaced_by(tx, effect, definition)
    if valued:
        before = previous.value if previous is not None else 0
        stacks = definition is not None and definition.stacks
        adds = stacks and not (is_level and value)
        effect = msgspec.structs.replace(effect, value=(value or 1) + (before if adds else 0))
        if not stacks and effect.value < before:
            what, reason = f"<condition.{condition}>", "why.greater_value"
            tx.emit(events.Unaffected(who=target, what=what, reason=reason, rule=rule))
            return False
    id, note = (previous.id, previous.note) if previous is not None else (tx.next_id("effect"), "")
    begin_effect(tx, msgspec.structs.replace(effect, id=id, note=note), rule, valued=valued, lasts=ended_by.lasts)
    for other in tx.all(Effect) if definition is not None and definition.once and by else ():
        if (other.name, other.by) == (condition, by) and other.target != target:
            end_effect(tx, other, rule)
    if definition is not None and definition.shape:
        scheduler.begin(tx, PHASE.ask_shape, PhaseBeginning(target, (condition,)))
    return True


def _replaced_by(tx: Transaction, new: Effect, condition: Condition | None) -> Effect | None:
    """Return the effect that a new one replaces, or None: one from the same source, or one that ends in the same way.

    Conditions with rules about their creator are only replaced by another from the same creator.
    """
    names_creator = condition is not None and (
        condition.until == "source-acts" or any(map(condition_rules.is_about_creator, condition.rules))
    )
    for old in state.effects_named(tx, new.target, new.name):
        ends_alike = _ends(old) == _ends(new) and (old.by == new.by or not names_creator)
        if ends_alike or (old.source, old.by) == (new.source, new.by) or (condition is not None and condition.stacks):
            return old
    return None


def _ends(effect: Effect) -> tuple[object, ...]:
    """Return everything that can end an effect."""
    own = effect.ends, effect.rounds_left, effect.break_free, effect.concentrator, effect.sustained
    return (*own, effect.save, effect.dc, effect.escape, effect.bound_to and (effect.bound_to, effect.by))


def begin_effect(tx: Transaction, effect: Effect, rule: str, *, valued: bool = False, lasts: str = "") -> None:
    """Add an effect and report it. `valued`: its value is its strength. `lasts`: its longest time, as text."""
    put_effect(tx, effect)
    who, name, value, source = effect.target, effect.name, effect.value, effect.source
    condition = tx.rules.conditions.get(name)
    has_level = condition is not None and condition.has_levels and value > 0
    tx.emit(
        events.EffectGained(
            target=who,
            name=name,
            value=value,
            ends=effect.ends.moment,
            skip=effect.ends.skip,
            source=source,
            valued=valued or has_level,
            by=_origin(tx, effect),
            on=source if name == tx.role("concentrating") else "",
            whose=effect.ends.who,
            rounds=effect.rounds_left,
            save=f"<save.{effect.save}>" if effect.save else "",
            dc=effect.dc,
            lasts=lasts,
            rule=rule,
        )
    )


def _origin(tx: Transaction, effect: Effect) -> str:
    """Return the combatant to name as the cause of an effect.

    It is empty if `by` is its target or isn't its cause, and for a feature, whose own journal line names its user.
    """
    leaves = (leave for option in tx.rules.data.actions for leave in option.leaves if leave.effect == effect.name)
    is_about = any(trace.by not in ("", "self") for trace in leaves)
    is_known = is_about or effect.by == effect.target or geometry.causing_feature(tx, effect) is not None
    return "" if is_known else effect.by


def _round_to_count_from(tx: Transaction, condition: str) -> int:
    """Return the current round if a condition has a note for each round, or else 0."""
    definition = tx.rules.conditions.get(condition)
    return state.clock_of(tx).round if definition is not None and reminds_each_round(definition) else 0


def reminds_each_round(condition: Condition) -> bool:
    """Return whether a condition has a note for each round."""
    return any((rule.kind, rule.what) == ("note", "round") for rule in condition.rules)


def put_effect(tx: Transaction, effect: Effect) -> None:
    """Add an effect with its consequences. If it incapacitates its target, concentration ends."""
    condition = tx.rules.conditions.get(effect.name)
    for replaced in condition.ends if condition is not None else ():
        end_condition(tx, effect.target, replaced)
    is_new = tx.get(Effect, effect.id) is None
    with maximum_hp.settling_maximum(tx, effect):
        tx.put(effect)
    lifts = sum(rule.add or 0 for rule in effect.rules if rule.what in LIFTING) if is_new else 0
    if lifts and (lifted := tx.get(Combatant, effect.target)) is not None:
        tx.update(lifted, elevation=lifted.elevation + lifts)
        tx.emit(Lifted(who=effect.target, feet=lifts))
    start_followups(tx, run_hooks(tx, tx.rules, Hook.EFFECT_GAINED, HookContext(effect.target, effect.name)))
    end_lost_effects(tx, effect.target)
    release_held_effects(tx, effect.target)
    about = HookContext(effect.target, "casting", tags=("concentration",))
    denials = condition_rules.data_rules_on(tx, tx.rules, effect.target, "deny", "casting", about)
    denied = any(each.context.effect is None or each.context.effect.concentrator != effect.target for each in denials)
    if tx.role("incapacitated") in condition_names(tx, tx.rules, effect.target) or denied:
        lose_concentration(tx, effect.target)


def set_value(tx: Transaction, effect: Effect, value: int) -> None:
    """Change the value of an effect."""
    with maximum_hp.settling_maximum(tx, effect):
        tx.update(effect, value=value)


def _rules_of(rules: RuleSystem, effect: Effect) -> tuple[data_rules.DataRule, ...]:
    """Return the data rules of an effect and of its condition."""
    condition = rules.conditions.get(effect.name)
    return (*(condition.rules if condition is not None else ()), *effect.rules)


def ends_idle(lookup: state.Lookup, rules: RuleSystem, effect: Effect, *, hurt: bool = False) -> bool:
    """Return whether an effect ends on a combatant without an attack. If it has no statement, being `hurt` counts, too."""
    idle = (rule.when for rule in _rules_of(rules, effect) if (rule.kind, rule.what) == ("duration", UNTIL_IDLE))
    return any(not when or (not hurt and is_true_of(lookup, rules, effect.target, when)) for when in idle)


def mark_stirred(tx: Transaction, who: str, *, hurt: bool = False) -> None:
    """Store that a combatant has attacked or taken damage, if an effect on it ends otherwise."""
    combatant = tx.get(Combatant, who)
    if combatant is not None and any(ends_idle(tx, tx.rules, effect, hurt=hurt) for effect in tx.of(Effect, who)):
        ends, turns = Duration("encounter"), combatant.turns_ended
        tx.put(Effect(f"{STIRRED}-{who}", who, STIRRED, value=turns, ends=ends, shown=False))


def is_idle(lookup: state.Lookup, rules: RuleSystem, effect: Effect) -> bool:
    """Return whether an effect ends because its target hasn't attacked or taken damage since its last turn."""
    mark, turns = lookup.get(Effect, f"{STIRRED}-{effect.target}"), lookup.need(Combatant, effect.target).turns_ended
    return ends_idle(lookup, rules, effect) and (mark is None or mark.value < turns)


def end_lost_effects(tx: Transaction, who: str) -> None:
    """End a combatant's effects that end for good as soon as a predicate of their rule is true."""
    for effect in tx.of(Effect, who):
        _end_if_lost(tx, effect)


def _end_if_lost(tx: Transaction, effect: Effect) -> None:
    about = HookContext(effect.target, effect.name, effect=effect)
    for rule in _rules_of(tx.rules, effect):
        lost = rule.kind == "duration" and rule.what == UNTIL_TRUE and tx.get(Effect, effect.id) is not None
        if lost and evaluate(tx, tx.rules, effect.target, rule.when, about) is True:
            end_effect(tx, effect, rule.ledger)
            break


def release_held_effects(tx: Transaction, *holders: str, moved: Collection[str] = (), by_itself: str = "") -> None:
    """End the holds of combatants that are out of play or can't hold any more, by the condition's rule.

    Of combatants that `moved`, also end the holds by or on them across more than the holder's reach, and the effects
    that end at this distance. A hold that lasts until its holder acts stays on a target that moved `by_itself`.
    """
    for effect in list(tx.all(Effect)):
        condition, by = tx.rules.conditions.get(effect.name), effect.by
        if effect.ends.moment == "owner-gone" and by in holders and state.is_out_of_play(tx, by):
            end_effect(tx, effect)
            continue
        concerned = by in holders or by in moved or effect.target in moved
        if concerned and effect.rules and by not in ("", effect.target):  # such as a bond between two creatures
            _end_if_lost(tx, effect)
        if condition is None or (condition.until and effect.target == by_itself):
            continue
        if not concerned or by in ("", effect.target) or not is_hold(tx, effect):
            continue
        for rule in condition.rules:
            if (rule.kind, rule.what) == ("duration", UNTIL_SOURCE_CANNOT_HOLD):
                unable = state.is_out_of_play(tx, by) or evaluate(
                    tx, tx.rules, by, rule.when, HookContext(by, effect.name)
                )
                if unable or (moved and geometry.is_held_in_reach(tx, tx.rules, effect) is False):
                    end_effect(tx, effect, condition_rules.condition_rule_id(condition, rule))
                    break


def is_hold(tx: Transaction, effect: Effect) -> bool:
    """Return whether a creature must maintain an effect. Bonds thrown from a distance, such as a web, last without it."""
    return effect.name == tx.role("grappled") or not geometry.is_from_afar(geometry.causing_feature(tx, effect))


def end_rested_conditions(tx: Transaction, who: str) -> None:
    """End the conditions that any rest ends by their rule, for example if the combatant isn't hurt any more."""
    for effect in list(tx.of(Effect, who)):
        condition = tx.rules.conditions.get(effect.name)
        for rule in condition.rules if condition is not None else ():
            about = HookContext(who, effect.name)
            if (rule.kind, rule.what) == ("duration", "rest") and evaluate(tx, tx.rules, who, rule.when, about) is True:
                end_effect(tx, effect, rule.ledger)
                break


def effect_id_for(tx: Transaction, target: str, name: str, by: str = "") -> str:
    """Return the id of the effect with this target, name and source, so that it is replaced, or else a new id."""
    ids = (effect.id for effect in tx.of(Effect, target) if (effect.name, effect.by) == (name, by))
    return next(ids, "") or tx.next_id("effect")


def put_action_effect(tx: Transaction, option: ActionOption, target: str, by: str) -> None:
    """Apply an action's effect to a target. It ends with this turn or at a moment of the actor's (`by`) turn."""
    ends = Duration(option.ends, "" if option.ends == "turn" else by)
    id = effect_id_for(tx, target, option.effect)
    put_effect(tx, Effect(id, target, option.effect, source=option.name, ends=ends))


def concentration_of(lookup: state.Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return the concentration effect of a combatant, or None if it isn't concentrating."""
    return state.find_effect(lookup, who, rules.role("concentrating"))


def lose_concentration(tx: Transaction, who: str) -> None:
    """End a combatant's concentration and all effects that it maintains."""
    effect = concentration_of(tx, tx.rules, who)
    if effect is not None:
        end_effect(tx, effect, tx.rule_id("external.concentration"))


def start_followups(tx: Transaction, result: HookResult, parent: str = "") -> None:
    """Begin the procedures returned by hook functions. `parent` waits for them."""
    for procedure in result.procedures:
        scheduler.begin(tx, procedure.kind.first, procedure.data, parent)


_AS_WRITTEN = ("owner-gone", "turn", "hurt", "harmed", "hurt-save", "saved-hurt", "saved-unseen", "rest", "long-rest")


def duration_of(
    tx: Transaction, affliction: prepared.InflictedCondition, target: str, environment: str = "", by: str = ""
) -> Duration:
    """Return the duration of an inflicted condition. During a turn, "its next turn" means the one after it."""
    if affliction.ends == "world":
        return Duration("world", environment)
    if affliction.ends in (*_AS_WRITTEN, "encounter"):
        return Duration(cast("EndMoment", affliction.ends))
    if affliction.ends in ("attacks", "opposes", "affects"):
        return Duration(affliction.ends, target)
    who = by if affliction.ends in ("owner-start", "owner-end") else target
    if affliction.ends in ("never", "saved") or not who:
        return Duration()
    moment: EndMoment = "turn-start" if affliction.ends in ("turn-start", "owner-start") else "turn-end"
    return Duration(moment, who, 1 if moment == "turn-end" and is_on_turn(tx, who) and not is_turn_ending(tx) else 0)


def ends_unless_sustained(lookup: Transaction, who: str) -> Duration:
    """Return the duration of a sustained effect created now: until the end of the creator's next turn."""
    return Duration("turn-end", who, 1 if is_on_turn(lookup, who) and not is_turn_ending(lookup) else 0)


def end_effect(
    tx: Transaction, effect: Effect, rule: str = "", *, is_reported: bool = False, is_cured: bool = False
) -> None:
    """End an effect, and report it if it is shown. The end of concentration also ends everything it maintains.

    `is_reported`: the cause has its own journal line, so the end of the effect needs none. `is_cured`: the condition
    that usually follows, such as wounded, doesn't.
    """
    if (effect.bound_to or effect.concentrator) and tx.get(Effect, effect.id) is None:  # it ended with another effect
        return
    with maximum_hp.settling_maximum(tx, effect):
        tx.remove(effect)
    if effect.shown:
        passing = is_reported or effect.ends.moment == "turn" or bool(effect.rests)
        on = effect.source if effect.name == tx.role("concentrating") else ""
        tx.emit(
            events.EffectEnded(
                target=effect.target, name=effect.name, on=on, damage=effect.damage, rule=rule, bookkeeping=passing
            )
        )
    _end_temp_hp(tx, effect)
    if effect.rests and tx.get(Combatant, effect.target) is not None:
        tx.put(use_track(tx, effect.target, f"recharge.{effect.rests}", 1))
        tx.emit(events.FeatureReady(who=effect.target, feature=effect.name))
    borne = tuple(rule.what for rule in effect.rules if rule.what in (*LIFTING, FLYING))
    if FLOATING in borne and (floater := tx.get(Combatant, effect.target)) is not None:
        tx.update(floater, elevation=ground_below(tx, tx.rules, floater.id))
    ended = HookContext(effect.target, effect.name, tags=borne)
    start_followups(tx, run_hooks(tx, tx.rules, Hook.EFFECT_ENDED, ended))
    condition = tx.rules.conditions.get(effect.name)
    if condition is not None and condition.shape:
        revert_shape(tx, effect.target)
    if condition is not None and condition.after and not is_cured and tx.get(Combatant, effect.target) is not None:
        lasts = tx.rules.conditions[condition.after].lasts
        put_condition(tx, effect.target, condition.after, rule=rule, ended_by=EndedBy(lasts=lasts))
    if effect.after and tx.get(Combatant, effect.target) is not None:
        ends = duration_of(tx, prepared.InflictedCondition(effect.after, "turn-end"), effect.target)
        put_condition(tx, effect.target, effect.after, ends=ends, source=effect.name, rule=rule)
    if effect.name == tx.role("dying"):
        scheduler.withdraw_asks(tx, lambda ask: ask.who == effect.target and ask.label in DYING_ASKS)
    _withdraw_lingering(tx, effect.target)
    left = {(each.name, each.by) for each in tx.of(Effect, effect.target) if each.id != effect.id}
    for bound in tx.of(Effect, effect.target) if (effect.name, effect.by) not in left else ():
        if (bound.bound_to, bound.by) == (effect.name, effect.by) and bound.id != effect.id:
            end_effect(tx, bound, rule)
    end_lost_effects(tx, effect.target)
    if state.find_effect(tx, effect.target, KEPT_UP) is not None:
        scheduler.begin(tx, DAMAGE_CONSEQUENCES.maximum_changed, DamageConsequences(effect.target, 0, 0, 0))
    alone = effect.name == tx.role("concentrating") and concentration_of(tx, tx.rules, effect.target) is None
    for maintained in list(tx.all(Effect)):
        is_maintained = effect.name == tx.role("concentrating") and maintained.concentrator == effect.target
        same = (maintained.source, maintained.by, maintained.ends) == (effect.name, effect.target, effect.ends)
        holds = same and maintained.name in dict(tx.rules.data.escapes)  # as a spell's tentacles do while it lasts
        if holds or (is_maintained and (alone or maintained.source == effect.source)):
            end_effect(tx, maintained, rule)
    if effect.concentrator and not (effect.uses_left and effect.note):  # with a note, the spell does more than that
        is_spell = (effect.target, effect.name) == (effect.concentrator, effect.source)
        end_vain_concentration(tx, effect.concentrator, effect.source, over=is_spell)
    if effect.name == SUMMONED:
        scheduler.begin(tx, LEAVING.ask_leave, SummonedCreatures(effect.note, effect.source))
    if effect.name == tx.role("readied") and effect.concentrator:  # the readied spell is lost too
        lose_concentration(tx, effect.concentrator)


def end_vain_concentration(tx: Transaction, who: str, spell: str, *, over: bool = False) -> None:
    """End a combatant's concentration on a spell of which no effect is left, and no area on the map or without one.

    A spell that is `over`, because its effect on its caster has ended, keeps no area.
    """
    held = next((one for one in state.effects_named(tx, who, tx.role("concentrating")) if one.source == spell), None)
    kept = any((each.concentrator, each.source) == (who, spell) for each in tx.all(Effect))
    lies = any(held is not None and area.effect == held.id for area in tx.all(LastingArea))
    covers = any(listed.name == spell and listed.ground is not None for listed in tx.rules.data.spells)
    if held is not None and not (kept or (not over and (lies or (covers and current_map(tx) is None)))):
        end_effect(tx, held, tx.rule_id("external.concentration"))


@journal("journal.lifted")
class Lifted(CombatantEvent, frozen=True):
    """An effect raised a combatant."""

    feet: int


def revert_shape(tx: Transaction, who: str, excess: int = 0) -> ShapeChange | None:
    """Restore a combatant's former stat block and hit points, less excess damage. Return the ended shape or None.

    The condition that gave the shape ends too.
    """
    shape = tx.get(ShapeChange, who)
    if shape is None:
        return None
    tx.remove(shape)
    for effect in tx.of(Effect, who):
        if effect.name in tx.rules.conditions and tx.rules.conditions[effect.name].shape:
            end_effect(tx, effect)
    combatant = tx.need(Combatant, who)
    block = tx.get(prepared.Creature, shape.creature) or tx.get(GuestCreature, shape.creature)
    earlier, name = creature_of(tx, combatant).name, block.name if block is not None else shape.creature
    fields = maximum_hp.maximum_fields(tx, who, shape.hp_max)
    most = fields["hp_max"]
    hp = max(
        tx.rules.data.health.lowest(most),
        min(combatant.hp if shape.kept or combatant.dead else shape.hp - excess, most),
    )
    tx.update(combatant, creature=shape.creature, hp=hp, phases=shape.phases, **fields)
    tx.emit(events.StatBlockChanged(who=who, creature=name, earlier=earlier, hp=hp, hp_max=most))
    return shape


@journal("journal.temporary_lost", who="target")
class TempHpLost(Event, frozen=True):
    """A combatant lost its temporary hit points, at the end of a rest or of the effect that gave them."""

    target: field_specs.CombatantId
    before: int


def _end_temp_hp(tx: Transaction, effect: Effect) -> None:
    """Remove the temporary hit points that an effect gave, unless only its rules end at a moment of a turn."""
    stay = effect.rules and effect.ends.who and not effect.sustained
    combatant = tx.get(Combatant, effect.target) if effect.shown and not stay else None  # no mark of a cast spell
    if combatant is not None and combatant.temp_from in {effect.name, effect.source} - {""}:
        lose_temp_hp(tx, combatant)


def lose_temp_hp(tx: Transaction, combatant: Combatant) -> None:
    """Remove a combatant's temporary hit points."""
    if combatant.temp_hp:
        tx.update(combatant, temp_hp=0, temp_from="")
        tx.emit(TempHpLost(target=combatant.id, before=combatant.temp_hp, rule=tx.rule_id("temp.expire")))


def spent_temp_hp(tx: Transaction, combatant: Combatant) -> None:
    """End the effects of a combatant that end with the temporary hit points that they gave."""
    for effect in state.effects_named(tx, combatant.id, combatant.temp_from):
        definition = tx.rules.conditions.get(effect.name)
        rules = (*effect.rules, *(definition.rules if definition is not None else ()))
        if any((rule.kind, rule.what) == ("duration", "spent") for rule in rules):
            end_effect(tx, effect)


def end_condition(tx: Transaction, target: str, name: str, rule: str = "", *, is_reported: bool = False) -> None:
    """End every effect with this name on a combatant."""
    for effect in state.effects_named(tx, target, name):
        end_effect(tx, effect, rule, is_reported=is_reported)


def _withdraw_lingering(tx: Transaction, who: str) -> None:
    """Withdraw prompts about the lingering conditions of a condition that a combatant no longer has."""
    under = condition_names(tx, tx.rules, who)
    for prompt in list(tx.all(Prompt)):
        procedure = tx.get(Procedure, prompt.procedure)
        data = procedure.data if procedure is not None else None
        if isinstance(data, LingeringConditions) and data.who == who and data.condition not in under:
            tx.update(prompt, answers=tuple(AskResult(ask.id, skipped=True) for ask in prompt.asks))


def spend_uses(tx: Transaction, prompt: Prompt, answers: Mapping[str, AskResult]) -> Mapping[str, AskResult]:
    """Use up one use of each effect that contributes to a roll that was made, whatever it is for."""
    for question in prompt.asks:
        answer = answers.get(question.id)
        if question.spec is not None and answer is not None and not answer.skipped:
            consume_effects(tx, question.spec.uses, answer.roll)
    return answers


def consume_effects(tx: Transaction, effects: Iterable[str], roll: Roll | None = None) -> None:
    """Use up one use of each effect with limited uses. End effects that have no uses left.

    An effect with its own rules or feature is reported, with the faces of its dice in `roll`.
    """
    for id in dict.fromkeys(effects):
        effect = tx.get(Effect, id)
        if effect is None or not effect.uses_left:
            continue
        if is_told := bool(effect.rules or effect.leaves):
            thrown = [die for die in roll.dice if die.why == effect.name] if roll is not None else []
            dice = ", ".join(f"d{die.sides}: {'−' if die.sign < 0 else ''}{die.face}" for die in thrown)
            tx.emit(events.EffectUsed(who=effect.target, name=effect.name, dice=dice, left=effect.uses_left - 1))
        if effect.uses_left == 1:
            end_effect(tx, effect, is_reported=is_told)
        else:
            tx.update(effect, uses_left=effect.uses_left - 1)


def end_effects_at(tx: Transaction, moment: EndMoment, who: str | None = None, rule: str = "") -> None:
    """End effects that last until a moment (of `who`, if given). For effects that `skip` it, count it down instead."""
    for effect in list(tx.all(Effect)):
        if effect.ends.moment != moment or (who is not None and effect.ends.who != who):
            continue
        if effect.ends.skip:
            tx.update(effect, ends=Duration(moment, effect.ends.who, effect.ends.skip - 1))
        else:
            end_effect(tx, effect, rule)


@journal("journal.effects_held", when={"asked": "journal.effects_asked"}, kind="warn")
class UsualEffectsHeld(Event, frozen=True):
    """The usual effects of a condition apply automatically until the encounter ends, or will be `asked` about again."""

    condition: field_specs.ConditionId
    asked: bool = False


def hold_effects(tx: Transaction, condition: str) -> None:
    """Apply the usual effects of a condition automatically for the rest of the encounter."""
    if not optional_modifiers.always_holds(tx, f"<condition.{condition}>"):
        id, ends = optional_modifiers.held_effects_id(condition), Duration("encounter")
        tx.put(Effect(id, "", optional_modifiers.HELD_EFFECTS, condition, ends=ends, shown=False))
        tx.emit(UsualEffectsHeld(condition=condition, rule=_rule(tx.rules, condition)))


def ask_effects(tx: Transaction, condition: str) -> None:
    """Ask about the usual effects of a condition again."""
    if (mark := tx.get(Effect, optional_modifiers.held_effects_id(condition))) is not None:
        tx.remove(mark)
        tx.emit(UsualEffectsHeld(condition=condition, asked=True, rule=_rule(tx.rules, condition)))


def take_always(tx: Transaction, ask: Ask, answer: AskResult) -> AskResult:
    """Return an answer without the mark `always`. If it was set, apply the condition's effects automatically."""
    choices = tuple(id.removeprefix(optional_modifiers.ALWAYS_PREFIX) for id in answer.chosen)
    if choices == answer.chosen:
        return answer
    hold_effects(tx, optional_modifiers.condition_named(ask.detail))
    return msgspec.structs.replace(answer, chosen=choices)


def _rule(rules: RuleSystem, condition: str) -> str:
    return next(iter(rules.conditions[condition].ledger), "")


@command(script="automatic {condition} [on | off {held=false}]")
class HoldEffects(Command, frozen=True):
    """Apply the usual effects of a condition automatically for the whole encounter, or ask about them again."""

    condition: field_specs.ConditionId
    held: bool = True

    def handle(self, tx: Transaction) -> None:
        """Set the effects to automatic, or to be asked about. Refuse a condition that the rules define."""
        condition = tx.rules.conditions.get(self.condition)
        external = condition is not None and condition.external
        require(external, "refused.not_asked_about", what=f"<condition.{self.condition}>")
        (hold_effects if self.held else ask_effects)(tx, self.condition)
