"""Checks on an environment entry, outcomes that the user enters, and prompts that another procedure has used up.

An environment may have been written for another system. The user reports an unknown save or check as a success or a
failure, and replaces an unknown damage type or condition, keeps it as a note, or leaves it out.

Recharge of world actions: the ask for the roll, the result, and changes by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.dice.expression import RollSpec
from turnwright.encounter.field_specs import CombatantId, EntryId, EnvironmentId, PositiveOrNone, WordKey
from turnwright.encounter.prepared import Check, Environment, EnvironmentEntry, SavingThrow
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import MADE, Ask, AskResult, Option, choice_ask, roll_ask
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, CountdownOutcome, EnvironmentEffect
from turnwright.encounter.running import Clock
from turnwright.encounter.state import find_entry
from turnwright.play.asking.checks import pass_or_fail_options, result_of
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, SubjectGone, ask, close_prompt, goto
from turnwright.play.kernel.transaction import Command, Refused, Transaction, command
from turnwright.play.state.action_economy import require_running
from turnwright.play.state.effect_records import EndedBy, duration_of, put_condition
from turnwright.play.state.events import Rolled, Skipped
from turnwright.play.state.hit_points import add_levels
from turnwright.rules.parts.attacks.attack_targeting import entry_save_tags
from turnwright.rules.parts.checks.ability_checks import check_roll, save_roll, spellcasting_roll
from turnwright.rules.parts.damage.damage_steps import FATIGUE
from turnwright.rules.parts.environment.entries import (
    eligible_targets,
    entry_rule,
    entry_state,
    is_unknown_check,
    is_unknown_save,
    replace_damage_types,
    unknown_conditions,
    unknown_damage_types,
    with_options,
)
from turnwright.rules.system import RuleSystem

DAMAGE_PREFIX, CONDITION_PREFIX = "damage:", "condition:"
NOTE_PREFIX, LEAVE, UNTYPED = "note:", "leave", "untyped"
BROKEN_MEANWHILE = "why.broken_meanwhile"
# The stages that wait for the user before the entry is spent.
STAGES_BEFORE_USE = (ENVIRONMENT_EFFECT.confirm_targets, ENVIRONMENT_EFFECT.ask_caster)


@journal("journal.entry_failed", kind="world", what="entry")
class EntryFailed(Event, frozen=True):
    """An attempt to use a feature or action of an environment failed. `reason` is a word key."""

    environment: EnvironmentId
    entry: EntryId
    reason: WordKey
    actor: CombatantId = ""


@journal("journal.found", kind="world", when={"secret": "journal.found_secret"}, what="entry")
class EnvironmentCheckPassed(Event, frozen=True):
    """A check on an environment entry succeeded. `secret`: the entry was hidden until now."""

    environment: EnvironmentId
    entry: EntryId
    who: CombatantId
    secret: bool = False


@journal("journal.reflected_astray", kind="world", when={"to_caster": "journal.reflected"}, what="entry")
class SpellReflected(Event, frozen=True):
    """A mirror reflected a spell at its caster or, if not `to_caster`, into an empty square. The mirror broke."""

    environment: EnvironmentId
    entry: EntryId
    who: CombatantId
    caster: CombatantId
    to_caster: bool


def ask_check(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask for the check of the entry's user. After the answer, decide whether the entry works."""
    environment, row = entry_of(tx, data)
    check = row.check
    if check is None:
        return None
    name = f"{check.ability}:{check.skill}" if check.skill else check.ability
    answer = answers.get("check")
    if answer is None:
        question = _check_ask(tx, check, name, data.actor, entry_rule(row))
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_check), "prompt.check", [question], subject=row.name)
    if not result_of(tx, answer, "ask.check", data.actor, f"<check.{name}>", check.dc, entry_rule(row)):
        report_failed(tx, environment, row, "why.check_failed", entry_rule(row), data.actor)
        return None
    if row.trigger == "rolled":
        if data.targets:
            return goto(procedure, ENVIRONMENT_EFFECT.ask_saves)
        return goto(procedure, ENVIRONMENT_EFFECT.ask_targets, actor="")
    tx.emit(EnvironmentCheckPassed(environment=environment.id, entry=row.id, who=data.actor, rule=entry_rule(row)))
    return None


def _check_ask(tx: Transaction, check: Check, name: str, who: str, rule: str) -> Ask:
    """Return the ask for the check on an entry. If the system doesn't have the check, ask for the outcome instead."""
    if is_unknown_check(tx.rules, check):
        options = pass_or_fail_options()
        return Ask("check", "choice", "ask.check", who, f"<check.{name}>", options=options, dc=check.dc, rule=rule)
    spec = check_roll(tx, tx.rules, who, name)
    return Ask("check", "roll", "ask.check", who, f"<check.{name}>", spec, check.dc, rule=rule)


def ask_contest(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Compare the user's check with the caster's. The caster wins a tie."""
    environment, row = entry_of(tx, data)
    check = row.check
    caster = next((who for who in data.targets if who != data.actor), "")
    if check is None or not caster:
        return None
    if not answers:
        own = RollSpec("") if is_unknown_check(tx.rules, check) else check_roll(tx, tx.rules, data.actor, check.ability)
        theirs, rule = spellcasting_roll(tx, tx.rules, caster), entry_rule(row)
        asks = (
            Ask("own", "roll", "ask.check", data.actor, f"<check.{check.ability}>", own, rule=rule),
            Ask("theirs", "roll", "ask.spellcasting", caster, "", theirs, rule=rule),
        )
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_contest), "prompt.contest", asks, subject=row.name)
    totals = {}
    for side, who in (("own", data.actor), ("theirs", caster)):
        answer = answers.get(side)
        totals[side] = answer.roll.total if answer and answer.roll and answer.roll.total is not None else 0
        if answer and answer.roll:
            rule = entry_rule(row)
            tx.emit(Rolled(who=who, purpose="ask.check", roll=answer.roll, detail="<ask.a_check>", rule=rule))
    place, user, to_caster = environment.id, data.actor, totals["own"] > totals["theirs"]
    rule = entry_rule(row, tx.rule_id("env.rule.mirror-breaks"))
    tx.emit(SpellReflected(environment=place, entry=row.id, who=user, caster=caster, to_caster=to_caster, rule=rule))
    return None


def ask_caster(tx: Transaction, procedure: Procedure, data: EnvironmentEffect, answers: Answers) -> Next:
    """Ask which combatant cast the spell that an entry is used against."""
    environment, row = entry_of(tx, data)
    answer = answers.get("who")
    if answer is not None and not answer.chosen:
        return None
    if answer is None:
        options = tuple(
            Option(target.id, target.label)
            for target in eligible_targets(tx, environment, row, tx.rules)
            if target.id != data.actor
        )
        question = Ask("who", "targets", "ask.targets_one", options=options, max_choices=1, rule=entry_rule(row))
        return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_caster), "prompt.contest", [question], subject=row.name)
    return goto(procedure, ENVIRONMENT_EFFECT.use, targets=answer.chosen)


def report_failed(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, reason: str, rule: str, actor: str = ""
) -> None:
    """Report why an entry failed. `actor` is the combatant that tried it."""
    tx.emit(EntryFailed(environment=environment.id, entry=entry.id, actor=actor, reason=reason, rule=rule))


def entry_of(tx: Transaction, data: EnvironmentEffect) -> tuple[Environment, EnvironmentEntry]:
    """Return an effect's environment and entry, with house rules applied. Raise SubjectGone if either is gone."""
    environment = tx.get(Environment, data.environment)
    row = find_entry(environment, data.entry) if environment else None
    if environment is None or row is None:
        raise SubjectGone
    return environment, with_options(tx, tx.rules, environment, row)


def source_name(environment: Environment, entry: EnvironmentEntry) -> str:
    """Return the name of an entry as a source of effects."""
    return f"{environment.name}: {entry.name}"


def save_ask(tx: Transaction, entry: EnvironmentEntry, save: SavingThrow, who: str, rule: str) -> Ask:
    """Return the ask for a combatant's save against an entry."""
    detail = f"<save.{save.ability}>"
    if is_unknown_save(tx.rules, save):
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
    return ask(tx, goto(procedure, ENVIRONMENT_EFFECT.ask_substitutes), "prompt.lacking", asks, subject=row.name)


def substituted_damage(entry: EnvironmentEntry, substitutes: Mapping[str, str], *, reduced: bool = False) -> str:
    """Return an entry's damage with its damage types replaced by types of this system."""
    kinds = {id.removeprefix(DAMAGE_PREFIX): kind for id, kind in substitutes.items() if id.startswith(DAMAGE_PREFIX)}
    return replace_damage_types(entry.reduced_damage if reduced else entry.damage, kinds)


def apply_conditions(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, who: str, substitutes: Mapping[str, str]
) -> None:
    """Apply an entry's conditions and levels of fatigue to a combatant."""
    rule, source = entry_rule(entry), source_name(environment, entry)
    for affliction in entry.afflictions:
        name = substitutes.get(f"{CONDITION_PREFIX}{affliction.condition}", affliction.condition)
        if name:
            put_condition(
                tx,
                who,
                name,
                value=affliction.escape_dc or entry.hearing,
                ends=duration_of(tx, affliction, who, environment.id),
                source=source,
                rule=rule,
                ended_by=EndedBy(affliction.break_free),
            )
    stands_for = substitutes.get(f"{CONDITION_PREFIX}{tx.role('fatigue')}")
    if stands_for is None:
        add_levels(tx, who, FATIGUE, entry.fatigue, rule)
    elif stands_for:
        put_condition(tx, who, stands_for, value=entry.fatigue, source=source, rule=rule)


def _damage_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    own = tuple(Option(damage_type.id, f"<damage.{damage_type.id}>") for damage_type in rules.data.damage_types)
    options, rule = (Option(UNTYPED, "option.untyped"), *own), entry_rule(row)
    return tuple(
        choice_ask(f"{DAMAGE_PREFIX}{kind}", "ask.lacking_damage", options, detail=kind, rule=rule)
        for kind in unknown_damage_types(rules, row)
    )


def _condition_asks(rules: RuleSystem, row: EnvironmentEntry) -> tuple[Ask, ...]:
    asks = []
    for name in unknown_conditions(rules, row):
        nearest = dict(rules.data.elsewhere.conditions).get(name, "")
        near = (Option(nearest, f"<condition.{nearest}>"),) if nearest in rules.conditions else ()
        options = (*near, Option(f"{NOTE_PREFIX}{name}", "option.keep_note"), Option(LEAVE, "option.leave_out"))
        id = f"{CONDITION_PREFIX}{name}"
        asks.append(choice_ask(id, "ask.lacking_condition", options, detail=name, rule=entry_rule(row)))
    return tuple(asks)


def _meaning(ask_id: str, chosen: tuple[str, ...]) -> str:
    """Return the substitute chosen for a term, or the term itself if the choice was skipped."""
    if not chosen:
        return ask_id.partition(":")[2]
    return "" if chosen[0] in (LEAVE, UNTYPED) else chosen[0].removeprefix(NOTE_PREFIX)


def withdraw_offers(tx: Transaction, environment: Environment, entry: EnvironmentEntry, used_by: str = "") -> None:
    """Withdraw all open prompts that offer a spent entry, except the prompt of the procedure `used_by`.

    A prompt that a countdown opened stays, because a countdown can use an entry that isn't ready.
    """
    for procedure in _offering(tx, environment, entry, used_by):
        if not _by_countdown(tx, procedure):
            _withdraw(tx, procedure, environment, entry, "why.spent_meanwhile", tx.rule_id("world.recharge.spent"))


def withdraw_broken(tx: Transaction, environment: Environment, entry: EnvironmentEntry, used_by: str) -> None:
    """Withdraw all open prompts that offer an entry that the procedure `used_by` broke."""
    for procedure in _offering(tx, environment, entry, used_by):
        rule = entry_rule(entry, tx.rule_id("env.rule.mirror-breaks"))
        _withdraw(tx, procedure, environment, entry, BROKEN_MEANWHILE, rule)


def _offering(tx: Transaction, environment: Environment, row: EnvironmentEntry, user: str) -> list[Procedure]:
    return [
        procedure for procedure in tx.all(Procedure) if procedure.id != user and _offers(procedure, environment, row)
    ]


def _offers(procedure: Procedure, environment: Environment, row: EnvironmentEntry) -> bool:
    data = procedure.data
    if not isinstance(data, EnvironmentEffect) or procedure.at not in STAGES_BEFORE_USE:
        return False
    return (data.environment, data.entry) == (environment.id, row.id)


def _by_countdown(tx: Transaction, procedure: Procedure) -> bool:
    parent = tx.get(Procedure, procedure.parent)
    return parent is not None and isinstance(parent.data, CountdownOutcome)


def _withdraw(
    tx: Transaction, procedure: Procedure, environment: Environment, row: EnvironmentEntry, reason: str, rule: str
) -> None:
    close_prompt(tx, procedure.id)
    tx.remove(procedure)
    report_failed(tx, environment, row, reason, rule)


@journal("journal.not_recharged", kind="world", what="entry")
class RechargeRolled(Event, frozen=True):
    """A spent world action rolled its recharge. `ready`: it has recharged; `face` is 0 if unknown."""

    environment: EnvironmentId
    entry: EntryId
    face: PositiveOrNone
    needed: PositiveOrNone
    ready: bool

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on the result and on whether the numbers are known."""
        key = "journal.recharged" if self.ready else "journal.not_recharged"
        return key if self.face and self.needed else f"{key}_unsaid"


def recharge_ask(rules: RuleSystem, environment: Environment, entry: EnvironmentEntry, rule: str) -> Ask:
    """Return the ask for a world action's recharge roll."""
    id, spec = f"{environment.id}.{entry.id}", RollSpec(rules.data.turns.recharge_die)
    return Ask(id, "roll", "ask.recharge", "", entry.name, spec, entry.recharge, rule=rule)


def apply_recharge(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, answer: AskResult, rule: str
) -> None:
    """Apply a recharge roll. If the roll reaches the recharge number, the world action is ready."""
    state = entry_state(tx, environment.id, entry.id)
    face = answer.roll.total if answer.roll is not None else None
    if not answer.chosen and face is None:
        tx.emit(Skipped(purpose="ask.recharge", detail=entry.name))
        return
    face, needed = face or 0, entry.recharge
    ready = MADE in answer.chosen or face >= needed
    tx.update(state, ready=ready, recharge_rolled=tx.need(Clock, "clock").round)
    place = environment.id
    tx.emit(RechargeRolled(environment=place, entry=entry.id, face=face, needed=needed, ready=ready, rule=rule))


@command(script="ready {entry,environment} | spent {entry,environment} {ready=false}")
class SetEntryReady(Command, frozen=True):
    """Recharge a world action by hand, or spend it."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool = True

    def handle(self, tx: Transaction) -> None:
        """Recharge a world action by hand, or spend it and withdraw the prompts that offer it."""
        require_running(tx)
        environment = tx.need(Environment, self.environment)
        row = find_entry(environment, self.entry)
        if row is None:
            raise Refused("refused.no_such_row", params={"what": self.entry})
        tx.update(entry_state(tx, self.environment, self.entry), ready=self.ready)
        tx.emit(EntryReadySet(environment=self.environment, entry=self.entry, ready=self.ready))
        if not self.ready:
            withdraw_offers(tx, environment, row)


@journal("journal.set_spent", kind="world", when={"ready": "journal.set_ready"}, what="entry")
class EntryReadySet(Event, frozen=True):
    """A world action was recharged or spent by hand."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool
