"""The phases at the start and end of a turn, keyed by the names that rule systems use for them.

A phase runs for the members of the active slot, and `parent` waits for the procedures it begins. `is_due` returns
whether it has an effect whose order may matter. Other phases run in their usual place without asking.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from turnwright.dice.expression import Edge, RollSpec
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state import environment as places
from turnwright.encounter.procedure_state.asks import FAILURE, SUCCESS, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.effects import PERSISTENT_DAMAGE, PersistentDamage
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.procedure_state.turns import (
    AFFLICTION,
    FLAT_CHECK,
    RESOURCE_REFILL,
    WORLD_TURN,
    AfflictionSaves,
    FlatChecks,
    RefillChoice,
    TurnEnd,
    WorldTurn,
)
from turnwright.encounter.running import Effect, Track, track_id
from turnwright.encounter.state import Lookup, effects_named, is_out_of_play, scene_of
from turnwright.play.asking.checks import catch_breath_all, degree_of, result_of
from turnwright.play.attacks.save_effect import after_save, staged_feature
from turnwright.play.damage.zero_hit_points import begin_zero_hp_turn
from turnwright.play.effects import conditions
from turnwright.play.kernel.scheduler import Answers, ask, begin, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import lose_unspent, refill, reset_all_uses, reset_uses, restore_uses
from turnwright.play.state.effect_records import EndedBy, end_effect, put_condition, start_followups
from turnwright.play.state.events import Skipped
from turnwright.play.turns import own_reminders
from turnwright.rules.parts.attacks.attack_targeting import effect_save_tags
from turnwright.rules.parts.checks.ability_checks import is_success, save_roll
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, awaiting_recharge, refill_modifier
from turnwright.rules.parts.positions.sight import sees
from turnwright.rules.system import Hook, HookContext, RuleSystem, label_of, labels_of, run_hooks
from turnwright.rules.system_data.numbers import Resource, Spell

USUAL, EXTRA = "usual", "extra"
FLAT, SAVE = "ask.flat_check", "ask.affliction_save"
GOES_ON, OVER = "goes-on", "over"
Members = tuple[str, ...]
PhaseAction = Callable[[Transaction, Members, str], None]
PhaseCheck = Callable[[Lookup, RuleSystem, Members], bool]
AFTER_DELAY = frozenset({"legendary", "lose-unspent"})  # phases that run when a turn ends but not when it is delayed


def refill_at_turn_start(tx: Transaction, who: tuple[str, ...], parent: str = "") -> None:
    """Refill resources at the start of a turn, or first ask for a choice if there is one."""
    for combatant_id in who:
        choosing = _choosing(tx, combatant_id)
        if choosing:
            begin(tx, RESOURCE_REFILL.ask_which_lost, RefillChoice(combatant_id, choosing[0].id), parent)
        else:
            refill(tx, combatant_id, "turn-start")


def _choosing(tx: Transaction, who: str) -> list[Resource]:
    """Return the resources that a combatant both gains and loses."""
    refilled = (each for each in tx.rules.data.resources if each.amount and each.refill == "turn-start")
    changes = ((resource, refill_modifier(tx, tx.rules, who, resource)) for resource in refilled)
    return [resource for resource, change in changes if change.bonus and change.penalty]


def ask_which_lost(tx: Transaction, procedure: Procedure, data: RefillChoice, answers: Answers) -> Procedure:
    """Ask whether the points lost are usual or granted points of the resource."""
    resource = tx.rules.resources[data.resource]
    most, change = limited_uses.maximum(tx, data.who, resource), refill_modifier(tx, tx.rules, data.who, resource)
    usual = tuple(Option(f"{USUAL}.{n}", "option.usual_one") for n in range(1, most + 1))
    extra = tuple(Option(f"{EXTRA}.{n}", "option.extra_one") for n in range(1, change.bonus + 1))
    lost = min(change.penalty, most + change.bonus)
    options = (*usual, *extra)
    question = Ask(
        "lost",
        "targets",
        "ask.lost",
        data.who,
        f"{resource.name}: {lost}",
        options=options,
        suggested=tuple(option.id for option in options[:lost]),
        max_choices=lost,
        rule=tx.rule_id("turn.choose-lost"),
    )
    return ask(tx, goto(procedure, RESOURCE_REFILL.apply), "prompt.lost", [question], subject=label_of(tx, data.who))


def apply(tx: Transaction, procedure: Procedure, data: RefillChoice, answers: Answers) -> None:
    """Refill the resource, and store how many of the granted points are kept."""
    if is_out_of_play(tx, data.who):
        return
    more = refill_modifier(tx, tx.rules, data.who, tx.rules.resources[data.resource]).bonus
    remaining = more - sum(id.startswith(EXTRA) for id in choices_of(answers, "lost"))
    refill(tx, data.who, "turn-start")
    name = f"{data.resource}-{EXTRA}"
    tx.put(Track(track_id(data.who, name), data.who, name, remaining))


def flat_check_effects(lookup: Lookup, rules: RuleSystem, who: Members) -> list[Effect]:
    """Return the persistent damage on combatants that a flat check may end.

    That of features that ends with another effect, such as a hold, isn't persistent damage by the rules.
    """
    effects = conditions.damaging_effects(lookup, who, "turn-end") if rules.data.turns.flat_dc else []
    return [effect for effect in effects if not effect.bound_to or effect.level]


def affliction_effects(lookup: Lookup, rules: RuleSystem, who: Members) -> list[Effect]:
    """Return the afflictions that combatants save against at the end of their turns, one for each use of a feature."""
    in_play = conditions.effects_in_play(lookup, who)
    effects = [each for each in in_play if each.save and each.ends.moment != "hurt-save"]
    effects = [
        each for each in effects if each.ends.moment != "saved-unseen" or not sees(lookup, rules, each.target, each.by)
    ]
    return list({_affliction(effect): effect for effect in reversed(effects)}.values())[::-1]


def _affliction(effect: Effect) -> tuple[object, ...]:
    """Return the key of an affliction. A single save ends all conditions with the same key."""
    return (effect.target, effect.source, effect.by, effect.save, effect.dc) if effect.by else (effect.id,)


def _end_affliction(tx: Transaction, affliction: Effect, rule: str) -> None:
    """End an effect, and those of the same affliction."""
    for effect in [each for each in tx.of(Effect, affliction.target) if _affliction(each) == _affliction(affliction)]:
        end_effect(tx, effect, rule)


def begin_flat_checks(tx: Transaction, who: Members, parent: str) -> None:
    """Begin the flat checks to end persistent damage."""
    effects = tuple(effect.id for effect in flat_check_effects(tx, tx.rules, who))
    if effects:
        begin(tx, FLAT_CHECK.ask_flat_checks, FlatChecks(effects), parent)


def begin_saves(tx: Transaction, who: Members, parent: str) -> None:
    """Begin the saves against afflictions."""
    effects = tuple(affliction_effect.id for affliction_effect in affliction_effects(tx, tx.rules, who))
    if effects:
        begin(tx, AFFLICTION.ask_saves, AfflictionSaves(effects), parent)


def ask_flat_checks(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask for a flat check for each effect."""
    settings, rule = tx.rules.data.turns, tx.rule_id("ongoing.flat-check")
    spec = RollSpec(settings.flat_die)
    asks = [
        Ask(effect.id, "roll", FLAT, effect.target, effect.damage, spec, effect.dc or settings.flat_dc, rule=rule)
        for effect in _effects(tx, procedure)
    ]
    ask(tx, procedure, "prompt.flat_check", asks, subject=_names(tx, procedure))
    return goto(procedure, FLAT_CHECK.apply_flat_checks)


def apply_flat_checks(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """End the effects whose flat checks succeeded."""
    rule = tx.rule_id("ongoing.flat-check")
    for effect in _effects(tx, procedure):
        answer, detail = answers.get(effect.id), f"<condition.{effect.name}> {effect.damage},"
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=FLAT, who=effect.target, detail=detail))
        elif result_of(tx, answer, FLAT, effect.target, detail, effect.dc or tx.rules.data.turns.flat_dc, rule):
            end_effect(tx, effect, rule)


def ask_saves(tx: Transaction, procedure: Procedure, data: AfflictionSaves, answers: Answers) -> Procedure:
    """Ask for the save against each affliction."""
    rule = tx.rule_id("affliction.save")
    asks = []
    for effect in _effects(tx, procedure):
        spec = save_roll(tx, tx.rules, effect.target, effect.save, effect.by, effect_save_tags(tx, tx.rules, effect))
        if data.is_hurt and effect.ends.moment == "saved-hurt":
            spec = msgspec.structs.replace(spec, edges=(*spec.edges, Edge("advantage", effect.source)))
        asks.append(Ask(effect.id, "roll", SAVE, effect.target, _name(effect), spec, effect.dc, rule=rule))
    return ask(tx, goto(procedure, AFFLICTION.after_saves), "prompt.affliction", asks, subject=_names(tx, procedure))


def after_saves(tx: Transaction, procedure: Procedure, data: AfflictionSaves, answers: Answers) -> Procedure:
    """Report each save. Move an affliction with known stages to another stage, or end any other on a success.

    In games with degrees of success, the user is asked whether an affliction without stages ends, unless it is that of a
    listed spell. A success suggests that it does.
    """
    rule, listed = tx.rule_id("affliction.save"), {spell.name for spell in tx.rules.data.spells}
    undecided: dict[Effect, str] = {}
    for effect in _effects(tx, procedure):
        answer = answers.get(effect.id)
        if answer is None or answer.skipped:
            tx.emit(Skipped(purpose=SAVE, who=effect.target, detail=_name(effect)))
            continue
        degree = degree_of(tx, answer, SAVE, effect.target, _name(effect), effect.dc, rule) or FAILURE
        staged = staged_feature(tx, tx.rules, effect) if effect.name == tx.role("affliction") else None
        if staged is not None:
            after_save(tx, effect, staged, degree, procedure.id)
        elif degree == SUCCESS and _tallied(tx, effect) is not None and tx.rules.data.checks.degrees:
            conditions.shorten(tx, effect, rule)
        elif tx.rules.data.checks.degrees and effect.source not in listed:
            undecided[effect] = OVER if is_success(degree) else GOES_ON
        elif (spell := _tallied(tx, effect)) is not None and not _is_decided(tx, effect, spell, is_success(degree)):
            continue
        elif is_success(degree):
            _end_affliction(tx, effect, rule)
        elif spell is not None:
            _let_last(tx, effect, spell)
        elif hurt := [each.id for each in tx.of(Effect, effect.target) if _hurts_again(each, effect)]:
            begin(tx, PERSISTENT_DAMAGE.ask_damage, PersistentDamage(tuple(hurt)), procedure.id)
    options = (Option(GOES_ON, "option.goes_on"), Option(OVER, "option.ended"))
    asks = [
        choice_ask(each.id, "ask.affliction_over", options, each.target, _name(each), suggested=likely, rule=rule)
        for each, likely in undecided.items()
    ]
    ask(tx, procedure, "prompt.affliction", asks, subject=_names(tx, procedure))
    return goto(procedure, AFFLICTION.end_afflictions, data, effects=tuple(each.id for each in undecided))


def _tallied(tx: Transaction, effect: Effect) -> Spell | None:
    """Return the spell of an effect whose saves are counted, or None."""
    return next((spell for spell in tx.rules.data.spells if spell.tally and spell.name == effect.source), None)


def _is_decided(tx: Transaction, effect: Effect, spell: Spell, success: bool) -> bool:
    """Count a save against an effect, and return whether it was the last one."""
    ways = [f"{spell.name}: {way}" for way in ("saved", "failed")]
    name = ways[0 if success else 1]
    counted = tx.get(Track, track_id(effect.target, name)) or Track(track_id(effect.target, name), effect.target, name)
    counted = tx.put(msgspec.structs.replace(counted, value=counted.value + 1))
    is_last = counted.value >= spell.tally
    for way in ways if is_last else ():
        tx.discard(Track, track_id(effect.target, way))
    return is_last


def _let_last(tx: Transaction, effect: Effect, spell: Spell) -> None:
    """End the saves against the effects of a spell, which stay or become another condition."""
    if spell.becomes:
        by, ended_by = effect.by, EndedBy(held_by=effect.concentrator)
        put_condition(tx, effect.target, spell.becomes, source=spell.name, by=by, ended_by=ended_by)
        _end_affliction(tx, effect, tx.rule_id("affliction.save"))
    for each in tx.of(Effect, effect.target):
        if (each.source, each.by) == (effect.source, effect.by):
            tx.update(each, save="", dc=0)


def end_afflictions(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """End the afflictions that the user marked as over."""
    for effect in _effects(tx, procedure):
        if OVER in choices_of(answers, effect.id):
            _end_affliction(tx, effect, tx.rule_id("affliction.save"))


def _effects(tx: Transaction, procedure: Procedure) -> list[Effect]:
    assert isinstance(procedure.data, FlatChecks | AfflictionSaves)
    effects = (tx.get(Effect, id) for id in procedure.data.effects)
    return [effect for effect in effects if effect is not None and not is_out_of_play(tx, effect.target)]


def _hurts_again(damage: Effect, affliction: Effect) -> bool:
    """Return whether persistent damage is dealt with each failed save against an affliction."""
    return damage.damage_at == "failed-save" and (damage.bound_to, damage.by) == (affliction.name, affliction.by)


def _name(effect: Effect) -> str:
    return effect.source or f"<condition.{effect.name}>"


def _names(tx: Transaction, procedure: Procedure) -> str:
    return labels_of(tx, (effect.target for effect in _effects(tx, procedure)))


class TurnPhase(NamedTuple):
    """A phase of a turn: its function, and whether it has an effect whose order can be chosen.

    `option` is the id of its option in the prompt, which scripts use, if it differs from the phase's name.
    """

    run: PhaseAction
    is_due: PhaseCheck = lambda *_: False
    option: str = ""


def alive(lookup: Lookup, who: Members) -> Members:
    """Return the members of a slot that are in play."""
    return tuple(member for member in who if not is_out_of_play(lookup, member))


def _surroundings(tx: Transaction, who: Members, parent: str) -> None:
    """List the environment entries that affect combatants at the end of their turn."""
    rows: list[tuple[str, str, str]] = []
    for member in alive(tx, who):
        result = run_hooks(tx, tx.rules, Hook.TURN_ENDING, HookContext(member, "turn"))
        start_followups(tx, result, parent)
        rows += [(offer.environment, offer.entry, offer.who) for offer in result.offers]
    procedure, data = _end(tx, parent)
    tx.update(procedure, data=msgspec.structs.replace(data, entries=tuple(rows)))


def _rows(tx: Transaction, who: Members, parent: str) -> None:
    """Apply the next environment entry to a combatant at the end of its turn. The phase repeats until none is left."""
    procedure, data = _end(tx, parent)
    if data.entries:
        environment, entry, target = data.entries[0]
        phases = ("environment-entries", *data.phases)
        tx.update(procedure, data=msgspec.structs.replace(data, entries=data.entries[1:], phases=phases))
        effect = EnvironmentEffect(environment, entry, targets=(target,), targets_confirmed=True)
        begin(tx, places.ENVIRONMENT_EFFECT.ask_targets, effect, parent)


def _end(tx: Transaction, id: str) -> tuple[Procedure, TurnEnd]:
    procedure = tx.need(Procedure, id)
    return procedure, data_of(procedure, TurnEnd)


def _begun(tx: Transaction, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        start_followups(tx, run_hooks(tx, tx.rules, Hook.TURN_STARTED, HookContext(member, "turn")), parent)
        restore_uses(tx, member, LEGENDARY)
        reset_uses(tx, member, "round")
    reset_all_uses(tx, "turn")


def _recharges(tx: Transaction, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        own_reminders.begin_recharges(tx, member)


def _breath(tx: Transaction, who: Members, parent: str) -> None:
    for member in alive(tx, who):
        catch_breath_all(tx, member)


def _world(tx: Transaction, who: Members, parent: str) -> None:
    """Begin the environment's turn for each participant, in encounters with rolling movement."""
    if scene_of(tx).rolling:
        begin(tx, WORLD_TURN.next_combatant, WorldTurn(remaining=alive(tx, who)), parent)


def _perils(tx: Transaction, who: Members, parent: str) -> None:
    """Begin saves and checks of combatants at 0 hit points, before the environment affects them."""
    world = next((procedure.id for procedure in tx.all(Procedure) if procedure.at == WORLD_TURN.next_combatant), "")
    begin_zero_hp_turn(tx, alive(tx, who), world or parent)


def _is_dying(lookup: Lookup, rules: RuleSystem, who: Members) -> bool:
    return any(effects_named(lookup, member, rules.role("dying")) for member in alive(lookup, who))


def _expiry(moment: own_reminders.TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, who, _: conditions.expire_effects(tx, who, moment),
        lambda lookup, _, who: conditions.has_expiring(lookup, who, moment),
    )


def _countdown(counted_on: str, option: str) -> TurnPhase:
    return TurnPhase(
        lambda tx, who, _: conditions.count_down(tx, who, counted_on),
        lambda lookup, _, who: bool(conditions.counting_effects(lookup, who, counted_on)),
        option,
    )


def _begin_triggers(tx: Transaction, who: Members, moment: own_reminders.TurnMoment, parent: str) -> None:
    if moment == "turn-start":
        conditions.begin_persistent_damage(tx, who, parent, moment)
    own_reminders.begin_triggers(tx, alive(tx, who), moment, parent)


def _triggers(moment: own_reminders.TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, who, parent: _begin_triggers(tx, who, moment, parent),
        lambda lookup, rules, who: (
            (moment == "turn-start" and bool(conditions.damaging_effects(lookup, who, moment)))
            or any(
                own_reminders.acting_features(lookup, rules, member, moment)
                or own_reminders.triggered_features(lookup, rules, member, moment)
                for member in alive(lookup, who)
            )
        ),
    )


def _reminders(moment: own_reminders.TurnMoment) -> TurnPhase:
    return TurnPhase(
        lambda tx, who, parent: own_reminders.begin_reminders(tx, who, moment, parent),
        lambda lookup, rules, who: bool(own_reminders.due_reminders(lookup, rules, who, moment)),
        "notes",
    )


START_PHASES: Mapping[str, TurnPhase] = {
    "refill": TurnPhase(lambda tx, who, parent: refill_at_turn_start(tx, alive(tx, who), parent)),
    "expire": _expiry("turn-start"),
    "count-rounds": _countdown("creator", "rounds"),
    "turn-started": TurnPhase(_begun),
    "trigger": _triggers("turn-start"),
    "recharges": TurnPhase(
        _recharges, lambda lookup, _, who: any(awaiting_recharge(lookup, member) for member in alive(lookup, who))
    ),
    "catch-breath": TurnPhase(_breath),
    "reminders": _reminders("turn-start"),
    "world-turn": TurnPhase(_world),
    "zero-hp": TurnPhase(_perils, _is_dying, "dying"),
}
END_PHASES: Mapping[str, TurnPhase] = {
    "expire": _expiry("turn-end"),
    "count-turns": _countdown("affected", "turns"),
    "environment": TurnPhase(_surroundings),
    "ongoing": TurnPhase(
        conditions.begin_persistent_damage,
        lambda lookup, _, who: bool(conditions.damaging_effects(lookup, who, "turn-end")),
    ),
    "flat-checks": TurnPhase(
        begin_flat_checks, lambda lookup, rules, who: bool(flat_check_effects(lookup, rules, who)), "flat"
    ),
    "afflictions": TurnPhase(begin_saves, lambda lookup, rules, who: bool(affliction_effects(lookup, rules, who))),
    "condition-decrease": TurnPhase(
        conditions.begin_decrease,
        lambda lookup, rules, who: bool(conditions.decreasing_effects(lookup, rules, who)),
        "conditions",
    ),
    "trigger": _triggers("turn-end"),
    "reminders": _reminders("turn-end"),
    "environment-entries": TurnPhase(_rows),
    "legendary": TurnPhase(own_reminders.begin_legendary_actions),
    "lose-unspent": TurnPhase(lambda tx, who, _: lose_unspent(tx, who)),
}


# The order of phases ---------------------------------------------------------------------------------------------


def pending_phases(tx: Transaction, phases: Mapping[str, TurnPhase], listed: Members, who: Members) -> Members:
    """Return the phases whose order can be chosen, in the suggested order, or () if only one order is allowed."""
    if not tx.rules.data.turns.order_chosen:
        return ()
    due = tuple(name for name in listed if phases[name].is_due(tx, tx.rules, who))
    is_open = len(due) > 1 and not set(due).issubset(tx.rules.data.turns.fixed_chain)
    return due if is_open else ()


def fixed_order(rules: RuleSystem, names: Members) -> tuple[tuple[str, str], ...]:
    """Return the fixed order of phases, as pairs of the later and the earlier phase."""
    chain = [name for name in rules.data.turns.fixed_chain if name in names]
    return tuple((later, earlier) for n, later in enumerate(chain) for earlier in chain[:n])


def option_ids(phases: Mapping[str, TurnPhase], names: Members) -> dict[str, str]:
    """Return the option ids of phases in a prompt, keyed by phase name."""
    return {name: phases[name].option or name for name in names}


def ordered(listed: Members, chosen: Members) -> Members:
    """Return all phases in `listed`. The chosen phases are rearranged within the places they have."""
    following = iter(chosen)
    return tuple(next(following) if name in chosen else name for name in listed)
