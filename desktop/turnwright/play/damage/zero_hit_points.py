"""Combatants at 0 hit points: falling unconscious, death saves, being stable, waking up, and death.

Games have different rules for it, keyed by their name in the system's data. `damage_consequences` and `death_saves`
implement the rule `saves`; `ZERO_HP_RULES` contains the others.

A combatant that bleeds out loses more hit points at the start of each turn, down to a limit. The rest of the turn is
skipped. Stabilising the combatant stops the bleeding, and new damage restarts it.

Dying with a value: a recovery check at the start of each turn changes the value, and a high value kills. If the rules
leave the outcome open, the data suggests one. The game master confirms it; with strict rules it applies automatically.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from turnwright.dice.expression import RollPart, RollSpec
from turnwright.encounter import roles, state
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.damage import (
    BLEED_OUT,
    DAMAGE_CONSEQUENCES,
    DEATH_SAVES,
    RECOVERY_CHECK,
    STABLE_RECOVERY,
    BleedOut,
    DamageConsequences,
    DeathSaveRolls,
    RecoveryChecks,
    StableRecovery,
)
from turnwright.encounter.procedure_state.effects import LEAVING, SummonedCreatures
from turnwright.encounter.procedure_state.movement import FALL, THROWN_RIDER, Fall, ForcedDismount
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Combatant, Effect, Track, track_id
from turnwright.play.asking import checks, declaration
from turnwright.play.effects.conditions import EffectUpdated
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, data_of, goto, withdraw_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement import forced_movement, mounting
from turnwright.play.state import action_economy, effect_records, events, hit_points
from turnwright.play.turn_order.surprise import members_in_turn, move_before_active
from turnwright.rules.parts.checks.ability_checks import LADDER
from turnwright.rules.parts.combatants import facts
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.damage import damage_steps
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.movement import move_legs, routes
from turnwright.rules.system import Hook, HookContext, creature_of, label_of, labels_of, run_hooks

INITIATIVE_ASKS = ("ask.initiative", "ask.tie")  # kept, because a dead combatant may be revived


@journal("journal.died", kind="harm", joins=("who",))
class Died(CombatantEvent, frozen=True):
    """A combatant died."""


def collapse(tx: Transaction, who: str) -> None:
    """Drop a dead flyer; its riders fall separately. Riders of a mount on the ground land next to its body."""
    feet = routes.height_over_ground(tx, tx.rules, who) if routes.is_flying(tx, tx.rules, who) else 0
    for rider in move_legs.riders_of(tx, who):
        if feet and not rider.dead:
            mounting.dismount_rider(tx, rider.id, None, rule=tx.rule_id("mount.mount-prone"))
            if not state.effects_named(tx, rider.id, tx.role("falling")):
                begin(tx, FALL.start, Fall(rider.id, tx.rule_id("falling.figures")))
        elif not feet:
            begin(tx, THROWN_RIDER.ask_landing, ForcedDismount(rider.id, tx.rule_id("mount.mount-prone")))
    if feet:
        tx.emit(forced_movement.FallBegan(who=who, feet=feet, rule=tx.rule_id("falling.figures")))
        floor = routes.ground_below(tx, tx.rules, who)
        tx.update(tx.need(Combatant, who), elevation=floor)
        for rider in move_legs.riders_of(tx, who):
            tx.update(rider, elevation=floor)


# Falling and its consequences ------------------------------------------------------------------------------------


def fall_unconscious(tx: Transaction, target: str) -> None:
    """Knock out a combatant that damage dropped to 0 hit points without killing it. It is unconscious and dying."""
    lose_consciousness(tx, target, tx.rule_id("zero.unconscious"))
    start_dying(tx, target, tx.rule_id("death.dying"))
    if state.is_encounter_running(tx):
        hit_points.add_levels(
            tx, target, tx.role("fatigue"), tx.rules.data.dying.fall_fatigue, tx.rule_id("zero.fatigue")
        )


def keeps_up(tx: Transaction, who: str) -> bool:
    """Return whether a rule keeps a combatant conscious at 0 hit points, and mark it accordingly."""
    mark = state.find_effect(tx, who, facts.KEPT_UP)
    is_up = bool(damage_steps.outcomes_at_zero(tx, tx.rules, who, "up"))
    if is_up and mark is None:
        tx.put(Effect(tx.next_id("effect"), who, facts.KEPT_UP, shown=False))
    elif mark is not None and not is_up:
        tx.remove(mark)
    return is_up


def lose_consciousness(tx: Transaction, who: str, rule: str) -> bool:
    """Knock out a combatant at 0 hit points that isn't unconscious or kept up yet. Return whether it was."""
    if keeps_up(tx, who) or state.effects_named(tx, who, tx.role("unconscious")):
        return False
    return bool(effect_records.put_condition(tx, who, tx.role("unconscious"), rule=rule))


def let_fall(tx: Transaction, who: str) -> None:
    """Knock out or kill a combatant at 0 hit points after the rule that kept it up."""
    numbers = tx.rules.data.dying.save
    if not (damage_steps.makes_saves(tx, tx.rules, who) or tx.rules.data.dying.mechanism in ZERO_HP_RULES):
        die(tx, who, tx.rule_id("npc.monster-dies"))
    elif numbers.failures and state.track_value(tx, who, damage_steps.FAILURES) >= numbers.failures:
        die(tx, who, tx.rule_id("death.third-failure"))
    else:
        lose_consciousness(tx, who, tx.rule_id("zero.unconscious"))


def start_dying(tx: Transaction, target: str, rule: str) -> None:
    """Mark a combatant at 0 hit points as dying, and reset its death saves."""
    hit_points.reset_death_saves(tx, target, tx.rule_id("death.reset"))
    effect_records.put_condition(tx, target, tx.role("dying"), rule=rule)


def knock_out(tx: Transaction, target: str) -> None:
    """Knock a combatant out on purpose: it is unconscious, stable and at few hit points, and gains fatigue."""
    rule = tx.rule_id("knockout.result")
    spared = tx.update(tx.need(Combatant, target), hp=tx.rules.data.dying.knock_out_hp)
    if spared.hp:
        tx.emit(events.HitPointsSet(who=target, hp=spared.hp, hp_max=spared.hp_max, temp_hp=spared.temp_hp, rule=rule))
    effect_records.put_condition(tx, target, tx.role("unconscious"), rule=rule)
    _stand_stable(tx, target, rule)
    hit_points.add_levels(tx, target, tx.role("fatigue"), tx.rules.data.dying.knock_out_fatigue, rule)


def stabilise(tx: Transaction, target: str, rule: str = "") -> None:
    """Make a dying combatant stable; it stays unconscious. One that was knocked out above 0 hit points wakes."""
    if tx.need(Combatant, target).hp > 0:
        hit_points.regain_consciousness(tx, target)
        return
    _stand_stable(tx, target, rule or tx.rule_id("stable.aid"))
    lose_consciousness(tx, target, tx.rule_id("stable.unconscious"))


def _stand_stable(tx: Transaction, target: str, rule: str) -> None:
    withdraw_asks(tx, lambda ask: ask.who == target and ask.label in effect_records.DYING_ASKS)
    effect_records.end_condition(tx, target, tx.role("dying"))
    hit_points.reset_death_saves(tx, target, tx.rule_id("death.reset"))
    effect_records.put_condition(tx, target, tx.role("stable"), rule=rule)


def clear_stable(tx: Transaction, target: str) -> None:
    """Mark a combatant at 0 hit points as dying and no longer stable, unless it is already dying."""
    if not state.effects_named(tx, target, tx.role("dying")):
        rule = tx.rule_id("stable.damaged" if state.effects_named(tx, target, tx.role("stable")) else "death.dying")
        effect_records.end_condition(tx, target, tx.role("stable"))
        lose_consciousness(tx, target, tx.rule_id("zero.unconscious"))
        start_dying(tx, target, rule)


def die(tx: Transaction, target: str, rule: str) -> None:
    """Kill a combatant: end its concentration and its conditions at 0 hit points, and drop its body."""
    combatant = tx.get(Combatant, target)
    if combatant is None or combatant.dead:
        return
    tx.update(combatant, dead=True, hp=min(combatant.hp, 0))
    tx.emit(Died(who=target, rule=rule))
    withdraw_asks(tx, lambda ask: ask.who == target and ask.label not in INITIATIVE_ASKS)
    for effect in [each for each in tx.of(Effect, target) if each.name in damage_steps.zero_hp_conditions(tx.rules)]:
        tx.remove(effect)
    for name in (damage_steps.SUCCESSES, damage_steps.FAILURES):
        tx.discard(Track, track_id(target, name))
    collapse(tx, target)
    effect_records.lose_concentration(tx, target)
    effect_records.end_lost_effects(tx, target)
    effect_records.release_held_effects(tx, target)
    effect_records.start_followups(tx, run_hooks(tx, tx.rules, Hook.DIED, HookContext(target)))


# Death saves -----------------------------------------------------------------------------------------------------


def begin_death_saves(tx: Transaction, who: Iterable[str], parent: str = "") -> None:
    """Begin the death saves of dying combatants before any other phase of their turn; `parent` waits."""
    dying = tuple(id for id in who if _still_dying(tx, id))
    if dying:
        begin(tx, DEATH_SAVES.ask_saves, DeathSaveRolls(dying), parent)


def ask_saves(tx: Transaction, procedure: Procedure, data: DeathSaveRolls, answers: Answers) -> Procedure:
    """Ask for the death save of each dying combatant."""
    rule, numbers = tx.rule_id("death.turn-start"), tx.rules.data.dying.save
    who = [id for id in data.who if numbers.failures and _still_dying(tx, id)]
    asks = (
        roll_ask(
            id, effect_records.DEATH_SAVE_LABEL, "", damage_steps.death_save(tx, tx.rules, id), numbers.dc, rule=rule
        )
        for id in who
    )
    return ask(tx, goto(procedure, DEATH_SAVES.tally), "prompt.death_save", asks, subject=labels_of(tx, who))


def tally(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Count each death save, with special effects for the highest and lowest faces."""
    for who, answer in answers.items():
        if _still_dying(tx, who):
            _count_one(tx, who, answer)


def _still_dying(tx: Transaction, who: str) -> bool:
    return not state.is_out_of_play(tx, who) and bool(state.effects_named(tx, who, tx.role("dying")))


def _count_one(tx: Transaction, who: str, answer: AskResult) -> None:
    numbers = tx.rules.data.dying.save
    if answer.skipped:
        tx.emit(events.Skipped(purpose=effect_records.DEATH_SAVE_LABEL, who=who))
        return
    passed = checks.result_of(
        tx, answer, effect_records.DEATH_SAVE_LABEL, who, "", numbers.dc, tx.rule_id("death.target")
    )
    natural = answer.roll.natural if answer.roll is not None and not answer.chosen else None
    bests = {each.rule.least for each in data_rules(tx, tx.rules, who, ("save.death",), kind="critical")}
    if natural is not None and (natural == numbers.best or any(best and best <= natural for best in bests)):
        hit_points.restore_hit_points(tx, who, numbers.best_hp, rule=tx.rule_id("death.natural-20"))
        return
    worst = natural is not None and natural == numbers.worst  # it fails regardless of modifiers
    if worst:
        rule = tx.rule_id("death.natural-1")
        hit_points.add_levels(tx, who, tx.role("fatigue"), numbers.worst_fatigue, rule)
        hit_points.add_levels(tx, who, tx.role("strife"), numbers.worst_strife, rule)
        times = numbers.worst_failures
        add_failure(tx, who, rule if times > 1 else tx.rule_id("death.count"), times)
    elif passed:
        add_success(tx, who)
    else:
        add_failure(tx, who, tx.rule_id("death.count"))


def add_success(tx: Transaction, who: str) -> None:
    """Count a successful death save. Enough of them make the combatant stable."""
    hit_points.change_track(tx, who, damage_steps.SUCCESSES, 1, tx.rule_id("death.count"))
    check_counts(tx, who)


def add_failure(tx: Transaction, who: str, rule: str, count: int = 1) -> None:
    """Count one or more failed death saves, for any reason. Enough of them kill the combatant."""
    if tx.rules.data.dying.save.failures:
        hit_points.change_track(tx, who, damage_steps.FAILURES, count, rule)
        check_counts(tx, who)


def check_counts(tx: Transaction, who: str) -> None:
    """End the death saves if there are enough successes or failures."""
    if not _still_dying(tx, who):
        return
    numbers = tx.rules.data.dying.save
    if numbers.failures and state.track_value(tx, who, damage_steps.FAILURES) >= numbers.failures:
        if not keeps_up(tx, who):
            die(tx, who, tx.rule_id("death.third-failure"))
    elif numbers.successes and state.track_value(tx, who, damage_steps.SUCCESSES) >= numbers.successes:
        stabilise(tx, who, tx.rule_id("death.third-success"))


# Waking up without help ------------------------------------------------------------------------------------------


def pass_hours(tx: Transaction, hours: int) -> None:
    """Advance time by some hours for every stable combatant."""
    living = (combatant.id for combatant in tx.all(Combatant) if not combatant.dead)
    stable = tuple(who for who in living if state.effects_named(tx, who, tx.role("stable")))
    if stable:
        begin(tx, STABLE_RECOVERY.ask_hours, StableRecovery(stable, hours))


def ask_hours(tx: Transaction, procedure: Procedure, data: StableRecovery, answers: Answers) -> Procedure:
    """Ask how many hours each stable combatant takes to wake, if that is unknown."""
    rule, spec = tx.rule_id("stable.recover"), RollSpec(tx.rules.data.dying.stable_hours)
    unknown = (effect.target for effect in _stable_of(tx, data) if not effect.value)
    asks = (roll_ask(who, effect_records.STABLE_HOURS_LABEL, "", spec, rule=rule) for who in unknown)
    return ask(tx, goto(procedure, STABLE_RECOVERY.wake_from_stable), "prompt.stable_hours", asks)


def wake_from_stable(tx: Transaction, procedure: Procedure, data: StableRecovery, answers: Answers) -> None:
    """Deduct the hours passed from each stable combatant's waiting time. Wake combatants whose time is up."""
    rule = tx.rule_id("stable.recover")
    for effect in _stable_of(tx, data):
        who, hours_left = effect.target, effect.value
        answer = answers.get(who)
        if answer is not None and not answer.skipped:
            hours_left = (answer.roll.total if answer.roll is not None else answer.number) or 0
        if not hours_left:
            tx.emit(events.Skipped(purpose=effect_records.STABLE_HOURS_LABEL, who=who))
        elif hours_left > data.hours:
            tx.update(effect, value=hours_left - data.hours)
        else:
            hit_points.restore_hit_points(tx, who, tx.rules.data.dying.stable_hp, rule=rule)


def _stable_of(tx: Transaction, data: StableRecovery) -> list[Effect]:
    here = [who for who in data.who if not state.is_out_of_play(tx, who)]
    return [effect for effect in tx.all(Effect) if effect.name == tx.role("stable") and effect.target in here]


LONG = "long"


def damage_below_zero(tx: Transaction, procedure: Procedure) -> None:
    """Knock the target out, restart its bleeding or kill it, depending on how far below 0 the damage leaves it."""
    combatant = tx.need(Combatant, data_of(procedure, DamageConsequences).target)
    if combatant.hp <= tx.rules.data.health.lowest(combatant.hp_max):
        die(tx, combatant.id, tx.rule_id("death.floor"))
        return
    lose_consciousness(tx, combatant.id, tx.rule_id("zero.unconscious"))
    if not state.effects_named(tx, combatant.id, tx.role("dying")):
        topic = "stable.damaged" if state.effects_named(tx, combatant.id, tx.role("stable")) else "death.dying"
        effect_records.end_condition(tx, combatant.id, tx.role("stable"))
        effect_records.put_condition(tx, combatant.id, tx.role("dying"), rule=tx.rule_id(topic))


def begin_bleed_out(tx: Transaction, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the bleeding of downed combatants at the start of their turn, before any other phase."""
    down = tuple(id for id in who if _is_down(tx, id))
    if down:
        begin(tx, BLEED_OUT.ask_level, BleedOut(down), parent)


def ask_level(tx: Transaction, procedure: Procedure, data: BleedOut, answers: Answers) -> Procedure:
    """Ask for the level of each bleeding combatant whose level is unknown."""
    rule = tx.rule_id("external.level-hit-dice")
    unknown = [who for who in _bleeding(tx, data) if facts.level_or_hit_dice(tx, who) is None]
    asks = [Ask(who, "number", "ask.level", who, rule=rule) for who in unknown]
    ask(tx, procedure, "prompt.bleeding", asks, subject=labels_of(tx, unknown), rule=tx.rule_id("death.turn-start"))
    return goto(procedure, BLEED_OUT.lose_hit_points)


def lose_hit_points(tx: Transaction, procedure: Procedure, data: BleedOut, answers: Answers) -> Procedure:
    """Deduct the hit points that each combatant loses by bleeding: untyped damage that ignores temporary hit points."""
    for who in _bleeding(tx, data):
        answer = answers.get(who)
        if answer is not None and answer.number is not None:
            declaration.store_number(tx, who, facts.LEVEL, answer.number)
        steps = facts.level_or_hit_dice(tx, who)
        if steps is None:
            tx.emit(events.Skipped(purpose="ask.level", who=who))
            continue
        amount = tx.rules.data.dying.bleeding_out.per_level * steps
        rule = tx.rule_id("death.turn-start")
        source = f"<condition.{tx.role('dying')}>"
        hit_points.deal_damage(
            tx,
            who,
            hit_points.Damage((RollPart(amount),), source=source, rule=rule, ignores_temp_hp=True),
            procedure.id,
        )
    return goto(procedure, BLEED_OUT.pass_turn)


def pass_turn(tx: Transaction, procedure: Procedure, data: BleedOut, answers: Answers) -> None:
    """End the turn of the downed combatants. If a combatant that is up shares it, they only lose their own part."""
    slot = state.active_slot(tx)
    for who in data.who:
        if _is_down(tx, who):
            action_economy.lose_turn(tx, who)
    if slot is None or not set(slot.members) & set(data.who):
        return
    awake = [who for who in members_in_turn(tx, slot) if not state.is_out_of_play(tx, who) and not _is_down(tx, who)]
    if not awake and not any(isinstance(other.data, TurnEnd) for other in tx.all(Procedure)):
        down = next((who for who in slot.members if not state.is_out_of_play(tx, who)), "")
        if down:  # the dead have no turn to skip
            tx.emit(events.Skipped(purpose="why.turn_of_the_unconscious", who=down, rule=tx.rule_id("death.skipped")))
        begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id))


def wake_after_rest(tx: Transaction, who: str, length: str) -> None:
    """Wake a downed combatant that has survived a rest, with the hit points that the system sets."""
    numbers = tx.rules.data.dying.rest
    combatant = tx.need(Combatant, who)
    new_hp = (combatant.hp_max // numbers.long_over if numbers.long_over else 0) if length == LONG else numbers.short_hp
    if combatant.hp > 0 and state.effects_named(tx, who, tx.role("stable")):
        hit_points.regain_consciousness(tx, who)  # it was knocked out
    if combatant.dead or combatant.hp > 0 or new_hp <= 0:
        return
    after = tx.update(combatant, hp=new_hp)
    rule = tx.rule_id(f"rest.{length}")
    tx.emit(
        events.Healed(target=who, amount=new_hp - combatant.hp, hp_before=combatant.hp, hp_after=after.hp, rule=rule)
    )
    hit_points.regain_consciousness(tx, who)


def _is_down(tx: Transaction, who: str) -> bool:
    combatant = tx.get(Combatant, who)
    is_at_zero = combatant is not None and not combatant.dead and combatant.hp <= 0
    return is_at_zero and bool(state.effects_named(tx, who, tx.role("unconscious")))


def _bleeding(tx: Transaction, data: BleedOut) -> list[str]:
    down = (who for who in data.who if _is_down(tx, who))
    return [who for who in down if not state.effects_named(tx, who, tx.role("stable"))]


CHECK_LABEL, DYING_VALUE_LABEL, AT_ZERO_LABEL = "ask.recovery_check", "ask.dying_becomes", "ask.at_zero"
BEGINS_DYING, DIES, UNCONSCIOUS_ONLY, UNCHANGED = "dying", "dies", "out", "stays"
RECOVERS = "recovers"  # spends all points that save the dying
ENFORCE = "enforce"


# Consequences of damage ------------------------------------------------------------------------------------------


def damage_while_dying(tx: Transaction, procedure: Procedure) -> Next:
    """Start dying, raise the dying value or kill, for damage that leaves no hit points."""
    data = data_of(procedure, DamageConsequences)
    if _stop(tx, data.target):
        return None
    if damage_steps.outcomes_at_zero(tx, tx.rules, data.target, "leaves"):
        begin(tx, LEAVING.after_leave, SummonedCreatures(tx.need(Combatant, data.target).roster, ""))
        return None
    suggested, recovers = _suggested(tx, data), _recovery_options(tx, data.target)
    if tx.strictness == ENFORCE and not recovers:
        _befall(tx, data, suggested)
        return None
    dying = _value(tx, data.target, tx.role("dying"))
    outcomes = (BEGINS_DYING, UNCHANGED) if dying else (BEGINS_DYING, UNCONSCIOUS_ONLY, DIES)
    options = (*(Option(outcome, f"option.at_zero_{outcome}") for outcome in outcomes), *recovers)
    detail, rule = (f"<condition.{tx.role('dying')}> {_next_value(tx, data)}", tx.rule_id("death.dying"))
    if suggested == DIES and roles.is_ours(tx, tx.need(Combatant, data.target)):
        suggested = BEGINS_DYING  # pressing Enter never kills an ally
    question = choice_ask("fate", AT_ZERO_LABEL, options, detail=detail, suggested=suggested, rule=rule)
    ask(tx, procedure, "prompt.at_zero", [question], subject=label_of(tx, data.target))
    return goto(procedure, DAMAGE_CONSEQUENCES.apply_zero_choice)


def apply_zero_choice(tx: Transaction, procedure: Procedure, data: DamageConsequences, answers: Answers) -> None:
    """Apply the game master's choice at 0 hit points. The default is the usual consequence."""
    combatant = tx.get(Combatant, data.target)
    if combatant is None or combatant.dead or combatant.hp > 0:
        return
    _befall(tx, data, choice_of(answers, "fate") or _suggested(tx, data))


def _stop(tx: Transaction, who: str) -> bool:
    """Break an object at 0 hit points, because it can't die. Return whether the combatant is an object."""
    numbers = tx.rules.data.dying.devices
    if not {*creature_of(tx, tx.need(Combatant, who)).tags} & {*numbers.tags}:
        return False
    effect_records.put_condition(tx, who, numbers.condition, rule=tx.rule_id("thing.stopped"))
    return True


def _suggested(tx: Transaction, data: DamageConsequences) -> str:
    dying = _value(tx, data.target, tx.role("dying"))
    if not dying and not {*data.properties}.isdisjoint(tx.rules.data.dying.recovery.spares):
        return UNCONSCIOUS_ONLY
    lives = dying or damage_steps.makes_saves(tx, tx.rules, data.target)
    return BEGINS_DYING if lives or damage_steps.outcomes_at_zero(tx, tx.rules, data.target, "lives") else DIES


def _next_value(tx: Transaction, data: DamageConsequences) -> int:
    """Return the dying value after the damage."""
    numbers, who = tx.rules.data.dying.recovery, data.target
    dying = _value(tx, who, tx.role("dying"))
    hurt, start = (numbers.critical_hurt, numbers.critical_start) if data.critical else (numbers.hurt, numbers.start)
    return _least_deadly(tx, who, dying + hurt if dying else start + _value(tx, who, numbers.worse))


def _befall(tx: Transaction, data: DamageConsequences, what: str) -> None:
    who = data.target
    if what == RECOVERS:
        _recover(tx, who)
    if what == DIES:
        die(tx, who, tx.rule_id("npc.monster-dies"))
        return
    if lose_consciousness(tx, who, tx.rule_id("zero.unconscious")):
        move_before_active(tx, who)
    if what != BEGINS_DYING:
        return
    value, rule = _next_value(tx, data), tx.rule_id("death.dying")
    if _value(tx, who, tx.role("dying")):
        _change(tx, who, value, tx.rule_id("death.attacked"))
    elif effect_records.put_condition(tx, who, tx.role("dying"), value=value, rule=rule):
        judge(tx, who)


# The check at the start of a turn --------------------------------------------------------------------------------


def begin_recovery_checks(tx: Transaction, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the recovery checks of dying combatants before any other phase of their turn; `parent` waits."""
    dying = tuple(id for id in who if not state.is_out_of_play(tx, id) and _value(tx, id, tx.role("dying")))
    if dying:
        begin(tx, RECOVERY_CHECK.ask_checks, RecoveryChecks(dying), parent)


def ask_checks(tx: Transaction, procedure: Procedure, data: RecoveryChecks, answers: Answers) -> Procedure:
    """Ask for each dying combatant's recovery check. A higher dying value means a higher DC."""
    rule, numbers = tx.rule_id("death.turn-start"), tx.rules.data.dying.recovery
    who = _dying(tx, data)
    asks = [roll_ask(id, CHECK_LABEL, _stands(tx, id), RollSpec(numbers.die), _dc(tx, id), rule=rule) for id in who]
    ask(tx, procedure, "prompt.recovery_check", asks, subject=labels_of(tx, who))
    return goto(procedure, RECOVERY_CHECK.after_checks)


def after_checks(tx: Transaction, procedure: Procedure, data: RecoveryChecks, answers: Answers) -> Next:
    """Report each check and the resulting dying value. The game master may enter another value."""
    rule, asks, checked = tx.rule_id("death.count"), [], []
    for who in _dying(tx, data):
        value = _checked(tx, who, answers)
        if value is None:
            continue
        recovers = _recovery_options(tx, who)
        if tx.strictness == ENFORCE and not recovers:
            _change(tx, who, value, rule)
            continue
        checked.append(who)
        most, detail = _dies_at(tx, who), _stands(tx, who)
        options = (*(Option(str(number), str(number)) for number in range(most + 1)), *recovers)
        suggested = str(min(value, most))
        asks.append(choice_ask(who, DYING_VALUE_LABEL, options, who, detail, suggested=suggested, rule=rule))
    ask(tx, procedure, "prompt.recovery_check", asks, subject=labels_of(tx, checked))
    return goto(procedure, RECOVERY_CHECK.apply_values, data, who=tuple(checked))


def _checked(tx: Transaction, who: str, answers: Answers) -> int | None:
    """Return the dying value that results from a combatant's check, or None if the check was skipped."""
    answer = answers.get(who)
    if answer is None or answer.skipped:
        tx.emit(events.Skipped(purpose=CHECK_LABEL, who=who))
        return None
    dc, rule = _dc(tx, who), tx.rule_id("death.target")
    degree = checks.degree_of(tx, answer, CHECK_LABEL, who, _stands(tx, who), dc, rule)
    steps = tx.rules.data.dying.recovery.steps
    if degree is None:
        return None
    value = _value(tx, who, tx.role("dying")) + steps[LADDER.index(degree)]
    return _least_deadly(tx, who, value) if value > 0 else 0


def apply_values(tx: Transaction, procedure: Procedure, data: RecoveryChecks, answers: Answers) -> None:
    """Set each combatant's dying value as entered."""
    for who in _dying(tx, data):
        value = choice_of(answers, who)
        if value == RECOVERS:
            _recover(tx, who)
        elif value:
            _change(tx, who, int(value), tx.rule_id("death.count"))


def _recovery_options(tx: Transaction, who: str) -> tuple[Option, ...]:
    """Return the option to spend all points that save a dying character, if it has any."""
    has_points = limited_uses.character_points(tx, tx.rules, who, recovers=True) is not None
    return (Option(RECOVERS, "option.recovers"),) if has_points else ()


def _recover(tx: Transaction, who: str) -> None:
    """Spend all points that save a dying character. It is no longer dying, and isn't wounded by it."""
    resource = limited_uses.character_points(tx, tx.rules, who, recovers=True)
    if resource is None:
        return
    track = tx.need(Track, track_id(who, resource.id))
    tx.update(track, value=0)
    tx.emit(events.TrackSet(who=who, track=resource.id, before=track.value, after=0, how="recovered"))
    for effect in state.effects_named(tx, who, tx.role("dying")):
        effect_records.end_effect(tx, effect, is_cured=True)


# The value -------------------------------------------------------------------------------------------------------


def _change(tx: Transaction, who: str, value: int, rule: str) -> None:
    """Set a dying value. At 0 the combatant is no longer dying; if the value is too high, it dies."""
    effect = state.effects_named(tx, who, tx.role("dying"))[0]
    if value <= 0:
        effect_records.end_effect(tx, effect, rule)
    elif value != effect.value:
        tx.update(effect, value=value)
        tx.emit(EffectUpdated(target=who, name=tx.role("dying"), value=value, rule=rule))
        judge(tx, who)


def _least_deadly(tx: Transaction, who: str, value: int) -> int:
    """Lower a deadly dying value to the highest that doesn't kill, if a rule keeps the combatant alive."""
    held = damage_steps.outcomes_at_zero(tx, tx.rules, who, "lives")
    return max(1, min(value, _dies_at(tx, who) - 1)) if held else value


def judge(tx: Transaction, who: str) -> None:
    """Kill a combatant whose dying value is too high, or for which no dying value is low enough."""
    numbers = tx.rules.data.dying.recovery
    is_lost = 0 < numbers.kills <= _value(tx, who, numbers.sooner)
    if is_lost or _value(tx, who, tx.role("dying")) >= _dies_at(tx, who):
        die(tx, who, tx.rule_id("death.third-failure"))


def _dies_at(tx: Transaction, who: str) -> int:
    """Return the dying value that kills a combatant."""
    numbers = tx.rules.data.dying.recovery
    return max(1, numbers.kills - _value(tx, who, numbers.sooner))


def _dc(tx: Transaction, who: str) -> int:
    return tx.rules.data.dying.recovery.dc + _value(tx, who, tx.rules.role("dying"))


def _value(lookup: state.Lookup, who: str, name: str) -> int:
    """Return the value of a combatant's condition: 0 without the condition, or 1 if the condition has no values."""
    return max((max(1, effect.value) for effect in state.effects_named(lookup, who, name)), default=0)


def _dying(tx: Transaction, data: RecoveryChecks) -> list[str]:
    here = (id for id in data.who if not state.is_out_of_play(tx, id))
    return [id for id in here if _value(tx, id, tx.role("dying"))]


def _stands(tx: Transaction, who: str) -> str:
    dying = tx.role("dying")
    return f"<condition.{dying}> {_value(tx, who, dying)}"


class ZeroHpRule(NamedTuple):
    """One rule for 0 hit points: the effect of damage, and the start of a downed combatant's turn.

    `on_damage` continues a `damage-consequences` procedure. `on_turn_start` is called with the combatants whose turn
    begins; `parent` waits for the procedures started there.
    """

    on_damage: Callable[[Transaction, Procedure], Next]
    on_turn_start: Callable[[Transaction, tuple[str, ...], str], None]


ZERO_HP_RULES: Mapping[str, ZeroHpRule] = {
    "bleeding-out": ZeroHpRule(damage_below_zero, begin_bleed_out),
    "recovery-checks": ZeroHpRule(damage_while_dying, begin_recovery_checks),
}


def begin_zero_hp_turn(tx: Transaction, who: tuple[str, ...], parent: str = "") -> None:
    """Begin the saves, checks or bleeding of combatants at 0 hit points, before any other phase of their turn."""
    zero_hp_rule = ZERO_HP_RULES.get(tx.rules.data.dying.mechanism)
    if zero_hp_rule is None:
        begin_death_saves(tx, who, parent)
    else:
        zero_hp_rule.on_turn_start(tx, who, parent)
