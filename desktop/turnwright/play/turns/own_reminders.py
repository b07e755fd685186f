"""Reminders, triggered features, legendary and lair actions, and recharging.

Reminders written by the game master: finding those due in a round, on a turn or after a step, and showing them.

Triggers at the start and end of a turn: features that depend on them, and reminders.

Legendary actions, lair actions, and features of creatures that recharge.

Legendary actions are offered at the end of other creatures' turns, and lair actions at an initiative count, only to
conscious creatures that can act. A feature recharges with a roll at the start of its owner's turn, if it is spent and
the owner is conscious.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from turnwright.dice.expression import RollSpec
from turnwright.encounter import field_specs, state
from turnwright.encounter.prepared import Creature, Feature, Reminder, ReminderMoment
from turnwright.encounter.procedure_state import Procedure, kinds
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import MADE, Ask, Option, choice_ask
from turnwright.encounter.procedure_state.attacks import (
    ATTACK,
    FEATURE_TRIGGER,
    SAVE_EFFECT,
    AttackInProgress,
    FeatureTrigger,
    SaveEffect,
    TriggeredFeature,
)
from turnwright.encounter.procedure_state.turns import (
    FEATURE_REST,
    LAIR_ACTION,
    LAIR_ACTIONS,
    LEGENDARY_ACTION,
    OWN_REMINDER,
    RECHARGE,
    REMINDER,
    TURN_TRIGGER,
    DueReminders,
    FeatureRest,
    LairActions,
    OffTurnAction,
    RechargeRolls,
    TurnReminders,
    TurnTrigger,
)
from turnwright.encounter.running import (
    ArrivedWave,
    Clock,
    Combatant,
    CountdownPool,
    Effect,
    GuestCreature,
    LastingArea,
    ReminderShown,
    Slot,
    Track,
    track_id,
)
from turnwright.play.asking.declaration import begin_action
from turnwright.play.attacks.attack_request import AttackFailed, attack_vetoes
from turnwright.play.attacks.save_effect import concerned
from turnwright.play.damage.damage_consequences import begin_unhealed
from turnwright.play.effects import concentration, conditions
from turnwright.play.environment.map_changes import drift_areas
from turnwright.play.kernel.events import CombatantEvent, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, choices_of, data_of, goto
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state import action_economy, effect_records, events, position_changes
from turnwright.play.table.game_master import NoteAdded
from turnwright.play.turn_order.initiative import has_member_present, is_order_chosen, remaining_this_round
from turnwright.rules.parts.actions import action_options, how_features_play, spell_features
from turnwright.rules.parts.actions.triggered_features import (
    TRAIT,
    affecting,
    does_something,
    entered_areas,
    entering_features,
    only_reminds,
    out_of_range_vetoes,
    triggered,
)
from turnwright.rules.parts.attacks.attack_targeting import requirement_vetoes, targeting_vetoes
from turnwright.rules.parts.combatants.facts import cannot_act, waiting_features
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.positions.geometry import is_in_area
from turnwright.rules.system import Hook, HookContext, RuleSystem, creature_of, label_of, labels_of, run_hooks

APPLIED, WAIVED = "applied", "waived"
TurnMoment = Literal["turn-start", "turn-end"]


# Triggered features --------------------------------------------------------------------------------------------


def triggered_features(lookup: state.Lookup, rules: RuleSystem, who: str, moment: TurnMoment) -> list[Feature]:
    """Return features, other than automatic ones, that a combatant can use and pay for at this moment of its turn."""
    if cannot_act(lookup, who):
        return []
    features = waiting_features(lookup, who, moment)
    if not features:
        return []
    waiting = {trigger.feature for trigger in triggered(lookup, rules, who, moment, HookContext(who, "turn"))}
    return [
        feature
        for feature in features
        if feature.id in waiting
        and not _is_begun(feature)
        and (feature.cost == TRAIT or not limited_uses.denial_vetoes(lookup, rules, who, feature.cost))
        and (
            feature.cost in (TRAIT, action_options.FREE)
            or not limited_uses.spending_vetoes(lookup, rules, who, feature.cost, feature.price)
        )
    ]


def _is_begun(feature: Feature) -> bool:
    """Return whether a feature acts or reminds automatically when triggered, so it needn't be chosen."""
    return does_something(feature) or only_reminds(feature)


def acting_features(
    lookup: state.Lookup, rules: RuleSystem, who: str, moment: TurnMoment
) -> tuple[TriggeredFeature, ...]:
    """Return a combatant's features that act or remind automatically at this moment of its turn."""
    acting = {feature.id for feature in waiting_features(lookup, who, moment) if _is_begun(feature)}
    if not acting:
        return ()
    triggers = triggered(lookup, rules, who, moment, HookContext(who, "turn"))
    return tuple(trigger for trigger in triggers if trigger.feature in acting)


def begin_triggers(tx: Transaction, who: conditions.Members, moment: TurnMoment, parent: str) -> None:
    """Begin each combatant's automatic features at this moment, and offer one of its other features."""
    for member in who:
        waiting = begin_unhealed(tx, member, parent) if moment == "turn-start" else parent
        acting = acting_features(tx, tx.rules, member, moment)
        if acting:
            begin(tx, FEATURE_TRIGGER.ask_use, FeatureTrigger(moment, acting), waiting)
        if triggered_features(tx, tx.rules, member, moment):
            begin(tx, TURN_TRIGGER.ask_trigger, TurnTrigger(member, moment), waiting)


def ask_trigger(tx: Transaction, procedure: Procedure, data: TurnTrigger, answers: Answers) -> Procedure:
    """Ask which feature a combatant uses, if any."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-trigger")
    options = [
        Option(feature.id, feature.name, feature.rules_text)
        for feature in triggered_features(tx, tx.rules, data.who, data.moment)
    ]
    choices = (*options, Option(action_economy.PASS, "option.pass"))
    question = choice_ask("which", "ask.triggered", choices, data.who, suggested=action_economy.PASS, rule=rule)
    ask(tx, procedure, "prompt.triggered", [question] if options else [], subject=label_of(tx, data.who))
    return goto(procedure, TURN_TRIGGER.use_trigger)


def use_trigger(tx: Transaction, procedure: Procedure, data: TurnTrigger, answers: Answers) -> None:
    """Use the chosen feature."""
    usable = {triggered_feature.id for triggered_feature in triggered_features(tx, tx.rules, data.who, data.moment)}
    for id in choices_of(answers, "which"):
        if id in usable:
            begin_action(tx, ActionInProgress(data.who, id), procedure.parent)


# Reminders ------------------------------------------------------------------------------------------------------


def due_reminders(lookup: state.Lookup, rules: RuleSystem, who: conditions.Members, moment: str) -> list[Effect]:
    """Return the reminders due at this moment of a turn, and the effects that end with it on idle targets."""
    return [
        effect
        for effect in conditions.effects_in_play(lookup, who)
        if effect.reminder_at == moment or (moment == "turn-end" and effect_records.is_idle(lookup, rules, effect))
    ]


def begin_reminders(tx: Transaction, who: conditions.Members, moment: TurnMoment, parent: str) -> None:
    """Begin asking whether each due reminder was applied or skipped."""
    due = tuple(due_reminder.id for due_reminder in due_reminders(tx, tx.rules, who, moment))
    if due:
        begin(tx, REMINDER.ask_reminders, TurnReminders(moment, due), parent)


def ask_reminders(tx: Transaction, procedure: Procedure, data: TurnReminders, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    endings = (Option(APPLIED, "option.ends"), Option(WAIVED, "option.goes_on"))
    effects = [effect for id in data.effects if (effect := tx.get(Effect, id)) is not None]
    asks = [
        choice_ask(effect.id, "ask.idle", endings, effect.target, f"<condition.{effect.name}>", suggested=APPLIED)
        if effect_records.is_idle(tx, tx.rules, effect)
        else choice_ask(effect.id, "ask.due_note", options, effect.target, _text(effect), rule=rule)
        for effect in effects
    ]
    subject = labels_of(tx, (effect.target for effect in effects))
    return ask(tx, goto(procedure, REMINDER.record_reminders), "prompt.due_note", asks, subject=subject)


def record_reminders(tx: Transaction, procedure: Procedure, data: TurnReminders, answers: Answers) -> None:
    """Record which reminders were applied and which were skipped."""
    rule = tx.rule_id(f"turn.{data.moment.removeprefix('turn-')}-note")
    for id, answer in answers.items():
        effect = tx.get(Effect, id)
        if effect is None:
            continue
        if effect_records.is_idle(tx, tx.rules, effect):
            if APPLIED in answer.chosen:
                effect_records.end_effect(tx, effect)
        elif APPLIED in answer.chosen:
            tx.emit(NoteAdded(text=_text(effect), rule=rule))
        else:
            tx.emit(events.Skipped(purpose="ask.due_note", who=effect.target, detail=_text(effect)))


def _text(effect: Effect) -> str:
    return effect.note or effect.source or f"<condition.{effect.name}>"


HitPointTest = Callable[[Combatant], bool]
_HIT_POINTS: Mapping[str, HitPointTest] = {
    "half": lambda one: one.hp_max > 0 and 2 * one.hp <= one.hp_max,
    "drops": lambda one: one.dead or (one.hp_max > 0 and one.hp <= 0),
    "dies": lambda one: one.dead,
}


def begin_round_reminders(tx: Transaction, parent: str) -> None:
    """Show the reminders for this round. The round waits for them."""
    _begin(tx, [reminder for reminder in _waiting(tx) if reminder.at == "round"], parent)


def begin_turn_reminders(tx: Transaction, who: Iterable[str], moment: ReminderMoment, parent: str = "") -> None:
    """Show reminders at the start or end of these combatants' turns, including those of lasting areas they are in."""
    members = [tx.need(Combatant, id) for id in who]
    for member in members if moment == "turn-start" else ():
        drift_areas(tx, member.id)
    due = [
        each for each in _waiting(tx) if each.at == moment and any(_is_meant(each, combatant) for combatant in members)
    ]
    areas = [
        (area, member.id)
        for area in state.standing_areas(tx)
        if area.reminds == moment
        for member in members
        if is_in_area(tx, tx.rules, member.id, area)
    ]
    _begin(tx, due, parent, areas)


def begin_event_reminders(tx: Transaction) -> bool:
    """Show reminders of changes in this step (hit points, countdowns, waves, areas). Return whether any was due."""
    watched, entered = [one for one in _waiting(tx) if one.at not in ("round", "turn-start", "turn-end")], _entered(tx)
    hurts = position_changes.begin_entered(
        tx, (due for area, who in entered for due in entered_areas(tx, tx.rules, area, who, moved=_has_moved(tx, who)))
    )
    areas = [(area, who) for area, who in entered if area.reminds == "entering"]
    return _begin(tx, [one for one in watched if _has_happened(tx, one)], areas=areas) or hurts


def _entered(tx: Transaction) -> list[tuple[LastingArea, str]]:
    """Return lasting areas that a combatant entered in this step, or that spread over it."""
    if state.clock_of(tx).phase != "rounds":
        return []
    return [
        (area, combatant.id)
        for area in state.standing_areas(tx)
        if area.reminds == "entering" or any(entering_features(tx, area))
        for combatant in tx.all(Combatant)
        if is_in_area(tx, tx.rules, combatant.id, area) and not position_changes.was_in(tx, combatant.id, area)
    ]


def _has_moved(tx: Transaction, who: str) -> bool:
    before = tx.base.get(Combatant, who)
    return before is None or before.position != tx.need(Combatant, who).position


def _waiting(tx: Transaction) -> list[Reminder]:
    """Return the reminders that may be shown in this round."""
    clock = state.clock_of(tx)
    if clock.phase != "rounds":
        return []
    return [
        reminder
        for reminder in tx.all(Reminder)
        if reminder.round <= clock.round and (reminder.each_time or tx.get(ReminderShown, reminder.id) is None)
    ]


def _begin(
    tx: Transaction, due: list[Reminder], parent: str = "", areas: list[tuple[LastingArea, str]] | None = None
) -> bool:
    current_round = state.clock_of(tx).round
    for reminder in due:
        tx.put(ReminderShown(reminder.id, current_round))
    entered = tuple((area.id, who) for area, who in areas or ())
    if due or entered:
        begin(tx, OWN_REMINDER.ask_own_reminders, DueReminders(tuple(reminder.id for reminder in due), entered), parent)
    return bool(due or entered)


def _is_meant(reminder: Reminder, combatant: Combatant) -> bool:
    return reminder.who in ("", combatant.id, combatant.roster, combatant.side)


def _has_happened(tx: Transaction, reminder: Reminder) -> bool:
    """Return whether the event of a reminder has happened in the current step."""
    if reminder.at == "countdown":
        previous, current = tx.base.get(CountdownPool, reminder.countdown), tx.get(CountdownPool, reminder.countdown)
        return bool(previous and current and previous.dice > reminder.dice >= current.dice)
    if reminder.at == "wave":
        return tx.base.get(ArrivedWave, reminder.wave) != tx.get(ArrivedWave, reminder.wave) is not None
    is_so = _HIT_POINTS[reminder.at]
    return any(
        is_so(combatant) and (before := tx.base.get(Combatant, combatant.id)) is not None and not is_so(before)
        for combatant in tx.all(Combatant)
        if _is_meant(reminder, combatant)
    )


def ask_own_reminders(tx: Transaction, procedure: Procedure, data: DueReminders, answers: Answers) -> Procedure:
    """Ask whether each reminder was applied or skipped."""
    options = (Option(APPLIED, "option.applied"), Option(WAIVED, "option.waived"))
    due = [reminder for id in data.reminders if (reminder := tx.get(Reminder, id)) is not None]
    asks = [choice_ask(reminder.id, "ask.own_reminder", options, detail=_reminder_text(reminder)) for reminder in due]
    for area, who in data.areas:
        asks.append(choice_ask(f"{area}/{who}", "ask.in_area", options, who, detail=_area_name(tx, area)))
    return ask(tx, goto(procedure, OWN_REMINDER.record_own_reminders), "prompt.own_reminder", asks)


def record_own_reminders(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Note in the journal which reminders were applied and which were skipped."""
    for id, answer in answers.items():
        reminder = tx.get(Reminder, id)
        area, _, who = id.partition("/")
        if who:
            combatant = tx.get(Combatant, who)
            text = f"{combatant.label}: {_area_name(tx, area)}" if combatant is not None else _area_name(tx, area)
            skipped = events.Skipped(purpose="ask.due_note", detail=text)
            tx.emit(NoteAdded(text=text, rule="") if APPLIED in answer.chosen else skipped)
        elif reminder is not None and APPLIED in answer.chosen:
            tx.emit(NoteAdded(text=_reminder_text(reminder), rule=""))
        elif reminder is not None:
            tx.emit(events.Skipped(purpose="ask.due_note", detail=_reminder_text(reminder)))


def _area_name(tx: Transaction, area: str) -> str:
    record = tx.get(LastingArea, area)
    return record.name if record is not None else area


def _reminder_text(reminder: Reminder) -> str:
    return reminder.text or reminder.id


LAIR = "lair"


@journal("journal.feature_spent", what="feature")
class FeatureRechargeRolled(CombatantEvent, frozen=True):
    """The recharge of a spent feature was rolled. `face` is None if the outcome was entered."""

    feature: str
    recharged: bool
    face: int | None = None
    needed: field_specs.PositiveOrNone = 0

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the result and on whether its numbers are known."""
        key = "journal.feature_back" if self.recharged else "journal.feature_spent"
        return key if self.face and self.needed else f"{key}_unsaid"


def is_conscious(lookup: state.Lookup, who: str) -> bool:
    """Return whether a combatant is in play and above 0 hit points, so that it can be offered actions."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not state.is_out_of_play(lookup, who) and combatant.hp > 0


def begin_recharges(tx: Transaction, who: str) -> None:
    """Begin the recharge rolls for a creature's spent features at the start of its turn."""
    spent = limited_uses.awaiting_recharge(tx, who) if is_conscious(tx, who) else ()
    if spent:
        begin(tx, RECHARGE.ask_rolls, RechargeRolls(who, tuple(feature.id for feature in spent)))


def ask_rolls(tx: Transaction, procedure: Procedure, data: RechargeRolls, answers: Answers) -> Next:
    """Ask for a die roll for each spent feature."""
    spec = RollSpec(tx.rules.data.turns.recharge_die)
    asks = [
        Ask(feature.id, "roll", "ask.recharge", data.who, feature.name, spec, feature.recharge)
        for feature in _features(tx, data.who)
        if feature.id in data.features
    ]
    if not asks:
        return None
    return ask(tx, goto(procedure, RECHARGE.apply), "prompt.recharge", asks, subject=tx.need(Combatant, data.who).label)


def apply(tx: Transaction, procedure: Procedure, data: RechargeRolls, answers: Answers) -> None:
    """Recharge the features whose rolls were high enough."""
    for feature in _features(tx, data.who):
        answer = answers.get(feature.id)
        if answer is None or answer.skipped:
            continue
        face = answer.roll.total if answer.roll else None
        is_recharged = MADE in answer.chosen or (face is not None and face >= feature.recharge)
        if is_recharged:
            name = f"recharge.{feature.id}"
            tx.put(Track(track_id(data.who, name), data.who, name, 1, 1))
        who, name, needed = data.who, feature.name, feature.recharge
        tx.emit(FeatureRechargeRolled(who=who, feature=name, recharged=is_recharged, face=face, needed=needed))


@journal("journal.feature_rests", what="feature")
class FeatureRestBegun(CombatantEvent, frozen=True):
    """A combatant can't use a feature again for some rounds."""

    feature: str
    rounds: int


def ask_rounds(tx: Transaction, procedure: Procedure, data: FeatureRest, answers: Answers) -> Next:
    """Ask for the number of rounds for which a feature can't be used again."""
    feature = next((feature for feature in _features(tx, data.who) if feature.id == data.feature), None)
    if feature is None or not feature.rests:
        return None
    asks = [Ask("rounds", "roll", "ask.feature_rests", data.who, feature.name, RollSpec(feature.rests))]
    subject = tx.need(Combatant, data.who).label
    return ask(tx, goto(procedure, FEATURE_REST.begin_rest), "prompt.recharge", asks, subject=subject)


def begin_rest(tx: Transaction, procedure: Procedure, data: FeatureRest, answers: Answers) -> None:
    """Begin the effect during which a feature can't be used again. The rounds end at the starts of its owner's turns."""
    who, answer = data.who, answers.get("rounds")
    feature = next((feature for feature in _features(tx, who) if feature.id == data.feature), None)
    rounds = answer.roll.total if answer is not None and answer.roll is not None else None
    if feature is None or tx.get(Combatant, who) is None or not rounds or rounds < 1:
        return
    old = next((effect.id for effect in tx.of(Effect, who) if effect.rests == feature.id), "")
    name, id = feature.name, old or tx.next_id("effect")
    tx.put(Effect(id, who, name, name, by=who, rounds_left=rounds, rests=feature.id))
    tx.emit(FeatureRestBegun(who=who, feature=name, rounds=rounds))


def _features(lookup: state.Lookup, who: str) -> tuple[Feature, ...]:
    combatant = lookup.get(Combatant, who)
    return creature_of(lookup, combatant).features if combatant else ()


def can_act(tx: Transaction, who: str) -> bool:
    """Return whether a combatant is conscious and able to act."""
    if not is_conscious(tx, who):
        return False
    return not run_hooks(tx, tx.rules, Hook.ACTION_DECLARED, HookContext(who, "action")).vetoes


def begin_legendary_actions(tx: Transaction, ended: tuple[str, ...], parent: str = "") -> None:
    """Offer legendary actions at the end of a turn to other creatures that have some left."""
    blocks = [*tx.all(Creature), *tx.all(GuestCreature)]
    legendary = {
        block.id for block in blocks if any(feature.cost == limited_uses.LEGENDARY for feature in block.features)
    }
    for who in [combatant.id for combatant in tx.all(Combatant) if combatant.creature in legendary]:
        if who not in ended and is_conscious(tx, who) and limited_uses.affordable_legendary_actions(tx, tx.rules, who):
            begin(tx, LEGENDARY_ACTION.ask_action, OffTurnAction(who), parent)


def available_actions(lookup: state.Lookup, rules: RuleSystem, who: str, kind: str) -> tuple[Feature, ...]:
    """Return the legendary or lair actions that a creature may take now."""
    is_legendary = kind == LEGENDARY_ACTION.name
    return (limited_uses.affordable_legendary_actions if is_legendary else available_lair_actions)(lookup, rules, who)


def ask_action(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> Next:
    """Ask which legendary or lair action a creature takes, if any."""
    who = data.who
    available, is_able = available_actions(tx, tx.rules, who, procedure.kind), can_act(tx, who)
    usable = (one for one in available if is_able or how_features_play.WHILE_HELPLESS in one.properties)
    able = (one for one in usable if not (one.when and _is_aimed(one)) or _targets(tx, procedure, who, one))
    options = tuple(Option(one.id, one.name, one.text) for one in able)
    if not options:
        return None
    choices = (*options, Option(action_economy.PASS, "option.pass"))
    question = choice_ask("which", f"ask.{procedure.kind}", choices, who, suggested=action_economy.PASS)
    ask(tx, procedure, f"prompt.{procedure.kind}", [question], subject=tx.need(Combatant, who).label)
    return goto(procedure, _kind_of(procedure).ask_targets)


def ask_targets(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> Next:
    """Spend the cost of the chosen action, and ask for its targets."""
    feature = _available(tx, procedure, data.who, choice_of(answers, "which", action_economy.PASS))
    if feature is None or not (can_act(tx, data.who) or how_features_play.WHILE_HELPLESS in feature.properties):
        return None
    asks_itself = (feature.area or feature.targets) and concerned(tx, SaveEffect((data.who,), feature))
    if asks_itself or not _is_aimed(feature):
        _do(tx, procedure, feature, (data.who,) * (feature.range == spell_features.SELF))
        return None
    options = tuple(Option(each.id, each.label) for each in _targets(tx, procedure, data.who, feature))
    if not options:
        tx.emit(AttackFailed(who=data.who, weapon=feature.name, reason="why.nobody_in_reach"))
        return None
    most = 1 if feature.attack is not None else feature.targets
    question = Ask("who", "targets", "ask.targets_one", data.who, options=options, max_choices=most)
    ask(tx, procedure, f"prompt.{procedure.kind}", [question], subject=feature.name)
    return goto(procedure, _kind_of(procedure).resolve, OffTurnAction(data.who, feature.id))


def resolve(tx: Transaction, procedure: Procedure, data: OffTurnAction, answers: Answers) -> None:
    """Carry out the action on the chosen targets. If there are none, the action isn't used."""
    feature = _available(tx, procedure, data.who, data.feature)
    targets = choices_of(answers, "who")
    if feature is not None and targets and can_act(tx, data.who):
        _do(tx, procedure, feature, targets)


def _available(tx: Transaction, procedure: Procedure, who: str, id: str) -> Feature | None:
    return next((action for action in available_actions(tx, tx.rules, who, procedure.kind) if action.id == id), None)


def _kind_of(procedure: Procedure) -> kinds.ProcedureKind:
    return LEGENDARY_ACTION if procedure.kind == LEGENDARY_ACTION.name else LAIR_ACTION


def _is_aimed(feature: Feature) -> bool:
    return feature.range != spell_features.SELF and (feature.attack is not None or bool(affecting(feature)))


def _targets(tx: Transaction, procedure: Procedure, who: str, feature: Feature) -> list[Combatant]:
    """Return the living targets that a legendary or lair action can reach."""
    others = (each for each in tx.all(Combatant) if each.id != who and not each.dead)
    return [each for each in others if _can_reach(tx, procedure, feature, each.id)]


def _can_reach(tx: Transaction, procedure: Procedure, feature: Feature, target: str) -> bool:
    """Return whether an action can target a combatant. The game master chooses those in an area."""
    who = data_of(procedure, OffTurnAction).who
    if feature.attack is None:
        vetoes = (requirement_vetoes, out_of_range_vetoes)
        return bool(feature.area) or not any(veto(tx, tx.rules, who, feature, target) for veto in vetoes)
    assault = AttackInProgress(who, feature, target, purpose=procedure.kind)
    if procedure.kind == LEGENDARY_ACTION.name:
        return not attack_vetoes(tx, tx.rules, assault)
    return not targeting_vetoes(tx, tx.rules, assault)


def _do(tx: Transaction, procedure: Procedure, feature: Feature, targets: tuple[str, ...]) -> None:
    who, parent = data_of(procedure, OffTurnAction).who, procedure.parent
    if procedure.kind == LEGENDARY_ACTION.name:
        action_economy.spend_use(tx, who, limited_uses.LEGENDARY, feature.name, feature.price)
    else:
        _set_mark(tx, who, f"{LAIR}.{feature.id}")
    action_economy.spend_use(tx, who, limited_uses.use_key(feature), feature.name)
    if feature.attack is not None and targets:
        begin(tx, ATTACK.declare, AttackInProgress(who, feature, targets[0], purpose=procedure.kind), parent)
        return
    if feature.concentration:
        concentration.concentrate(tx, who, feature.name)
    onslaught = SaveEffect((who,), feature, targets, save=feature.save, dc=feature.dc, half_on_save=feature.half)
    begin(tx, SAVE_EFFECT.ask_place, onslaught, parent)


# Lairs ------------------------------------------------------------------------------------------------------------


def begin_lair_actions(tx: Transaction) -> bool:
    """Offer lair actions at their initiative count, after all combatants at that count. Return whether any is offered.

    If the next to act is chosen, they are offered at the start of the round. A parent procedure waits for their effects, and then continues the turn order.
    """
    count, clock = tx.rules.data.initiative.lair, tx.need(Clock, "clock")
    chosen = is_order_chosen(tx, tx.rules)
    if not count or (
        not chosen and any(slot.count < count and (slot.acted or slot.id == clock.active) for slot in tx.all(Slot))
    ):
        return False
    following = next((slot for slot in remaining_this_round(tx) if has_member_present(tx, slot)), None)
    if not chosen and following is not None and following.count >= count:
        return False
    fresh = [each.id for each in tx.all(Combatant) if _mark(tx, each.id, LAIR) != clock.round and _has_lair(tx, each)]
    for who in fresh:
        _set_mark(tx, who, LAIR)
    able = [who for who in fresh if available_lair_actions(tx, tx.rules, who) and can_act(tx, who)]
    if not able:
        return False
    tx.update(clock, active="")
    over = begin(tx, LAIR_ACTIONS.finish, LairActions())
    for who in reversed(able):
        begin(tx, LAIR_ACTION.ask_action, OffTurnAction(who), over.id)
    return True


def available_lair_actions(lookup: state.Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return a creature's lair actions that weren't used in the previous round."""
    before = state.clock_of(lookup).round - 1
    features = creature_of(lookup, lookup.need(Combatant, who)).features
    unused = (
        feature for feature in features if feature.cost == LAIR and _mark(lookup, who, f"{LAIR}.{feature.id}") != before
    )
    available = (action for action in unused if is_there(lookup, rules, who, action))
    return tuple(
        action
        for action in available
        if not limited_uses.use_key(action) or limited_uses.remaining_uses(lookup, who, limited_uses.use_key(action))
    )


def _has_lair(lookup: state.Lookup, combatant: Combatant) -> bool:
    return any(feature.cost == LAIR for feature in creature_of(lookup, combatant).features)


def _mark(lookup: state.Lookup, who: str, name: str) -> int | None:
    """Return the round stored in a creature's mark, or None if it has no such mark."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else None


def _set_mark(tx: Transaction, who: str, name: str) -> None:
    tx.put(Track(track_id(who, name), who, name, tx.need(Clock, "clock").round))
