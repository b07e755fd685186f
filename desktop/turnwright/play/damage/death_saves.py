"""Combatants at 0 hit points: falling unconscious, death saves, being stable, waking up, and death."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.dice.roll import RollSpec
from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.lookups import effects_named, is_encounter_running, track_value
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import AskResult, roll_ask
from turnwright.encounter.procedure_state.damage import DEATH_SAVES, STABLE_RECOVERY, DeathSaveRolls, StableRecovery
from turnwright.encounter.procedure_state.movement import FALL, THROWN_RIDER, Fall, ForcedDismount
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.asking.checks import result_of
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in, withdraw_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.falling import FallBegan
from turnwright.play.movement.mounting import dismount_rider
from turnwright.play.state.effect_records import (
    DEATH_SAVE_LABEL,
    DYING_ASKS,
    STABLE_HOURS_LABEL,
    consume_effects,
    end_condition,
    lose_concentration,
    put_condition,
    release_held_effects,
    start_followups,
)
from turnwright.play.state.events import Skipped
from turnwright.play.state.fatigue import add_levels, change_track
from turnwright.play.state.hit_points import reset_death_saves, restore_hit_points
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts.conditions.condition_rules import is_out_of_play
from turnwright.rules.parts.damage.dying import (
    FAILURES,
    FATIGUE,
    STRIFE,
    SUCCESSES,
    death_save,
    death_save_modifiers,
    zero_hp_conditions,
)
from turnwright.rules.parts.movement.falling import ground_below, height_over_ground, is_flying
from turnwright.rules.parts.movement.riding import riders_of
from turnwright.rules.system import RuleSystem, labels_of

INITIATIVE_ASKS = ("ask.initiative", "ask.tie")  # kept, because a dead combatant may be revived


@journal("journal.died", kind="harm", joins=("who",))
class Died(Event, frozen=True):
    """A combatant died."""

    who: CombatantId


def collapse(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Drop a dead flyer; its riders fall separately. Riders of a mount on the ground land next to its body."""
    feet = height_over_ground(tx, rules, who) if is_flying(tx, rules, who) else 0
    for rider in riders_of(tx, who):
        if feet and not rider.dead:
            dismount_rider(tx, rules, rider.id, None, rule=rules.rule_id("mount.mount-prone"))
            begin(tx, FALL.start, Fall(rider.id, rules.rule_id("falling.figures")))
        elif not feet:
            begin(tx, THROWN_RIDER.ask_landing, ForcedDismount(rider.id, rules.rule_id("mount.mount-prone")))
    if feet:
        tx.emit(FallBegan(who=who, feet=feet, rule=rules.rule_id("falling.figures")))
        floor = ground_below(tx, rules, who)
        tx.update(tx.need(Combatant, who), elevation=floor)
        for rider in riders_of(tx, who):
            tx.update(rider, elevation=floor)


# Falling and its consequences ------------------------------------------------------------------------------------


def fall_unconscious(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Knock out a combatant that damage dropped to 0 hit points without killing it. It is unconscious and dying."""
    put_condition(tx, rules, target, rules.role("unconscious"), rule=rules.rule_id("zero.unconscious"))
    start_dying(tx, rules, target, rules.rule_id("death.dying"))
    if is_encounter_running(tx):
        add_levels(tx, rules, target, FATIGUE, rules.data.dying.fall_fatigue, rules.rule_id("zero.fatigue"))


def start_dying(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    """Mark a combatant at 0 hit points as dying, and reset its death saves."""
    reset_death_saves(tx, target, rules.rule_id("death.reset"))
    put_condition(tx, rules, target, rules.role("dying"), rule=rule)


def knock_out(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Knock a combatant out on purpose: it is unconscious, stable and at 0 hit points, and gains fatigue."""
    rule = rules.rule_id("knockout.result")
    put_condition(tx, rules, target, rules.role("unconscious"), rule=rule)
    _stand_stable(tx, rules, target, rule)
    add_levels(tx, rules, target, FATIGUE, rules.data.dying.knock_out_fatigue, rule)


def stabilise(tx: Transaction, rules: RuleSystem, target: str, rule: str = "") -> None:
    """Make a dying combatant stable; it stays unconscious."""
    _stand_stable(tx, rules, target, rule or rules.rule_id("stable.aid"))
    if not effects_named(tx, target, rules.role("unconscious")):
        put_condition(tx, rules, target, rules.role("unconscious"), rule=rules.rule_id("stable.unconscious"))


def _stand_stable(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    withdraw_asks(tx, lambda ask: ask.who == target and ask.label in DYING_ASKS)
    end_condition(tx, rules, target, rules.role("dying"))
    reset_death_saves(tx, target, rules.rule_id("death.reset"))
    put_condition(tx, rules, target, rules.role("stable"), rule=rule)


def clear_stable(tx: Transaction, rules: RuleSystem, target: str) -> None:
    """Mark a combatant at 0 hit points as dying and no longer stable, unless it is already dying."""
    if not effects_named(tx, target, rules.role("dying")):
        rule = rules.rule_id("stable.damaged" if effects_named(tx, target, rules.role("stable")) else "death.dying")
        end_condition(tx, rules, target, rules.role("stable"))
        if not effects_named(tx, target, rules.role("unconscious")):
            put_condition(tx, rules, target, rules.role("unconscious"), rule=rules.rule_id("zero.unconscious"))
        start_dying(tx, rules, target, rule)


def die(tx: Transaction, rules: RuleSystem, target: str, rule: str) -> None:
    """Kill a combatant: end its concentration and its conditions at 0 hit points, and drop its body."""
    combatant = tx.get(Combatant, target)
    if combatant is None or combatant.dead:
        return
    tx.update(combatant, dead=True, hp=min(combatant.hp, 0))
    tx.emit(Died(who=target, rule=rule))
    withdraw_asks(tx, lambda ask: ask.who == target and ask.label not in INITIATIVE_ASKS)
    for effect in [ending for ending in tx.of(Effect, target) if ending.name in zero_hp_conditions(rules)]:
        tx.remove(effect)
    for name in (SUCCESSES, FAILURES):
        tx.discard(Track, track_id(target, name))
    collapse(tx, rules, target)
    lose_concentration(tx, rules, target)
    release_held_effects(tx, rules, target)
    start_followups(tx, run_hooks(tx, rules, Hook.DIED, HookContext(target)))


# Death saves -----------------------------------------------------------------------------------------------------


def begin_death_saves(tx: Transaction, rules: RuleSystem, who: Iterable[str], parent: str = "") -> None:
    """Begin the death saves of dying combatants before any other phase of their turn; `parent` waits."""
    dying = tuple(id for id in who if _still_dying(tx, rules, id))
    if dying:
        begin(tx, DEATH_SAVES.ask_saves, DeathSaveRolls(dying), parent)


def ask_saves(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask for the death save of each dying combatant."""
    rule = rules.rule_id("death.turn-start")
    numbers = rules.data.dying.save
    candidates = data_of(procedure, DeathSaveRolls).who if numbers.failures else ()
    who = [id for id in candidates if _still_dying(tx, rules, id)]
    asks = (roll_ask(id, DEATH_SAVE_LABEL, "", death_save(tx, rules, id), numbers.dc, rule=rule) for id in who)
    return ask(tx, goto(procedure, DEATH_SAVES.tally), "prompt.death_save", asks, subject=labels_of(tx, who))


def tally(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Count each death save, with special effects for the highest and lowest faces."""
    for who, answer in answers.items():
        if _still_dying(tx, rules, who):
            _count_one(tx, rules, who, answer)


def _still_dying(tx: Transaction, rules: RuleSystem, who: str) -> bool:
    return not is_out_of_play(tx, who) and bool(effects_named(tx, who, rules.role("dying")))


def _count_one(tx: Transaction, rules: RuleSystem, who: str, answer: AskResult) -> None:
    numbers = rules.data.dying.save
    if answer.skipped:
        tx.emit(Skipped(purpose=DEATH_SAVE_LABEL, who=who))
        return
    consume_effects(tx, rules, death_save_modifiers(tx, rules, who).consumed_effects)
    passed = result_of(tx, rules, answer, DEATH_SAVE_LABEL, who, "", numbers.dc, rules.rule_id("death.target"))
    natural = answer.roll.natural if answer.roll is not None else None
    if natural is not None and natural == numbers.best:
        restore_hit_points(tx, rules, who, numbers.best_hp, rule=rules.rule_id("death.natural-20"))
        return
    worst = natural is not None and natural == numbers.worst  # it fails regardless of modifiers
    if worst:
        rule = rules.rule_id("death.natural-1")
        add_levels(tx, rules, who, FATIGUE, numbers.worst_fatigue, rule)
        add_levels(tx, rules, who, STRIFE, numbers.worst_strife, rule)
        times = numbers.worst_failures
        add_failure(tx, rules, who, rule if times > 1 else rules.rule_id("death.count"), times)
    elif passed:
        add_success(tx, rules, who)
    else:
        add_failure(tx, rules, who, rules.rule_id("death.count"))


def add_success(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Count a successful death save. Enough of them make the combatant stable."""
    change_track(tx, who, SUCCESSES, 1, rules.rule_id("death.count"))
    check_counts(tx, rules, who)


def add_failure(tx: Transaction, rules: RuleSystem, who: str, rule: str, count: int = 1) -> None:
    """Count one or more failed death saves, for any reason. Enough of them kill the combatant."""
    if rules.data.dying.save.failures:
        change_track(tx, who, FAILURES, count, rule)
        check_counts(tx, rules, who)


def check_counts(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """End the death saves if there are enough successes or failures."""
    if not _still_dying(tx, rules, who):
        return
    numbers = rules.data.dying.save
    if numbers.failures and track_value(tx, who, FAILURES) >= numbers.failures:
        die(tx, rules, who, rules.rule_id("death.third-failure"))
    elif numbers.successes and track_value(tx, who, SUCCESSES) >= numbers.successes:
        stabilise(tx, rules, who, rules.rule_id("death.third-success"))


# Waking up without help ------------------------------------------------------------------------------------------


def pass_hours(tx: Transaction, rules: RuleSystem, hours: int) -> None:
    """Advance time by some hours for every stable combatant."""
    living = (combatant.id for combatant in tx.all(Combatant) if not combatant.dead)
    stable = tuple(who for who in living if effects_named(tx, who, rules.role("stable")))
    if stable:
        begin(tx, STABLE_RECOVERY.ask_hours, StableRecovery(stable, hours))


def ask_hours(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Ask how many hours each stable combatant takes to wake, if that is unknown."""
    rule, spec = rules.rule_id("stable.recover"), RollSpec(rules.data.dying.stable_hours)
    unknown = (effect.target for effect in _stable_of(tx, rules, procedure) if not effect.value)
    asks = (roll_ask(who, STABLE_HOURS_LABEL, "", spec, rule=rule) for who in unknown)
    return ask(tx, goto(procedure, STABLE_RECOVERY.wake_from_stable), "prompt.stable_hours", asks)


def wake_from_stable(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Deduct the hours passed from each stable combatant's waiting time. Wake combatants whose time is up."""
    rule = rules.rule_id("stable.recover")
    for effect in _stable_of(tx, rules, procedure):
        who, hours_left = effect.target, effect.value
        answer = answers.get(who)
        if answer is not None and not answer.skipped:
            hours_left = (answer.roll.total if answer.roll is not None else answer.number) or 0
        if not hours_left:
            tx.emit(Skipped(purpose=STABLE_HOURS_LABEL, who=who))
        elif hours_left > data_of(procedure, StableRecovery).hours:
            tx.update(effect, value=hours_left - data_of(procedure, StableRecovery).hours)
        else:
            restore_hit_points(tx, rules, who, rules.data.dying.stable_hp, rule=rule)


def _stable_of(tx: Transaction, rules: RuleSystem, procedure: Procedure) -> list[Effect]:
    here = [who for who in data_of(procedure, StableRecovery).who if not is_out_of_play(tx, who)]
    return [effect for effect in tx.all(Effect) if effect.name == rules.role("stable") and effect.target in here]


STAGES = stages_in(globals(), DEATH_SAVES, STABLE_RECOVERY)
