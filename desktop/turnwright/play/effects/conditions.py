"""Conditions and effects applied, noted or ended by hand, their durations, and persistent damage.

If the system's sources don't define a condition that remains after another, a non-blocking prompt offers it. Otherwise,
or with strict rules, it applies automatically. Persistent damage is dealt at the end of each of the target's turns
until its end condition.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.expression import RollSpec, parse
from turnwright.encounter import field_specs
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import InflictedCondition
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, choice_ask
from turnwright.encounter.procedure_state.effects import (
    CONDITION_DECREASE,
    LIFT_DOOM,
    LINGERING_CONDITIONS,
    PERSISTENT_DAMAGE,
    DecreasingConditions,
    DoomRemedy,
    LingeringConditions,
    PersistentDamage,
)
from turnwright.encounter.running import Combatant, Duration, Effect, EndMoment
from turnwright.encounter.state import Lookup, effect_value, effects_named, find_effect, is_out_of_play, scene_of
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.optional_modifiers import ALWAYS_PREFIX, always_holds
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choices_of, goto
from turnwright.play.kernel.transaction import (
    Command,
    Refused,
    TargetsCommand,
    Transaction,
    command,
    copy_fields,
    require,
    require_dice_expression,
    require_targets,
)
from turnwright.play.state import action_economy, effect_records
from turnwright.play.state.events import EffectGained, Skipped, Unaffected
from turnwright.play.state.hit_points import Damage, apply_doomed, deal_damage
from turnwright.rules.parts.actions.condition_words import RESTS, KnownEffect, LineWords, known_effects, line_words
from turnwright.rules.parts.actions.effect_words import read_effect
from turnwright.rules.parts.combatants.facts import SUMMONED, condition_names, count_sources
from turnwright.rules.parts.conditions.condition_rules import keeps_out, lingering_rules
from turnwright.rules.parts.conditions.rule_words import KNOWN, RuleWordsError, read_rules, write_rules
from turnwright.rules.system import RuleSystem, labels_of

Members = tuple[str, ...]


# Until a turn starts or ends -------------------------------------------------------------------------------------


@journal("journal.effect_stands", when={"left": "journal.effect_lasts"}, who="target", what="name", n="left")
class EffectUpdated(Event, frozen=True):
    """An effect has `left` more rounds or, if `left` is 0, another value."""

    target: field_specs.CombatantId
    name: field_specs.ConditionId
    left: int = 0
    value: int = 0

    @property
    def is_bookkeeping(self) -> bool:
        """Whether this event only counts a duration down."""
        return self.bookkeeping or bool(self.left)


def effects_in_play(lookup: Lookup, who: Members) -> list[Effect]:
    """Return the effects on these combatants, except combatants that are out of play."""
    return [effect for id in who if not is_out_of_play(lookup, id) for effect in lookup.of(Effect, id)]


def has_expiring(lookup: Lookup, who: Members, moment: EndMoment) -> bool:
    """Return whether an effect ends at this moment of these combatants' turn."""
    return any((one.ends.moment, one.ends.skip) == (moment, 0) and one.ends.who in who for one in lookup.all(Effect))


def expire_effects(tx: Transaction, who: Members, moment: EndMoment) -> None:
    """End the effects that last until this moment of these combatants' turn. Sustained effects have a separate rule."""
    for effect in list(tx.all(Effect)):
        ends = effect.ends
        if effect.sustained and ends.moment == moment and ends.who in who and not ends.skip:
            effect_records.end_effect(tx, effect, tx.rule_id("effect.sustained"))
    for id in who:
        effect_records.end_effects_at(tx, moment, id, tx.rule_id(f"effect.{moment}"))


# For a number of rounds or turns ---------------------------------------------------------------------------------


def counting_effects(lookup: Lookup, who: Members, counted_on: str) -> list[Effect]:
    """Return the effects that count down on these combatants' turns, as their creators or their targets."""
    return [
        effect
        for effect in lookup.all(Effect)
        if effect.rounds_left
        and effect.counted_on == counted_on
        and (effect.counts or (effect.target if counted_on == "affected" else effect.by or effect.target)) in who
    ]


def count_down(tx: Transaction, who: Members, counted_on: str) -> None:
    """Deduct a round from each effect that counts down on these combatants' turns. End effects that run out."""
    rule = tx.rule_id("effect.rounds" if counted_on == "creator" else "effect.turns")
    for effect in counting_effects(tx, who, counted_on):
        shorten(tx, effect, rule)


def pass_effect_hours(tx: Transaction, hours: int) -> None:
    """Deduct the rounds of some hours from every effect that lasts a number of rounds."""
    rounds = hours * 3600 // scene_of(tx).round_seconds
    for effect in [each for each in tx.all(Effect) if hours and each.rounds_left]:
        if tx.get(Effect, effect.id) is not None:  # it may have ended with another one
            shorten(tx, effect, tx.rule_id("effect.rounds"), rounds)


def shorten(tx: Transaction, effect: Effect, rule: str, rounds: int = 1) -> None:
    """Deduct a round, or a number of rounds, from an effect, which ends after its last round."""
    condition = tx.rules.conditions.get(effect.name)
    if effect.rounds_left <= rounds and condition is not None and condition.stays:
        tx.update(effect, rounds_left=0, ends=Duration(), concentrator="", save="")
        tx.emit(EffectGained(target=effect.target, name=effect.name, source=effect.source, rule=rule))
    elif effect.rounds_left <= rounds:
        effect_records.end_effect(tx, effect, rule)
    else:
        tx.update(effect, rounds_left=(left := effect.rounds_left - rounds))
        tx.emit(EffectUpdated(target=effect.target, name=effect.name, left=left, rule=rule))


# Sustained effects -----------------------------------------------------------------------------------------------


def sustained_effects(lookup: Lookup, who: str) -> list[Effect]:
    """Return the effects that a combatant sustains and that would end with this turn."""
    return [one for one in lookup.all(Effect) if one.sustained and one.ends.who == who and not one.ends.skip]


def extend_sustained(tx: Transaction, effect: Effect) -> None:
    """Extend a sustained effect past the next end of its caster's turn. Creatures that it has brought can act."""
    tx.update(effect, ends=msgspec.structs.replace(effect.ends, skip=1))
    entries = {one.note for one in effects_named(tx, effect.target, SUMMONED) if one.source == effect.source}
    for who in [one.id for one in tx.all(Combatant) if one.roster in entries]:
        action_economy.refill(tx, who, "turn-start")


# Conditions that decrease ----------------------------------------------------------------------------------------


def decreasing_effects(lookup: Lookup, rules: RuleSystem, who: Members) -> list[Effect]:
    """Return the effects on these combatants that decrease at the end of their turn."""
    conditions = rules.conditions
    return [one for one in effects_in_play(lookup, who) if one.name in conditions and conditions[one.name].falls]


def begin_decrease(tx: Transaction, who: Members, parent: str) -> None:
    """Decrease the conditions of these combatants. With strict rules this is automatic, otherwise the user confirms it.

    A condition whose usual effects are set to automatic always decreases automatically.
    """
    to_confirm = []
    for effect in decreasing_effects(tx, tx.rules, who):
        if tx.strictness == "enforce" or always_holds(tx, f"<condition.{effect.name}>"):
            change_value(tx, effect, effect.value - tx.rules.conditions[effect.name].falls)
        else:
            to_confirm.append(effect.id)
    if to_confirm:
        begin(tx, CONDITION_DECREASE.ask_values, DecreasingConditions(tuple(to_confirm)), parent)


def ask_values(tx: Transaction, procedure: Procedure, data: DecreasingConditions, answers: Answers) -> Procedure:
    """Ask for the new value of each decreasing condition."""
    effects = [current for id in data.effects if (current := tx.get(Effect, id)) is not None]
    asks = [_value_ask(tx.rules, effect) for effect in effects]
    subject = labels_of(tx, (effect.target for effect in effects))
    ask(tx, procedure, "prompt.falls", asks, subject=subject, rule=tx.rule_id("effect.falls"))
    return goto(procedure, CONDITION_DECREASE.apply_values)


def _value_ask(rules: RuleSystem, effect: Effect) -> Ask:
    """Return the ask for the new value of a condition. The default is to decrease it automatically from now on."""
    values = tuple(Option(str(value), str(value)) for value in range(effect.value, -1, -1))
    usual_value = str(max(0, effect.value - rules.conditions[effect.name].falls))
    always = Option(f"{ALWAYS_PREFIX}{usual_value}", "option.falls_by_itself")
    detail, rule, options = f"<condition.{effect.name}>", _rule(rules, effect), (*values, always)
    return choice_ask(effect.id, "ask.falls_to", options, effect.target, detail, suggested=always.id, rule=rule)


def apply_values(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Set each condition to its confirmed value."""
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is None:
            continue
        if answer.chosen:
            change_value(tx, effect, int(answer.chosen[0]))
        else:
            tx.emit(Skipped(purpose="ask.falls_to", who=effect.target, detail=f"<condition.{effect.name}>"))


def change_value(tx: Transaction, effect: Effect, value: int, rule: str = "") -> None:
    """Change the value of an effect and report it. At 0 the effect ends."""
    rule = rule or _rule(tx.rules, effect)
    if value <= 0:
        effect_records.end_effect(tx, effect, rule)
    elif value != effect.value:
        effect_records.set_value(tx, effect, value)
        tx.emit(EffectUpdated(target=effect.target, name=effect.name, value=value, rule=rule))


def _rule(rules: RuleSystem, effect: Effect) -> str:
    condition = rules.conditions.get(effect.name)  # a level that only an environment knows has none
    return condition.ledger[0] if condition is not None and condition.ledger else rules.rule_id("effect.falls")


# Timed effects ---------------------------------------------------------------------------------------------------


def apply_timed_effect(tx: Transaction, effect: Effect, rule: str, lasts: str = "") -> None:
    """Apply a timed effect to its target. It replaces only an effect with the same name, source and creator.

    An effect with rules replaces another of its name, because the same effect doesn't count twice. An effect with
    a feature stays when this feature causes another of the same name.
    """
    like = (effect.source, effect.by)
    named = (other for other in tx.of(Effect, effect.target) if other.name == effect.name)
    same = (other for other in named if effect.leaves is not None or other.leaves is None)
    old = next((other for other in same if effect.rules or (other.source, other.by) == like), None)
    new = msgspec.structs.replace(effect, id=old.id if old else tx.next_id("effect"))
    if new.sustained and new.by and tx.get(Combatant, new.by) is not None:
        new = msgspec.structs.replace(new, ends=effect_records.ends_unless_sustained(tx, new.by))
    effect_records.begin_effect(tx, new, rule, lasts=lasts)


YES, NO = "yes", "no"
LIFT, LEAVE_DOOMED = "lift", "leave-doomed"


def start(tx: Transaction, procedure: Procedure, data: LingeringConditions, answers: Answers) -> Next:
    """Apply the lingering conditions, or offer them."""
    if not _still_due(tx, data):
        return None
    condition = tx.rules.conditions[data.condition]
    if not condition.external or tx.strictness == "enforce":
        _put_conditions(tx, data)
        return None
    options = (Option(YES, "option.yes"), Option(NO, "option.no"))
    granted = lingering_rules(tx, tx.rules, data.who, data.condition)
    also = ", ".join(lingering_rule.text or tx.rules.conditions[lingering_rule.what].name for lingering_rule in granted)
    question = choice_ask("brought", "ask.brought", options, data.who, also, rule=data.rule)
    subject = f"{tx.need(Combatant, data.who).label}: {condition.name}"
    ask(tx, procedure, "prompt.brought", [question], subject=subject, blocks=False)
    return goto(procedure, LINGERING_CONDITIONS.apply)


def apply(tx: Transaction, procedure: Procedure, data: LingeringConditions, answers: Answers) -> None:
    """Apply the lingering conditions, if the user chose to."""
    if YES in choices_of(answers, "brought") and _still_due(tx, data):
        _put_conditions(tx, data)


def _still_due(tx: Transaction, data: LingeringConditions) -> bool:
    return not is_out_of_play(tx, data.who) and data.condition in condition_names(tx, tx.rules, data.who)


def _put_conditions(tx: Transaction, data: LingeringConditions) -> None:
    for lingering_rule in lingering_rules(tx, tx.rules, data.who, data.condition):
        effect_records.put_condition(
            tx, data.who, lingering_rule.what, source=f"<condition.{data.condition}>", rule=data.rule
        )


def begin_lift_doom(tx: Transaction, who: str, source: str) -> None:
    """Ask whether to lift a combatant's doom, if `source` names magic that can."""
    if any(name in source.casefold() for name in tx.rules.data.dying.remedies) and _doom_of(tx, who) is not None:
        begin(tx, LIFT_DOOM.ask_lift, DoomRemedy(who, source))


def ask_lift(tx: Transaction, procedure: Procedure, data: DoomRemedy, answers: Answers) -> Procedure:
    """Ask whether to lift the doom."""
    options = (Option(LIFT, "option.lift_doom"), Option(LEAVE_DOOMED, "option.leave_doomed"))
    question = choice_ask("remedy", "ask.lift_doom", options, detail=data.source, rule=tx.rule_id("doomed.remedy"))
    ask(tx, procedure, "prompt.remedy", [question], subject=tx.need(Combatant, data.who).label)
    return goto(procedure, LIFT_DOOM.lift_doomed)


def lift_doomed(tx: Transaction, procedure: Procedure, data: DoomRemedy, answers: Answers) -> None:
    """Lift the doom, if the user chose to."""
    effect = _doom_of(tx, data.who)
    if effect is not None and LIFT in choices_of(answers, "remedy"):
        effect_records.end_effect(tx, effect, tx.rule_id("doomed.remedy"))


def _doom_of(tx: Transaction, who: str) -> Effect | None:
    return find_effect(tx, who, tx.role("doomed"))


def held_levels(lookup: Lookup, rules: RuleSystem, who: Members, condition: str) -> set[int]:
    """Return the levels of a condition that combatants have, to which one more is added. 0 if its levels don't add."""
    definition = rules.conditions.get(condition)
    if definition is None or not definition.stacks:
        return {0}
    return {effect_value(lookup, each, condition) for each in who}


@command(
    script="condition {targets} {condition:condition-or-name} [value {value}] [rules {rules}] [until {ends:duration}] "
    "[for {rounds} [by {by} | own turns {counted=affected}]] [ended by {save} {dc}] "
    "[held by {held_by}] [once {uses=1} | uses {uses}] [from {source}]"
)
class ApplyCondition(TargetsCommand, frozen=True):
    """Apply a condition to combatants. If it has levels, `value` sets the level (default: one higher).

    The fields from `by` on make it a timed effect and have the same meaning as in `Effect`. Without `by`, `rounds`
    count at the end of the target's turns. `condition` can also be any name, and `rules` the changes by this effect,
    in words (`+1d4 attack, saves`). It ends with the concentration of `held_by`, or after `uses` rolls. Without rules,
    the name of a spell or feature that leaves an effect, or of an effect in force, brings its rules, uses and end.
    """

    condition: field_specs.ConditionId
    value: field_specs.PositiveOrNone = 0
    ends: Duration = Duration()
    source: str = ""
    by: field_specs.CombatantId = ""
    rounds: field_specs.PositiveOrNone = 0
    counted: Literal["creator", "affected"] = "creator"
    sustained: bool = False
    save: field_specs.AbilityId = ""
    dc: field_specs.PositiveOrNone = 0
    due: Literal["", "turn-start", "turn-end"] = ""
    note: field_specs.Prose = ""
    rules: field_specs.Prose = ""
    held_by: field_specs.CombatantId = ""
    uses: field_specs.PositiveOrNone = 0

    def handle(self, tx: Transaction) -> None:
        """Apply the condition to each target."""
        require(not set("<>") & set(self.condition), "refused.no_brackets")
        own_rules = rules_from_words(self.rules, tx.rules)
        effects = () if own_rules or self.condition in tx.rules.conditions else known_effects(tx, tx.rules)
        known = LineWords(effects=effects).effect(self.condition)
        name = known.name if known is not None else self.condition
        source = name if self.held_by and not self.source else self.source
        held = [effect.source for effect in tx.of(Effect, self.held_by) if effect.name == tx.role("concentrating")]
        if self.held_by and source not in held:
            Concentrate(self.held_by, source).handle(tx)
        for who in require_targets(self.targets):
            if tx.need(Combatant, who).dead:
                tx.forbid("refused.target_dead", "", who=tx.need(Combatant, who).label)
            if known is not None:
                command = self._as(tx, known, who)
                command = msgspec.structs.replace(command, source=source)
                _apply_timed_effect(command, tx, who, "", known.rules, known.level)
                continue
            condition = tx.rules.conditions.get(self.condition)
            rule = condition.ledger[0] if condition and condition.ledger else ""
            if own_rules or self.held_by or self.uses or self.rounds or self.sustained or self.save or self.due:
                _apply_timed_effect(msgspec.structs.replace(self, source=source), tx, who, rule, own_rules)
                continue
            value, ends, source, by = self.value, self.ends, self.source, self.by
            effect_records.put_condition(
                tx, who, self.condition, value=value, ends=ends, source=source, by=by, rule=rule, is_level=True
            )
            if self.condition == tx.role("fatigue"):
                apply_doomed(tx, who)

    def _as(self, tx: Transaction, known: KnownEffect, who: str) -> ApplyCondition:
        """Return the command for a known effect: with its name, uses and text and, unless another is given, its end."""
        by, has_end = self.by or self.held_by, self.rounds or self.save or self.sustained or self.ends != Duration()
        rounds = self.rounds if has_end else known.rounds_in(scene_of(tx).round_seconds)
        own_end = effect_records.duration_of(tx, InflictedCondition("", known.ends), who, by=by)
        return msgspec.structs.replace(
            self,
            condition=known.name,
            uses=self.uses or known.uses,
            note=self.note or known.text or write_rules(known.rules, tx.rules),
            by=by,
            rounds=rounds,
            ends=self.ends if has_end or rounds else own_end,
        )


def begin_prepared_effect(tx: Transaction, text: str, who: str) -> None:
    """Begin an effect that is in force at the start, from its line. Lines that aren't understood do nothing.

    With `held`, the combatant itself concentrates, unless the line names another.
    """
    effect = read_effect(text, line_words(tx.rules, tx), tx.rules, scene_of(tx).round_seconds, as_typed=True)
    read, known, rest = effect.read, effect.known, RESTS.get(effect.read.lasts)
    if (
        not read.condition
        or read.unknown
        or effect.unknown_rule
        or (read.lasts == "save" and not (read.save and read.dc))
    ):
        return
    named = (each.id for each in tx.all(Combatant) if each.label.lower().startswith(effect.holder.lower()))
    holder = (next(named, "") if effect.holder else who) if effect.is_held else ""
    copy_fields(
        ApplyCondition,
        read,
        targets=(who,),
        value=read.level,
        ends=Duration(rest) if rest else Duration(),
        by=holder if read.lasts == "rounds" else "",
        rounds=read.turns,
        counted=read.counted,
        rules=known.words if known is not None else effect.rules,
        held_by=holder,
        uses=int(effect.is_once),
    ).handle(tx)


def rules_from_words(text: str, rules: RuleSystem) -> tuple[DataRule, ...]:
    """Return the rules that a person typed. Refuse a text with a word that isn't understood."""
    try:
        return read_rules(text, rules)
    except RuleWordsError as error:
        raise Refused("refused.no_rule", params={"what": str(error), "known": ", ".join(KNOWN)}) from None


def _apply_timed_effect(
    command: ApplyCondition, tx: Transaction, who: str, rule: str, rules: tuple[DataRule, ...], level: int = 0
) -> None:
    """Apply a timed effect to a combatant, unless it is immune to the condition."""
    require(command.rounds >= 0 and command.dc >= 0, "refused.negative")
    if keeps_out(tx, tx.rules, who, command.condition, command.by):
        effect_records.put_condition(tx, who, command.condition, by=command.by)  # this reports the immunity
        return
    condition = tx.rules.conditions.get(command.condition)
    effect = copy_fields(
        Effect,
        command,
        id="",
        target=who,
        name=command.condition,
        value=command.value or int(condition is not None and condition.valued),
        rounds_left=command.rounds,
        counted_on="affected" if command.rounds and not command.by else command.counted,
        reminder_at=command.due,
        note=command.note.strip() or command.rules.strip(),
        rules=rules,
        concentrator=command.held_by,
        uses_left=command.uses,
        level=level,
    )
    apply_timed_effect(tx, effect, rule)


@command(script="end effect {effect}")
class EndEffect(Command, frozen=True):
    """End an effect."""

    effect: field_specs.EffectId

    def handle(self, tx: Transaction) -> None:
        """End an effect by hand."""
        effect_records.end_effect(tx, tx.need(Effect, self.effect))


@command(script="effect note {effect} {text:rest}")
class SetEffectNote(Command, frozen=True):
    """Set an effect note, which replaces the text of its condition. An empty note restores the original text."""

    effect: field_specs.EffectId
    text: field_specs.Prose = ""

    def handle(self, tx: Transaction) -> None:
        """Set the note of an effect."""
        tx.update(tx.need(Effect, self.effect), note=self.text.strip())


CONTINUES, ENDED = "suffered", "ended"


def put_persistent_damage(tx: Transaction, given: Effect) -> None:
    """Apply the persistent damage of an effect to its target. The effect gets its id and name here.

    Damage from several sources adds up, unless the system keeps only the worst of each type. In a system that spares
    the immune, a target that is immune to all of its types doesn't get it.
    """
    target, damage = given.target, given.damage
    spared = tx.rules.data.turns.ongoing_spares_immune
    if spared and all(kind and count_sources(tx, target, "immune", kind) for kind in _kinds(damage)):
        rule, what = tx.rule_id("immunity.type"), f"<condition.{tx.role('ongoing')}>"
        tx.emit(Unaffected(who=target, what=what, reason="why.immune", rule=rule))
        return
    current = _same_types(tx, target, damage)
    if current is not None and parse(current.damage).mean >= parse(damage).mean:
        rule, what = tx.rule_id("ongoing.worst"), f"<condition.{tx.role('ongoing')}>"
        tx.emit(Unaffected(who=target, what=what, reason="why.greater_value", rule=rule))
        return
    if current is not None:
        effect_records.end_effect(tx, current, tx.rule_id("ongoing.worst"))
    effect = msgspec.structs.replace(given, id=tx.next_id("effect"), name=tx.role("ongoing"))
    effect_records.put_effect(tx, effect)
    rule = tx.rule_id("ongoing.end")
    tx.emit(EffectGained(target=target, name=effect.name, source=effect.source, damage=damage, rule=rule))


def _same_types(tx: Transaction, target: str, damage: str) -> Effect | None:
    """Return the target's persistent damage of the same types, if the system allows only one of each type."""
    kinds = _kinds(damage)
    if not tx.rules.data.turns.ongoing_worst or not all(kinds):
        return None
    effects = (effect for effect in tx.of(Effect, target) if effect.damage)
    return next((effect for effect in effects if _kinds(effect.damage) == kinds), None)


def _kinds(damage: str) -> tuple[str, ...]:
    return tuple(sorted(part.kind for part in parse(damage).parts))


def damaging_effects(lookup: Lookup, who: Members, moment: EndMoment) -> list[Effect]:
    """Return the effects that deal damage at a moment of these combatants' turn, to them or as their owners."""
    is_end = moment == "turn-end"
    turn_of = {"": "target", "owner-end": "by"} if is_end else {"turn-start": "target", "owner-start": "by"}
    return [
        effect
        for effect in lookup.all(Effect)
        if effect.damage
        and effect.damage_at in turn_of
        and getattr(effect, turn_of[effect.damage_at]) in who
        and not is_out_of_play(lookup, effect.target)
    ]


def begin_persistent_damage(tx: Transaction, who: Members, parent: str, moment: EndMoment = "turn-end") -> None:
    """Begin the damage of effects at the start or end of these combatants' turn."""
    effects = tuple(effect.id for effect in damaging_effects(tx, who, moment))
    if effects:
        begin(tx, PERSISTENT_DAMAGE.ask_ended, PersistentDamage(effects), parent)


def ask_ended(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> Procedure:
    """Ask whether the end condition of each effect is met."""
    rule = tx.rule_id("ongoing.end")
    options = (Option(CONTINUES, "option.suffered"), Option(ENDED, "option.ended"))
    asks = [
        choice_ask(one.id, "ask.ongoing_ended", options, one.target, f"{one.damage}: {one.end_condition}", rule=rule)
        for one in _effects(tx, data)
        if one.end_condition
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, data), rule=tx.rule_id("ongoing.timing"))
    return goto(procedure, PERSISTENT_DAMAGE.ask_damage)


def ask_damage(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> Procedure:
    """End the effects whose end condition was met, and ask for the damage of the others."""
    for effect in _effects(tx, data):
        if ENDED in choices_of(answers, effect.id):
            effect_records.end_effect(tx, effect, tx.rule_id("ongoing.end"))
    effects = _effects(tx, data)
    rule = tx.rule_id("ongoing.timing")
    asks = [
        Ask(ongoing.id, "roll", "ask.damage", ongoing.target, ongoing.source, RollSpec(ongoing.damage), rule=rule)
        for ongoing in effects
    ]
    ask(tx, procedure, "prompt.ongoing", asks, subject=_names(tx, data))
    data = msgspec.structs.replace(data, effects=tuple(ongoing.id for ongoing in effects))
    return goto(procedure, PERSISTENT_DAMAGE.apply_damage, data)


def apply_damage(tx: Transaction, procedure: Procedure, data: PersistentDamage, answers: Answers) -> None:
    """Deal the damage of each effect. Untyped damage ignores resistances and vulnerabilities."""
    for effect in _effects(tx, data):
        answer = answers.get(effect.id)
        if answer is None or answer.skipped or answer.roll is None or answer.roll.total is None:
            tx.emit(Skipped(purpose="ask.damage", who=effect.target, detail=effect.source))
            continue
        typed = any(part.kind for part in answer.roll.parts)
        rule = tx.rule_id("ongoing.typed" if typed else "ongoing.untyped")
        source = effect.source or f"<condition.{tx.role('ongoing')}>"
        damage = Damage(answer.roll.parts, source=source, roll=answer.roll, rule=rule)
        deal_damage(tx, effect.target, damage, procedure.id)


def _effects(tx: Transaction, data: PersistentDamage) -> list[Effect]:
    """Return the effects in the prompt that still exist and whose targets are in play."""
    effects = (tx.get(Effect, id) for id in data.effects)
    return [effect for effect in effects if effect is not None and not is_out_of_play(tx, effect.target)]


def _names(tx: Transaction, data: PersistentDamage) -> str:
    return labels_of(tx, (effect.target for effect in _effects(tx, data)))


@command(script="ongoing {targets} {damage} [until {until}] [from {source}]", manual="ongoing")
class ApplyPersistentDamage(TargetsCommand, frozen=True):
    """Apply persistent damage, dealt at the end of each of a combatant's turns. `until` describes when it ends."""

    damage: field_specs.DiceText
    until: str = ""
    source: str = ""

    def handle(self, tx: Transaction) -> None:
        """Apply the persistent damage to each target."""
        targets = require_targets(self.targets)
        require_dice_expression(self.damage)
        for who in targets:
            put_persistent_damage(tx, Effect("", who, "", self.source, damage=self.damage, end_condition=self.until))
