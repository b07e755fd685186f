"""The course of a fight: the start and end of a turn, phase by phase as listed by the rule system, and the end."""

from collections.abc import Mapping
from typing import Literal

from turnwright.encounter.field_specs import CombatantIds, SlotId
from turnwright.encounter.prepared import Reminder
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, Prompt, choice_ask
from turnwright.encounter.procedure_state.effects import LEAVING, SummonedCreatures
from turnwright.encounter.procedure_state.turns import (
    END_TURN_OFFER,
    LAIR_ACTIONS,  # noqa: F401 - its stage is `finish`
    NEXT_TURN,
    ROUND,
    TIED_TURN,
    TURN_END,
    TURN_START,
    EndTurnOffer,
    NextTurnChoice,
    RoundStart,
    TieForNextTurn,
    TurnEnd,
    TurnStart,
)
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, ShapeChange, Slot, Track, track_id
from turnwright.encounter.state import Lookup, active_slot, clock_of, is_out_of_play, scene_of, slot_of, slots_in_order
from turnwright.play.effects.conditions import count_down, expire_effects
from turnwright.play.kernel.events import Event, game_time, journal
from turnwright.play.kernel.scheduler import (
    Answers,
    Next,
    ask,
    begin,
    choices_of,
    close_prompt,
    data_of,
    goto,
    withdraw_asks,
)
from turnwright.play.kernel.transaction import (
    CombatantCommand,
    Command,
    Refused,
    Transaction,
    combatant_names,
    command,
    require,
    require_no_open_prompt,
)
from turnwright.play.movement import commanded_move, mounting
from turnwright.play.state import effect_records, hit_points, position_changes
from turnwright.play.table.game_master import SetSide
from turnwright.play.turn_order import initiative, surprise
from turnwright.play.turns.own_reminders import begin_lair_actions, begin_turn_reminders
from turnwright.play.turns.turn_phases import (
    AFTER_DELAY,
    END_PHASES,
    START_PHASES,
    TurnPhase,
    alive,
    fixed_order,
    option_ids,
    ordered,
    pending_phases,
)
from turnwright.rules.parts.combatants.facts import followers_of
from turnwright.rules.parts.movement.move_legs import control_conditions, riders_of
from turnwright.rules.system import labels_of


@journal("journal.round_started", kind="header", time="time")
class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is the game time so far in seconds."""

    round: int
    elapsed: int

    @property
    def time(self) -> str:
        """The game time so far, as text."""
        return game_time(self.elapsed)


@journal("journal.world_turn", kind="world", bookkeeping=True)
class WorldTurnStarted(Event, frozen=True):
    """The environment took its turn. `offers` pairs environments with their entries that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


@journal("journal.turn_started", kind="turn")
class TurnStarted(Event, frozen=True):
    """A turn began."""

    who: CombatantIds


TURN_OVER, CONTINUE_TURN = "turn-over", "linger"


# The next turn --------------------------------------------------------------------------------------------------


class RoundEnded(Event, frozen=True):
    """A round ended. `elapsed` includes this round."""

    round: int
    elapsed: int


@journal("journal.turn_delayed")
class TurnDelayed(Event, frozen=True):
    """A turn was delayed."""

    who: CombatantIds


@journal("journal.delay_lost")
class DelayLost(Event, frozen=True):
    """A delayed turn was lost, because its place in the order came up again."""

    who: CombatantIds


class TurnEnded(Event, frozen=True):
    """A turn ended."""

    who: CombatantIds


def begin_next_turn(tx: Transaction) -> None:
    """Begin the turn of the first slot that hasn't acted this round. If none is left, end the round."""
    if begin_lair_actions(tx):
        return
    if initiative.choosable_slots(tx, tx.rules):
        begin(tx, NEXT_TURN.ask_next, NextTurnChoice())
        return
    for slot in initiative.remaining_this_round(tx):
        if not (
            initiative.is_order_chosen(tx, tx.rules) or initiative.is_by_side(tx, tx.rules)
        ) and initiative.tied_with(tx, slot):
            begin(tx, TIED_TURN.ask_tied, TieForNextTurn(slot.id))
            return
        if initiative.has_member_present(tx, slot):
            begin_turn(tx, slot)
            return
        _pass_by(tx, slot)
    clock = tx.need(Clock, "clock")
    elapsed = clock.elapsed_seconds + scene_of(tx).round_seconds
    tx.update(clock, active="", elapsed_seconds=elapsed)
    tx.emit(RoundEnded(round=clock.round, elapsed=elapsed, rule=tx.rule_id("round.simultaneous")))
    begin_next_round(tx)


def finish(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Continue with the next turn after all lair actions at this count."""
    begin_next_turn(tx)


def _pass_by(tx: Transaction, slot: Slot) -> None:
    """Skip the turn of a slot without members in play, but end the effects that end on it."""
    for who in slot.members:
        effect_records.end_effects_at(tx, "turn-start", who)
        count_down(tx, (who,), "creator")
        expire_effects(tx, (who,), "turn-end")
    tx.update(slot, acted=True)  # combatants revived later have missed this turn


def ask_tied(tx: Transaction, procedure: Procedure, data: TieForNextTurn, answers: Answers) -> Procedure:
    """Ask for the order of tied combatants whose turn has come."""
    slot = tx.get(Slot, data.slot)
    slots = initiative.tied_with(tx, slot) if slot is not None else []
    return ask(
        tx, goto(procedure, TIED_TURN.after_tied), "prompt.tie", [initiative.order_ask(tx, slots)] if slots else []
    )


def after_tied(tx: Transaction, procedure: Procedure, data: TieForNextTurn, answers: Answers) -> None:
    """Set the chosen order permanently, and continue with the next turn."""
    slot = tx.get(Slot, data.slot)
    slots = initiative.tied_with(tx, slot) if slot is not None else []
    if slots:
        choice = next((answer.chosen for answer in answers.values()), ())
        rule = initiative.order_ask(tx, slots).rule
        initiative.apply_order(tx, slots, choice)
        order = tuple(who for place in slots_in_order(tx) for who in place.members if not is_out_of_play(tx, who))
        tx.emit(initiative.InitiativeOrderSet(who=order, rule=rule, bookkeeping=True))
    begin_next_turn(tx)


def ask_next(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask for the next turn, from the slots that haven't had theirs this round."""
    options = tuple(
        Option(slot.id, initiative.member_names(tx, slot)) for slot in initiative.choosable_slots(tx, tx.rules)
    )
    asks = [choice_ask("next", "ask.next_turn", options, rule=tx.rule_id("round.on-turn"))] if options else []
    return ask(tx, goto(procedure, NEXT_TURN.begin_chosen), "prompt.next_turn", asks)


def begin_chosen(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """Begin the chosen turn. If its combatants have left the fight, ask again."""
    slots = initiative.choosable_slots(tx, tx.rules)
    chosen = next((slot for slot in slots if slot.id in choices_of(answers, "next")), None)
    if chosen is not None:
        begin_turn(tx, chosen)
    elif choices_of(answers, "next") or not slots:
        begin_next_turn(tx)
    else:  # the choice was skipped
        begin_turn(tx, slots[0])


def begin_next_round(tx: Transaction) -> bool:
    """Begin the next round if any combatant can act in it. Return whether it began."""
    here = any(initiative.has_member_present(tx, slot) for slot in tx.all(Slot))
    if here:
        begin(tx, ROUND.begin_round, RoundStart())
    return here


# The start of a turn ---------------------------------------------------------------------------------------------


def begin_turn(tx: Transaction, slot: Slot) -> None:
    """Begin a slot's turn with its start phases. If the slot was still delaying, the delayed turn is lost."""
    tx.update(tx.need(Clock, "clock"), active=slot.id, end_declined=False)
    if slot.delay:
        slot = tx.update(slot, delay="")
        tx.emit(DelayLost(who=alive(tx, slot.members), rule=tx.rule_id("turn.delay")))
    effect_records.end_effects_at(tx, "turn")
    tx.emit(TurnStarted(who=alive(tx, slot.members), rule=tx.rule_id("round.on-turn")))
    begin_turn_reminders(tx, alive(tx, slot.members), "turn-start")
    if tx.rules.data.turns.order_chosen:
        begin(tx, TURN_START.ask_start_order, TurnStart(slot.id, tx.rules.data.turns.start))
        return
    for name in tx.rules.data.turns.start:
        START_PHASES[name].run(tx, slot.members, "")


def resume_turn(tx: Transaction, slot: Slot) -> None:
    """Begin a slot's delayed turn. Its start phases have already run."""
    tx.update(tx.need(Clock, "clock"), active=slot.id, end_declined=False)
    effect_records.end_effects_at(tx, "turn")
    tx.update(slot, delay="back")
    tx.emit(TurnStarted(who=alive(tx, slot.members), rule=tx.rule_id("turn.delay")))


def begin_joint_turn(tx: Transaction, slot: Slot, active: str) -> None:
    """Begin the turn of a slot within the active turn, with its start phases."""
    tx.update(slot, joined_to=active, acted=True)
    tx.emit(TurnStarted(who=alive(tx, slot.members), rule=tx.rule_id("turn.joined")))
    begin_turn_reminders(tx, alive(tx, slot.members), "turn-start")
    for name in tx.rules.data.turns.start:
        START_PHASES[name].run(tx, slot.members, "")


def start_joint_turn(tx: Transaction, procedure: Procedure, data: TurnStart, answers: Answers) -> None:
    """Begin the turn of a slot that joined the active one."""
    slot = tx.get(Slot, data.slot)
    if slot is not None:
        begin_joint_turn(tx, slot, slot.joined_to)


def ask_start_order(tx: Transaction, procedure: Procedure, data: TurnStart, answers: Answers) -> Procedure:
    """Ask for the order of the phases that have an effect, if there are several."""
    slot = tx.get(Slot, data.slot)
    steps = pending_phases(tx, START_PHASES, data.phases, slot.members) if slot is not None else ()
    _ask_order(tx, procedure, steps, "start")
    return goto(procedure, TURN_START.next_start_phase)


def next_start_phase(tx: Transaction, procedure: Procedure, data: TurnStart, answers: Answers) -> Next:
    """Run the next phase of the turn's start."""
    slot = tx.get(Slot, data.slot)
    steps = _as_answered(START_PHASES, data.phases, answers)
    if not steps or slot is None:
        return None
    START_PHASES[steps[0]].run(tx, slot.members, procedure.id)
    return goto(procedure, TURN_START.next_start_phase, phases=steps[1:])


def _ask_order(tx: Transaction, procedure: Procedure, steps: tuple[str, ...], moment: Literal["start", "end"]) -> None:
    if not steps:
        return
    rule, phases = tx.rule_id(f"turn.{moment}-order"), START_PHASES if moment == "start" else END_PHASES
    ids = option_ids(phases, steps)
    options = tuple(Option(id, f"option.step.{moment}.{name}") for name, id in ids.items())
    fixed = tuple((ids[later], ids[earlier]) for later, earlier in fixed_order(tx.rules, steps))
    question = Ask("order", "order", "ask.turn_steps", options=options, rule=rule, must_follow=fixed)
    ask(tx, procedure, f"prompt.turn_{moment}", [question], subject=_active(tx))


def _active(tx: Transaction) -> str:
    slot = active_slot(tx)
    return labels_of(tx, slot.members) if slot is not None else ""


def _as_answered(phases: Mapping[str, TurnPhase], listed: tuple[str, ...], answers: Answers) -> tuple[str, ...]:
    names = {id: name for name, id in option_ids(phases, listed).items()}
    return ordered(listed, tuple(names[id] for id in choices_of(answers, "order")))


# The end of a turn -----------------------------------------------------------------------------------------------


def end_turn(tx: Transaction, slot: Slot, next_slot: str = "") -> None:
    """Start ending a slot's turn. `next_slot` is the slot chosen to follow out of order, if any."""
    for offered in [procedure for procedure in tx.all(Procedure) if procedure.kind == END_TURN_OFFER.name]:
        close_prompt(tx, offered.id)
        tx.remove(offered)
    begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id, next_slot=next_slot))


def ask_end_order(tx: Transaction, procedure: Procedure, data: TurnEnd, answers: Answers) -> Procedure:
    """List the phases at the end of a turn, and ask for their order if the combatant can choose it."""
    slot = tx.need(Slot, data.slot)
    if not data.delays:
        begin_turn_reminders(tx, alive(tx, surprise.members_in_turn(tx, slot)), "turn-end", procedure.id)
    phases = tuple(
        name
        for name in tx.rules.data.turns.end
        if (name in AFTER_DELAY if slot.delay else not data.delays or name not in AFTER_DELAY)
    )
    _ask_order(tx, procedure, pending_phases(tx, END_PHASES, phases, surprise.members_in_turn(tx, slot)), "end")
    return goto(procedure, TURN_END.next_end_phase, phases=phases)


def next_end_phase(tx: Transaction, procedure: Procedure, data: TurnEnd, answers: Answers) -> Procedure:
    """Run the next phase of the turn's end."""
    slot = tx.get(Slot, data.slot)
    steps = _as_answered(END_PHASES, data.phases, answers)
    if not steps or slot is None:
        return goto(procedure, TURN_END.finish_turn)
    running = tx.put(goto(procedure, TURN_END.next_end_phase, phases=steps[1:]))
    END_PHASES[steps[0]].run(tx, surprise.members_in_turn(tx, slot), running.id)
    after = tx.need(Procedure, running.id)
    return after if data_of(after, TurnEnd).phases else goto(after, TURN_END.finish_turn)


def finish_turn(tx: Transaction, procedure: Procedure, data: TurnEnd, answers: Answers) -> None:
    """Close the turn. Begin the turn chosen by hand or the next in the order, or end the round."""
    slot = tx.need(Slot, data.slot)
    if data.delays:
        tx.emit(TurnDelayed(who=alive(tx, slot.members), rule=tx.rule_id("turn.delay")))
    else:
        tx.emit(TurnEnded(who=surprise.members_in_turn(tx, slot), rule=tx.rule_id("turn.nothing")))
    for member_slot in (slot, *surprise.joined_slots(tx, slot.id)):
        present = [combatant for who in member_slot.members if (combatant := tx.get(Combatant, who)) is not None]
        for combatant in present:
            tx.update(combatant, turns_ended=combatant.turns_ended + 1)
        if present:
            tx.update(member_slot, acted=True, joined_to="", delay="waiting" if data.delays else "")
        else:
            tx.remove(member_slot)
    clock = tx.need(Clock, "clock")
    if tx.get(Slot, clock.active) is None:  # the active combatant was removed, and the next turn may still be undecided
        tx.update(clock, active="")
    following = tx.get(Slot, data.next_slot) if data.next_slot else _takes_another(tx, data.slot)
    if following is not None and initiative.has_member_present(tx, following):
        (resume_turn if following.delay == "waiting" else begin_turn)(tx, following)
    else:
        begin_next_turn(tx)


def _takes_another(tx: Transaction, slot_id: str) -> Slot | None:
    """Return the slot whose turn has ended if it takes another turn at once, and count that turn."""
    slot = tx.get(Slot, slot_id)
    effects = [each for who in (slot.members if slot is not None else ()) for each in tx.of(Effect, who)]
    extra = next((each for each in effects if each.name == tx.role("extra-turns")), None)
    if extra is None:
        return None
    if extra.value > 1:
        effect_records.set_value(tx, extra, extra.value - 1)
    else:
        effect_records.end_effect(tx, extra)
    return slot


# When nothing is left to spend -----------------------------------------------------------------------------------


def ask_end_turn(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask whether the turn ends now. The prompt doesn't block anything."""
    options = (Option(TURN_OVER, "option.turn_over"), Option(CONTINUE_TURN, "option.linger"))
    question = choice_ask("over", "ask.turn_over", options, rule=tx.rule_id("turn.spent"))
    ask(tx, procedure, "prompt.turn_over", [question], subject=_active(tx), blocks=False)
    return goto(procedure, END_TURN_OFFER.apply_end_turn)


def apply_end_turn(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> None:
    """End the turn, or let it continue until the user ends it."""
    slot = active_slot(tx)
    if slot is not None and TURN_OVER in choices_of(answers, "over"):
        end_turn(tx, slot)
    else:
        tx.update(tx.need(Clock, "clock"), end_declined=True)


def offer_end_turn(tx: Transaction) -> bool:
    """Offer once to end the active turn when all its resources are spent. Return whether the offer was made now."""
    ending = [resource.id for resource in tx.rules.data.resources if resource.ends_turn]
    clock = clock_of(tx)
    if not ending or clock.phase != "rounds" or not clock.active or clock.end_declined:
        return False
    slot = tx.get(Slot, clock.active)
    here = (
        [who for who in surprise.members_in_turn(tx, slot) if not is_out_of_play(tx, who)] if slot is not None else []
    )
    if not here or any(tx.all(Procedure)) or not all(_is_spent(tx, who, ending) for who in here):
        return False
    begin(tx, END_TURN_OFFER.ask_end_turn, EndTurnOffer())
    return True


def _is_spent(lookup: Lookup, who: str, resources: list[str]) -> bool:
    """Return whether a combatant has none of these resources left."""
    tracks = [lookup.get(Track, track_id(who, name)) for name in resources]
    return all(track is not None and not track.value for track in tracks)


@command(script="end turn")
class EndTurn(Command, frozen=True):
    """End the active turn, even if actions or movement are left."""

    def subject(self, lookup: Lookup, /) -> str:
        """Return the names of the combatants whose turn it is."""
        slot = active_slot(lookup)
        return combatant_names(lookup, slot.members) if slot else ""

    def handle(self, tx: Transaction) -> None:
        """End the active turn unless a prompt blocks it. After the last turn a new round begins."""
        slot = active_slot(tx)
        require(clock_of(tx).phase == "rounds", "refused.no_turns_yet", rule=tx.rule_id("phase.two"))
        require_no_open_prompt(tx)
        if slot is not None:
            for who in slot.members:
                tx.forbid_by(commanded_move.stay_vetoes(tx, who))
                commanded_move.sprawl(tx, who)
            end_turn(tx, slot)
        elif any(tx.all(Procedure)) or not begin_next_round(tx):
            raise Refused("refused.nobody_active")


@command(script="go [to] {slot}")
class GoToTurn(Command, frozen=True):
    """Make a combatant's turn the active turn, regardless of the order."""

    slot: SlotId

    def handle(self, tx: Transaction) -> None:
        """End the active turn and begin another out of order. Combatants that haven't acted yet keep their turns."""
        require(clock_of(tx).phase == "rounds", "refused.no_turns_yet", rule=tx.rule_id("phase.two"))
        require_no_open_prompt(tx)
        slot, leaving = tx.need(Slot, self.slot), active_slot(tx)
        if leaving is None:
            raise Refused("refused.nobody_active")
        require(initiative.has_member_present(tx, slot), "refused.nobody_there")
        if slot.id != leaving.id:
            end_turn(tx, leaving, slot.id)


@command(script="join turn [{slot}]")
class JoinTurn(Command, frozen=True):
    """Add the next allies in the order to the active turn.

    `slot` is their place in the order.
    """

    slot: SlotId = ""

    def handle(self, tx: Transaction) -> None:
        """Add the next slot in the order to the active turn."""
        clock = clock_of(tx)
        if clock.phase != "rounds" or not clock.active:
            raise Refused("refused.no_turns_yet", rule=tx.rule_id("phase.two"))
        require_no_open_prompt(tx)
        slot = surprise.joinable_slot(tx, tx.rules)
        rule = tx.rule_id("turn.joined")
        if slot is None or (self.slot and self.slot != slot.id):
            raise Refused("refused.nobody_to_join", rule=rule)
        begin_joint_turn(tx, slot, clock.active)
        tx.emit(TurnsJoined(who=slot.members, rule=rule))


@journal("journal.turns_joined")
class TurnsJoined(Event, frozen=True):
    """Combatants joined the active turn."""

    who: CombatantIds


@command(script="delay")
class Delay(Command, frozen=True):
    """Delay the active turn before the combatant does anything."""

    def handle(self, tx: Transaction) -> None:
        """Delay the active turn, and begin the next one in the order."""
        slot = active_slot(tx)
        if slot is None:
            raise Refused("refused.nobody_active")
        require_no_open_prompt(tx)
        surprise.put_off_turn(tx, slot)


@command(script="return {slot}")
class ComeIn(Command, frozen=True):
    """End the active turn and take a delayed turn now. The combatant keeps this place in the order."""

    slot: SlotId

    def handle(self, tx: Transaction) -> None:
        """End the active turn, and begin the delayed one right after it."""
        slot, active = tx.need(Slot, self.slot), active_slot(tx)
        if active is None:
            raise Refused("refused.nobody_active")
        require(slot.delay == "waiting", "refused.not_delaying")
        require_no_open_prompt(tx)
        for who in active.members:
            tx.forbid_by(commanded_move.stay_vetoes(tx, who))
        placed = surprise.place_beside(tx, slot, active, after=True)
        tx.emit(
            initiative.InitiativeSet(
                who=placed.members[0], total=placed.count, how="delayed", rule=tx.rule_id("turn.delay")
            )
        )
        end_turn(tx, tx.need(Slot, active.id), placed.id)


@command(script="end")
class EndEncounter(Command, frozen=True):
    """End the fight, even if no side has won."""

    def handle(self, tx: Transaction) -> None:
        """End the fight and all effects that last until its end."""
        clock = clock_of(tx)
        require(clock.phase in ("set-up", "rounds"), "refused.not_running")
        for prompt in list(tx.all(Prompt)):
            tx.remove(prompt)
        for procedure in list(tx.all(Procedure)):
            tx.remove(procedure)
        effect_records.end_effects_at(tx, "encounter")
        hit_points.apply_pending_fatigue(tx)
        tx.update(clock, phase="ended", setup_step="", active="")
        tx.emit(EncounterEnded(round=clock.round, rule=tx.rule_id("endround.conclude")))


@journal("journal.encounter_ended")
class EncounterEnded(Event, frozen=True):
    """The fight ended."""

    round: int


@command(script="remove {who}")
class RemoveCombatant(CombatantCommand, frozen=True):
    """Remove a combatant and its open prompts from the fight."""

    def handle(self, tx: Transaction) -> None:
        """Remove a combatant, its tracks, effects and slot, and withdraw its prompts. Its riders dismount or fall."""
        who = self.who
        combatant = tx.need(Combatant, who)
        clock = tx.get(Clock, "clock")
        slot = slot_of(tx, who)
        after = _next_in_order(tx, slot, who) if slot is not None else Duration()
        if slot is not None and len(slot.members) > 1:
            initiative.remove_from_slot(tx, slot, who)
        withdraw_asks(tx, lambda ask: ask.who == who)
        effect_records.lose_concentration(tx, who)
        position_changes.end_movement_limited_effects(tx, who)
        for rider in riders_of(tx, who):
            mounting.dismount_rider(tx, rider.id, None)
        for follower in followers_of(tx, who):
            tx.update(tx.need(Combatant, follower.id), controller="")
        for track in tx.of(Track, who):
            tx.remove(track)
        for effect in list(tx.all(Effect)):
            if effect.target == who or (effect.by == who and effect.name in control_conditions(tx.rules)):
                tx.remove(effect)
            elif effect.sustained and effect.by == who:
                effect_records.end_effect(tx, effect, tx.rule_id("effect.sustained"))
            elif who in (effect.ends.who, effect.counts or effect.by):
                _count_on(tx, effect, who, after, slot.members if slot is not None else ())
        position_changes.forget_relations(tx, who)
        for reminder in tx.all(Reminder):
            if reminder.who == who and reminder.at in ("turn-start", "turn-end") and after.who:
                tx.update(reminder, who=after.who, at="turn-start")
        tx.remove(combatant)
        tx.discard(ShapeChange, who)
        tx.emit(CombatantRemoved(label=combatant.label))
        effect_records.release_held_effects(tx, who)
        if slot is None or len(slot.members) > 1:
            return
        if clock is not None and clock.active == slot.id:
            if not effect_records.is_turn_ending(tx):
                end_turn(tx, slot)
        else:
            tx.remove(slot)


def ask_leave(tx: Transaction, procedure: Procedure, data: SummonedCreatures, answers: Answers) -> Next:
    """Ask whether living creatures leave with the spell that brought them."""
    if not (who := _summoned(tx, data)):
        return None
    options = tuple(Option(id, f"option.summoned_{id}") for id in ("leave", "stay", "hostile"))
    question = choice_ask("outcome", "ask.summoned", options, detail=data.source)
    return ask(tx, goto(procedure, LEAVING.after_leave), "prompt.summoned", [question], subject=labels_of(tx, who))


def after_leave(tx: Transaction, procedure: Procedure, data: SummonedCreatures, answers: Answers) -> None:
    """Remove the summoned creatures if they leave, or make them enemies of all sides."""
    chosen, summoned = choices_of(answers, "outcome"), _summoned(tx, data)
    for who in summoned if "leave" in chosen or not answers else ():  # without a question, they are banished
        RemoveCombatant(who).handle(tx)
    if summoned and "hostile" in chosen:
        SetSide(summoned, "hostile to all").handle(tx)


def _summoned(lookup: Lookup, data: SummonedCreatures) -> tuple[str, ...]:
    return tuple(one.id for one in lookup.all(Combatant) if one.roster == data.roster and not one.dead)


def _next_in_order(tx: Transaction, slot: Slot, leaving: str) -> Duration:
    """Return the moment at which everything happens that depends on the turn of a combatant that leaves.

    It is the start of the next combatant's turn, or `never` if there is none. If the turn that comes next ends the
    active turn of the leaving combatant, it is skipped once. Combatants that share the slot keep its moments.
    """
    order = slots_in_order(tx)
    at = order.index(slot)
    for place in (*order[at:], *order[:at]):
        for who in place.members:
            if who != leaving:
                return Duration("turn-start", who, int(place is not slot and clock_of(tx).active == slot.id))
    return Duration()


def _count_on(tx: Transaction, effect: Effect, leaving: str, after: Duration, mates: tuple[str, ...]) -> None:
    """Count an effect on another's turns after its combatant left. Without another, it ends with the round."""
    ends, rounds = effect.ends, effect.rounds_left
    if ends.who == leaving:
        skip = ends.skip + (after.skip if ends.moment == "turn-start" else 0)
        moment = ends.moment if after.who in mates else after.moment
        ends = Duration(moment, after.who, skip) if after.who else Duration("world")
    elif rounds and effect.counted_on == "creator":
        ends, rounds = (ends, rounds + after.skip) if after.who else (Duration("world"), rounds)
    tx.update(effect, ends=ends, rounds_left=rounds, counts=after.who if rounds else "")


@journal("journal.left", who="label")
class CombatantRemoved(Event, frozen=True):
    """A combatant was removed from the fight."""

    label: str
