"""The procedure of an environment entry: its targets, their saves, and the damage and conditions that they take.

World actions and features use the same stages. Only a world action is spent and rolls to recharge. An environment may
have been written for another system. The user reports an unknown save or check as a success or a failure, and replaces
an unknown damage type or condition, keeps it as a note, or leaves it out.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from turnwright.dice.expression import RollSpec
from turnwright.encounter import field_specs
from turnwright.encounter.prepared import Environment, EnvironmentEntry, SavingThrow
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, AskResult, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.running import Clock, Combatant, Duration, Effect
from turnwright.encounter.state import effects_named, find_entry
from turnwright.play.asking.checks import pass_or_fail_options, result_of
from turnwright.play.environment import entry_readiness
from turnwright.play.kernel.events import CombatantEvent, EntryEvent, journal
from turnwright.play.kernel.optional_modifiers import is_offer, with_offers
from turnwright.play.kernel.scheduler import Answers, Next, SubjectGone, ask, begin, data_of, goto, open_asks, prompt_of
from turnwright.play.kernel.transaction import Command, Refused, Transaction, command, require_running
from turnwright.play.movement.forced_movement import Pushed, force_move, forget_positions
from turnwright.play.spawning.spawning import spawn_creature
from turnwright.play.state import action_economy, effect_records, hit_points
from turnwright.play.state.events import Rolled, Skipped, Unaffected
from turnwright.rules.parts.attacks.attack_targeting import entry_save_tags
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.conditions.predicates import is_true_of
from turnwright.rules.parts.damage.damage_steps import FATIGUE
from turnwright.rules.parts.economy.limited_uses import is_on_turn
from turnwright.rules.parts.environment import entries
from turnwright.rules.system import RuleSystem

FULL, REDUCED = "whole", "reduced"
USE, LEAVE = "use", "leave"


@journal("journal.used", kind="world", when={"actor": "journal.used_by", "targets": "journal.used_on"}, what="entry")
class EntryUsed(EntryEvent, frozen=True):
    """An entry of an environment was triggered."""

    targets: field_specs.CombatantIds = ()
    actor: field_specs.CombatantId = ""


@journal("journal.disturbed", kind="world", what="entry")
class TrapDisturbed(EntryEvent, frozen=True):
    """An object was disturbed and may come down by round `due`."""

    due: field_specs.PositiveOrNone


@journal("journal.teleported", joins=("who",))
class Teleported(CombatantEvent, frozen=True):
    """A combatant was teleported to a random free space within `feet`."""

    feet: int


def ask_targets(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask for the targets unless they are named. When the world acts, an entry without targets is only offered."""
    environment, row = entry_of(tx, data)
    asks = _asks_for_targets(tx, environment, data)
    if data.targets_confirmed and not asks:
        return goto(procedure, ENVIRONMENT_EFFECT.use, _with_actor(row, data))
    if row.affects == "actor" and data.actor and not asks:
        return goto(procedure, ENVIRONMENT_EFFECT.use, targets=(data.actor,))
    if row.affects == "nobody" and not data.by_world:
        return goto(procedure, ENVIRONMENT_EFFECT.use)
    question = _targets_ask(tx, environment, row, data.only_target)
    ask(tx, procedure, "prompt.world_action", [question], subject=row.name, rule=entries.entry_rule(row))
    return goto(procedure, ENVIRONMENT_EFFECT.confirm_targets)


def _asks_for_targets(tx: Transaction, environment: Environment, data: EnvironmentEffect) -> bool:
    """Return whether a house rule asks for an entry's targets on another combatant's turn."""
    change = entries.entry_override(tx, tx.rules, environment, data.entry)
    touched = data.actor or next(iter(data.targets), "")
    return change is not None and change.asks and bool(touched) and not is_on_turn(tx, touched)


def _targets_ask(tx: Transaction, environment: Environment, row: EnvironmentEntry, only: str = "") -> Ask:
    if row.affects == "nobody":
        choices = (Option(USE, "option.use"), Option(LEAVE, "option.leave"))
        return choice_ask("who", "ask.use", choices, detail=row.text, rule=entries.entry_rule(row))
    reached = [target for target in entries.eligible_targets(tx, environment, row, tx.rules) if only in ("", target.id)]
    return Ask(
        "who",
        "targets",
        f"ask.targets_{row.affects}",
        detail=row.within,
        options=tuple(Option(target.id, target.label) for target in reached),
        suggested=tuple(target.id for target in reached if _is_certain(tx, environment, row, target.id)),
        max_choices=1 if row.affects == "one" or (row.affects == "actor" and row.check) else 0,
        rule=tx.rule_id("world.range"),
    )


def _is_certain(tx: Transaction, environment: Environment, row: EnvironmentEntry, who: str) -> bool:
    """Return whether an entry affects everyone in its area, and a combatant is certainly there.

    It is certain if the entry names no narrower place, if the map shows the combatant in the area, or if other
    combatants are marked as outside.
    """
    if row.affects != "each":
        return False
    has_outsiders = any(environment.id in combatant.outside for combatant in tx.all(Combatant))
    return not row.within or has_outsiders or entries.is_on_any_area(tx, who, environment.id, tx.rules)


def _with_actor(row: EnvironmentEntry, data: EnvironmentEffect) -> EnvironmentEffect:
    """Return the effect with its only target as the actor, if the entry has a check that the actor makes."""
    if row.affects == "actor" and row.check is not None and not data.actor and len(data.targets) == 1:
        return msgspec.structs.replace(data, actor=data.targets[0])
    return data


def confirm_targets(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Store the chosen targets. If there are none, the entry isn't used and stays ready."""
    environment, row = entry_of(tx, data)
    answer = answers.get("who", AskResult("who", skipped=True))
    earlier_targets = entries.entry_state(tx, data.environment, data.entry).targeted if row.once == "encounter" else ()
    targets = tuple(who for who in answer.chosen if who not in (USE, LEAVE, *earlier_targets))
    if answer.skipped or not (targets or USE in answer.chosen):
        _lapse(tx, environment, row)
        tx.emit(Skipped(purpose="ask.use", detail=row.name, bookkeeping=True))
        return None
    data = msgspec.structs.replace(data, targets=targets, targets_confirmed=True)
    return goto(procedure, ENVIRONMENT_EFFECT.use, _with_actor(row, data))


def _lapse(tx: Transaction, environment: Environment, row: EnvironmentEntry) -> None:
    """Cancel the fall of a disturbed object if its last round has passed."""
    state = entries.entry_state(tx, environment.id, row.id)
    if state.due_round and tx.need(Clock, "clock").round >= state.due_round:
        tx.update(state, due_round=0)


def use(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Trigger the entry: record its targets, spend it, and ask for its user's check first."""
    environment, row = entry_of(tx, data)
    if _broken_meanwhile(tx, environment, row, data):
        return None
    if data.actor and row.check and row.check.against and set(data.targets) <= {data.actor}:
        return goto(procedure, ENVIRONMENT_EFFECT.ask_caster)
    state = entries.entry_state(tx, environment.id, row.id)
    targets, actor, rule = data.targets, data.actor, entries.entry_rule(row)
    tx.emit(EntryUsed(environment=environment.id, entry=row.id, targets=targets, actor=actor, rule=rule))
    if row.once == "encounter":
        state = msgspec.structs.replace(state, targeted=(*state.targeted, *data.targets))
    if row.recharge:
        if state.ready:
            entry_readiness.withdraw_offers(tx, environment, row, procedure.id)
        state = msgspec.structs.replace(state, ready=False, recharge_rolled=tx.need(Clock, "clock").round)
    if state != entries.entry_state(tx, environment.id, row.id):
        tx.put(state)
    cost = row.check.cost if row.check else row.cost
    free = row.check is not None and bool(row.check.free_by) and tx.rules.has_option(tx, row.check.free_by)
    if data.actor and cost and not free:
        action_economy.spend(tx, data.actor, cost)
    if data.actor and row.check is not None and not row.check.against:
        return goto(procedure, ENVIRONMENT_EFFECT.ask_check)
    if data.actor and row.check is not None:
        _break(tx, environment, row, procedure)
        return goto(procedure, ENVIRONMENT_EFFECT.ask_contest)
    return goto(procedure, ENVIRONMENT_EFFECT.ask_saves)


def _broken_meanwhile(
    tx: Transaction, environment: Environment, row: EnvironmentEntry, data: EnvironmentEffect
) -> bool:
    """Return whether an entry has broken since this use began, and report it. It takes effect only once."""
    broken = entries.entry_state(tx, environment.id, row.id).broken and not data.rules_overridden
    if broken:
        rule = entries.entry_rule(row, tx.rule_id("env.rule.mirror-breaks"))
        entry_readiness.report_failed(tx, environment, row, entry_readiness.BROKEN_MEANWHILE, rule, data.actor)
    return broken


def _break(tx: Transaction, environment: Environment, row: EnvironmentEntry, procedure: Procedure) -> None:
    """Break an entry that breaks when used, and withdraw all other prompts that offer it."""
    if row.breaks:
        tx.update(entries.entry_state(tx, environment.id, row.id), broken=True)
        entry_readiness.withdraw_broken(tx, environment, row, procedure.id)


def ask_saves(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Remove exempt targets, and ask the others for their saves if the entry has a save."""
    environment, row = entry_of(tx, data)
    if _broken_meanwhile(tx, environment, row, data):
        return None
    _break(tx, environment, row, procedure)
    affected = tuple(who for who in data.targets if _reaches(tx, environment, row, who))
    data = msgspec.structs.replace(data, targets=affected)
    if row.save is None:
        return goto(procedure, ENVIRONMENT_EFFECT.ask_substitutes, data, failed=affected)
    rule = entries.entry_rule(row, tx.rule_id("env.rule.end-of-turn-saves") if row.trigger == "turn-end" else "")
    asks = (save_ask(tx, row, row.save, who, rule) for who in affected)
    return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.after_saves, data), "prompt.save", asks, subject=row.name)


def _reaches(tx: Transaction, environment: Environment, row: EnvironmentEntry, who: str) -> bool:
    """Return whether an entry affects a combatant now. Mark an effect that happens once a turn."""
    combatant = tx.get(Combatant, who)
    if combatant is None or combatant.dead:
        return False
    spared = next((statement for statement in row.unaffected if is_true_of(tx, tx.rules, who, statement)), "")
    if spared:
        rule = entries.entry_rule(row, tx.rule_id("env.rule.frost-exempt"))
        tx.emit(Unaffected(who=who, what=row.name, reason=f"<statement.{spared}>", rule=rule))
        return False
    if row.once == "turn":
        mark = f"once:{environment.id}.{row.id}"
        if effects_named(tx, who, mark):
            rule = entries.entry_rule(row, tx.rule_id("env.rule.first-touch"))
            tx.emit(Unaffected(who=who, what=row.name, reason="why.once_a_turn", rule=rule))
            return False
        tx.put(Effect(tx.next_id("effect"), who, mark, ends=Duration("turn"), shown=False))
    return True


def after_saves(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Sort the targets by their saves."""
    _, row = entry_of(tx, data)
    save, rule = row.save, entries.entry_rule(row)
    if save is None:
        return None
    rolled = [who for who in data.targets if who in answers and not answers[who].skipped]
    label = f"<save.{save.ability}>"
    failed = tuple(who for who in rolled if not result_of(tx, answers[who], "ask.save", who, label, save.dc, rule))
    for who in data.targets:
        if who not in rolled:
            tx.emit(Skipped(purpose="ask.save", who=who, detail=row.name))
    return goto(procedure, ENVIRONMENT_EFFECT.ask_substitutes, failed=failed)


def ask_damage(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask for one damage roll for each group of targets that takes the same damage."""
    _, row = entry_of(tx, data)
    substitutes = dict(data.substitutes)
    if row.damage and data.failed:
        rule = tx.rule_id("damage.multi-target") if len(data.failed) > 1 else entries.entry_rule(row)
        groups = {_group(tx, row, who) for who in data.failed}
        dice = {group: substituted_damage(row, substitutes, reduced=group == REDUCED) for group in (FULL, REDUCED)}
        asks = [
            Ask(group, "roll", "ask.damage", "", _damage_detail(tx, row, data, group), RollSpec(spec), rule=rule)
            for group, spec in dice.items()
            if group in groups
        ]
        ask(tx, procedure, "prompt.damage", asks, subject=row.name)
    return goto(procedure, ENVIRONMENT_EFFECT.apply_effects)


def _damage_detail(tx: Transaction, row: EnvironmentEntry, data: EnvironmentEffect, group: str) -> str:
    """Return the entry's name, followed by a group's targets if not all targets take the same damage."""
    targets = [who for who in data.failed if _group(tx, row, who) == group]
    names = ", ".join(tx.need(Combatant, who).label for who in targets)
    return row.name if len(targets) == len(data.failed) else f"{row.name} ({names})"


def _group(tx: Transaction, row: EnvironmentEntry, who: str) -> str:
    return REDUCED if row.reduced and is_true_of(tx, tx.rules, who, row.reduced) else FULL


def apply_effects(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Deal the damage and apply the entry's conditions."""
    environment, row = entry_of(tx, data)
    for group, answer in answers.items():
        if answer.skipped or answer.roll is None or answer.roll.total is None:
            tx.emit(Skipped(purpose="ask.damage", detail=row.name))
        else:
            tx.emit(Rolled(purpose="ask.damage", roll=answer.roll, detail=row.name, rule=entries.entry_rule(row)))
            for who in data.failed:
                if _group(tx, row, who) == group:
                    hit_points.deal_damage(
                        tx, who, hit_points.Damage(answer.roll.parts, source=row.name, roll=answer.roll), procedure.id
                    )
    recharges = row.recharge and not row.breaks and any(action.id == row.id for action in environment.actions)
    for who in data.failed:
        _leave_behind(tx, environment, row, who, dict(data.substitutes))
    force_move(tx, data.failed, row, procedure.id if recharges else procedure.parent)
    if row.spawn is not None:
        spawn_creature(tx, environment, row, procedure.id)
    state = entries.entry_state(tx, environment.id, row.id)
    if state.due_round:
        tx.update(state, due_round=0)
    if not recharges:
        return None
    rule = tx.rule_id("world.recharge.after-use")
    ask(tx, procedure, "prompt.recharge", [entry_readiness.recharge_ask(tx.rules, environment, row, rule)])
    return goto(procedure, ENVIRONMENT_EFFECT.after_recharge)


def _leave_behind(
    tx: Transaction, environment: Environment, row: EnvironmentEntry, who: str, substitutes: Mapping[str, str]
) -> None:
    rule = entries.entry_rule(row)
    apply_conditions(tx, environment, row, who, substitutes)
    if row.push:
        tx.emit(Pushed(who=who, feet=row.push, rule=rule))
    if row.teleport:
        tx.emit(Teleported(who=who, feet=row.teleport, rule=rule))
    if row.push or row.teleport:
        forget_positions(tx, who)


def after_recharge(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> None:
    """Apply the recharge roll made right after a world action's use."""
    environment, row = entry_of(tx, data)
    answer = answers.get(f"{environment.id}.{row.id}", AskResult("", skipped=True))
    entry_readiness.apply_recharge(tx, environment, row, answer, tx.rule_id("world.recharge.after-use"))


def refresh_prompt(tx: Transaction, procedure: Procedure, entry: EnvironmentEntry) -> None:
    """Update the open prompt of an edited entry to the entry's current numbers."""
    prompt = prompt_of(tx, procedure.id)
    if prompt is not None:
        unanswered = open_asks(prompt)
        own = [question for question in prompt.asks if not is_offer(question.id)]
        renewed = (_renewed(tx, procedure, entry, question) if question in unanswered else question for question in own)
        asks = with_offers(tx, renewed)
        if asks != prompt.asks:
            tx.update(prompt, asks=asks)


def _renewed(tx: Transaction, procedure: Procedure, row: EnvironmentEntry, question: Ask) -> Ask:
    stage = procedure.at
    if stage == ENVIRONMENT_EFFECT.after_saves and row.save is not None:
        return save_ask(tx, row, row.save, question.who, question.rule)
    substitutes = dict(data_of(procedure, EnvironmentEffect).substitutes)
    dice = substituted_damage(row, substitutes, reduced=question.id == REDUCED)
    if stage == ENVIRONMENT_EFFECT.apply_effects and dice:
        return msgspec.structs.replace(question, spec=RollSpec(dice))
    return (
        msgspec.structs.replace(question, dc=row.recharge) if stage == ENVIRONMENT_EFFECT.after_recharge else question
    )


def disturb(tx: Transaction, environment: Environment, entry: EnvironmentEntry) -> None:
    """Record that an object was disturbed, and the last round in which it may come down."""
    due = tx.need(Clock, "clock").round + entry.delay
    tx.update(entries.entry_state(tx, environment.id, entry.id), due_round=due)
    tx.emit(TrapDisturbed(environment=environment.id, entry=entry.id, due=due, rule=entries.entry_rule(entry)))


@command(script="use {entry,environment} [on {targets}] [by {actor}] [attack {attack}] [level {level}]")
class UseEntry(Command, frozen=True):
    """Trigger a feature or world action of an environment, with its actor and targets.

    `attack` is the total of an attack against its AC, and `level` is a spell's level (0: a cantrip).
    """

    environment: field_specs.EnvironmentId
    entry: field_specs.EntryId
    actor: field_specs.CombatantId = ""
    targets: field_specs.CombatantIds = ()
    attack: Annotated[int, field_specs.FieldSpec(least=-1000, most=1000, label="use-entry.attack-total")] | None = None
    level: field_specs.SpellLevel = 0

    def handle(self, tx: Transaction) -> None:
        """Trigger a feature or world action by hand."""
        require_running(tx)
        trigger_entry(tx, self)


def trigger_entry(tx: Transaction, command: UseEntry) -> None:
    """Trigger an entry by a command. Raise Refused if it is spent, broken, out of reach or not destroyed."""
    environment = tx.need(Environment, command.environment)
    row = find_entry(environment, command.entry)
    if row is None or not row.enabled:
        raise Refused("refused.no_such_row", params={"what": command.entry})
    _need_usable(command, tx, environment, row)
    if row.ac and command.attack is not None and command.attack < row.ac:
        entry_readiness.report_failed(tx, environment, row, "why.attack_missed", entries.entry_rule(row), command.actor)
        return
    if row.delay and not entries.entry_state(tx, environment.id, row.id).due_round:
        disturb(tx, environment, row)
        return
    actor = "" if command.attack is not None else command.actor
    by_actor = bool(actor) and (row.affects in ("actor", "nobody") or row.check is not None)
    rolled = row.trigger == "rolled" and bool(actor)
    agreed = (bool(command.targets) or by_actor) and not rolled
    targets = tuple(dict.fromkeys(command.targets)) or ((actor,) if actor and row.affects == "actor" else ())
    insisted = entries.entry_state(tx, environment.id, row.id).broken
    hazard = EnvironmentEffect(
        environment.id, row.id, actor, targets, targets_confirmed=agreed, rules_overridden=insisted
    )
    begin(tx, ENVIRONMENT_EFFECT.use if rolled else ENVIRONMENT_EFFECT.ask_targets, hazard)


def _need_usable(command: UseEntry, tx: Transaction, environment: Environment, row: EnvironmentEntry) -> None:
    state = entries.entry_state(tx, environment.id, row.id)
    if state.broken:
        tx.forbid("refused.broken", entries.entry_rule(row, tx.rule_id("env.rule.mirror-breaks")), what=row.name)
    if row.recharge and not state.ready:
        tx.forbid("refused.not_recharged", tx.rule_id("world.recharge.spent"), what=row.name)
    if row.reflects is not None and command.level > row.reflects:
        tx.forbid("refused.spell_level", entries.entry_rule(row), what=row.name)
    allowed = {eligible_target.id for eligible_target in entries.eligible_targets(tx, environment, row, tx.rules)}
    earlier_target = next((who for who in command.targets if who in state.targeted and who not in allowed), None)
    if row.once == "encounter" and earlier_target is not None:
        label = tx.need(Combatant, earlier_target).label
        rule = entries.entry_rule(row, tx.rule_id("env.rule.lightning-no-repeat"))
        tx.forbid("refused.targeted_before", rule, what=row.name, who=label)


DAMAGE_PREFIX, CONDITION_PREFIX = "damage:", "condition:"
NOTE_PREFIX, UNTYPED = "note:", "untyped"


def entry_of(tx: Transaction, data: EnvironmentEffect) -> tuple[Environment, EnvironmentEntry]:
    """Return an effect's environment and entry, with house rules applied. Raise SubjectGone if either is gone."""
    environment = tx.get(Environment, data.environment)
    row = find_entry(environment, data.entry) if environment else None
    if environment is None or row is None:
        raise SubjectGone
    return environment, entries.with_options(tx, tx.rules, environment, row)


def source_name(environment: Environment, entry: EnvironmentEntry) -> str:
    """Return the name of an entry as a source of effects."""
    return f"{environment.name}: {entry.name}"


def save_ask(tx: Transaction, entry: EnvironmentEntry, save: SavingThrow, who: str, rule: str) -> Ask:
    """Return the ask for a combatant's save against an entry."""
    detail = f"<save.{save.ability}>"
    if entries.is_unknown_save(tx.rules, save):
        return Ask(who, "choice", "ask.save", who, detail, options=pass_or_fail_options(), dc=save.dc, rule=rule)
    spec = save_roll(tx, tx.rules, who, save.ability, tags=entry_save_tags(entry, tx.role("fatigue")))
    return roll_ask(who, "ask.save", detail, spec, save.dc, rule=rule)


def ask_substitutes(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask for substitutes for an entry's damage types and conditions that the system doesn't have."""
    _, row = entry_of(tx, data)
    if answers:
        pairs = tuple((id, _meaning(id, answer.chosen)) for id, answer in answers.items())
        return goto(procedure, ENVIRONMENT_EFFECT.ask_damage, substitutes=pairs)
    asks = (*_damage_asks(tx.rules, row), *_condition_asks(tx.rules, row)) if data.failed else ()
    if not asks:
        return goto(procedure, ENVIRONMENT_EFFECT.ask_damage)
    return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_substitutes), "prompt.unsupported", asks, subject=row.name)


def substituted_damage(entry: EnvironmentEntry, substitutes: Mapping[str, str], *, reduced: bool = False) -> str:
    """Return an entry's damage with its damage types replaced by types of this system."""
    kinds = {id.removeprefix(DAMAGE_PREFIX): kind for id, kind in substitutes.items() if id.startswith(DAMAGE_PREFIX)}
    return entries.replace_damage_types(entry.reduced_damage if reduced else entry.damage, kinds)


def apply_conditions(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, who: str, substitutes: Mapping[str, str]
) -> None:
    """Apply an entry's conditions and levels of fatigue to a combatant."""
    rule, source = entries.entry_rule(entry), source_name(environment, entry)
    for affliction in entry.afflictions:
        name = substitutes.get(f"{CONDITION_PREFIX}{affliction.condition}", affliction.condition)
        if name:
            effect_records.put_condition(
                tx,
                who,
                name,
                value=affliction.escape_dc or entry.hearing,
                ends=effect_records.duration_of(tx, affliction, who, environment.id),
                source=source,
                rule=rule,
                ended_by=effect_records.EndedBy(affliction.break_free),
            )
    stands_for = substitutes.get(f"{CONDITION_PREFIX}{tx.role('fatigue')}")
    if stands_for is None:
        hit_points.add_levels(tx, who, FATIGUE, entry.fatigue, rule)
    elif stands_for:
        effect_records.put_condition(tx, who, stands_for, value=entry.fatigue, source=source, rule=rule)


def _damage_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    own = tuple(Option(damage_type.id, f"<damage.{damage_type.id}>") for damage_type in rules.data.damage_types)
    options, rule = (Option(UNTYPED, "option.untyped"), *own), entries.entry_rule(row)
    return tuple(
        choice_ask(f"{DAMAGE_PREFIX}{kind}", "ask.unsupported_damage", options, detail=kind, rule=rule)
        for kind in entries.unknown_damage_types(rules, row)
    )


def _condition_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    asks = []
    for name in entries.unknown_conditions(rules, row):
        nearest = dict(rules.data.elsewhere.conditions).get(name, "")
        near = (Option(nearest, f"<condition.{nearest}>"),) if nearest in rules.conditions else ()
        options = (*near, Option(f"{NOTE_PREFIX}{name}", "option.keep_note"), Option(LEAVE, "option.leave_out"))
        id = f"{CONDITION_PREFIX}{name}"
        asks.append(choice_ask(id, "ask.unsupported_condition", options, detail=name, rule=entries.entry_rule(row)))
    return tuple(asks)


def _meaning(ask_id: str, chosen: tuple[str, ...]) -> str:
    """Return the substitute chosen for a term, or the term itself if the choice was skipped."""
    if not chosen:
        return ask_id.partition(":")[2]
    return "" if chosen[0] in (LEAVE, UNTYPED) else chosen[0].removeprefix(NOTE_PREFIX)
