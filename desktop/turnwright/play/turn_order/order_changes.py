"""Changes to the turn order: moved slots, delayed turns, joint turns, and knocked-out combatants.

Initiative by command: rolling it, entering totals, its check, and who acts first.
"""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CheckId, CombatantId, CombatantIds, SlotId
from turnwright.encounter.lookups import active_slot, clock_of, track_value
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import AskResult
from turnwright.encounter.procedure_state.turn_order import INITIATIVE, Initiative
from turnwright.encounter.procedure_state.turns import TURN_END, TurnEnd
from turnwright.encounter.running import Combatant, Slot, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command, require_check
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import begin, prompt_of
from turnwright.play.kernel.transaction import Transaction, require
from turnwright.play.state.action_economy import MOVED, require_running
from turnwright.play.turn_order.initiative import (
    InitiativeSet,
    ask_initiative,
    has_member_present,
    remove_from_slot,
    set_initiative,
    slot_of,
    slots_in_order,
)
from turnwright.play.turn_order.surprise import require_surprise_settled
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem, label_of

ALWAYS = "always"


def place_beside(tx: Transaction, slot: Slot, neighbour: Slot, *, after: bool) -> Slot:
    """Put a slot just before or after a neighbour, with the same count. Their tie rolls determine the order."""
    tx.update(neighbour, tie_rolls=(*neighbour.tie_rolls, int(after)))
    for who in slot.members:
        if tx.get(Combatant, who) is not None:
            tx.update(tx.need(Combatant, who), initiative=neighbour.count)
    return tx.update(
        slot,
        count=neighbour.count,
        tie_rolls=(*neighbour.tie_rolls, int(not after)),
        fixed=neighbour.fixed,
        first_actor=neighbour.first_actor,
    )


@command(script="order {slot} (before | after {after=true}) {neighbour}")
class MoveInOrder(Command, frozen=True):
    """Move a combatant before or after another in the turn order. The active turn doesn't change.

    It gets the other's initiative total.
    """

    slot: SlotId
    neighbour: SlotId
    after: bool = False

    def handle(self, tx: Transaction) -> None:
        """Move a slot to just before or after another."""
        slot, neighbour = tx.need(Slot, self.slot), tx.need(Slot, self.neighbour)
        require(slot.id != neighbour.id, "refused.own_neighbour")
        placed = place_beside(tx, slot, neighbour, after=self.after)
        rule = tx.rule_id("initiative.order")
        tx.emit(InitiativeSet(who=placed.members[0], total=placed.count, how="moved", rule=rule))


def can_delay(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether turns can be delayed, by the rules or by a house rule."""
    delay = rules.data.initiative.delay
    return delay == ALWAYS or (bool(delay) and rules.has_option(lookup, delay))


def delay_vetoes(tx: Transaction, slot: Slot) -> tuple[Veto, ...]:
    """Return the reasons why a slot's turn can't be delayed: the rules don't allow it, or a member has acted."""
    rule = tx.rule_id("turn.delay")
    if not can_delay(tx, tx.rules):
        return (Veto("refused.no_delay", rule),)
    acted = next((who for who in slot.members if _has_acted(tx, who)), None)
    if slot.delay or acted is not None:
        return (Veto("refused.delay_acted", rule, (("who", label_of(tx, acted or slot.members[0])),)),)
    return ()


def _has_acted(tx: Transaction, who: str) -> bool:
    """Return whether a combatant has moved or spent any resource this turn."""
    spent = (
        tx.get(Track, track_id(who, resource.id))
        for resource in tx.rules.data.resources
        if resource.amount and not resource.off_turn
    )
    return track_value(tx, who, MOVED) > 0 or any(track is not None and track.value < track.maximum for track in spent)


def put_off_turn(tx: Transaction, slot: Slot) -> None:
    """Delay the active turn. The effects at its end happen now, but its actions aren't lost."""
    tx.forbid_by(delay_vetoes(tx, slot))
    begin(tx, TURN_END.ask_end_order, TurnEnd(slot.id, delays=True))


def joined_slots(lookup: Lookup, slot: str) -> list[Slot]:
    """Return the slots that have joined another's turn."""
    return [other for other in lookup.all(Slot) if other.joined_to and other.joined_to == slot]


def members_in_turn(lookup: Lookup, slot: Slot) -> tuple[str, ...]:
    """Return all combatants who act in a slot's turn. Members of joined slots come last."""
    return (*slot.members, *(who for joined_slot in joined_slots(lookup, slot.id) for who in joined_slot.members))


def joinable_slot(lookup: Lookup, rules: RuleSystem) -> Slot | None:
    """Return the slot that may join the current turn, or None. It must be the next one and on the same side."""
    active = active_slot(lookup)
    if active is None or not rules.data.initiative.joins:
        return None
    order = [slot for slot in slots_in_order(lookup) if has_member_present(lookup, slot)]
    together = {active.id, *(joined_slot.id for joined_slot in joined_slots(lookup, active.id))}
    last = max((place for place, slot in enumerate(order) if slot.id in together), default=-1)
    following = order[last + 1] if 0 <= last < len(order) - 1 else None
    if following is None or following.acted or _sides(lookup, following) != _sides(lookup, active):
        return None
    return following if len(_sides(lookup, active)) == 1 else None


def _sides(lookup: Lookup, slot: Slot) -> set[str]:
    members = (lookup.get(Combatant, who) for who in slot.members)
    return {combatant.side for combatant in members if combatant is not None}


def move_before_active(tx: Transaction, who: str) -> None:
    """Move a knocked-out combatant to just before the active slot. Its next turn is in the next round.

    It isn't moved between turns or on its own turn.
    """
    active, slot = active_slot(tx), slot_of(tx, who)
    if not tx.rules.data.dying.recovery.shifts or active is None or slot is None or slot.id == active.id:
        return
    if slot.members != (who,):
        remove_from_slot(tx, slot, who)
        slot = tx.put(Slot(tx.create_id(Slot, who), slot.count, (who,)))
    tx.update(place_beside(tx, slot, active, after=False), acted=True)
    before = next(iter(active.members), "")
    tx.emit(InitiativeSet(who=who, total=active.count, how="shifted", before=before, rule=tx.rule_id("death.place")))


@command(script="roll initiative")
class RollInitiative(Command, frozen=True):
    """Ask everyone without a total to roll initiative."""

    def handle(self, tx: Transaction) -> None:
        """Ask for the initiative of all combatants without a total, unless they are already being asked."""
        require_surprise_settled(tx)
        if not any(isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)):
            ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)))


@command(script="initiative {totals}")
class SetInitiative(Command, frozen=True):
    """Set initiative totals by hand, as pairs of combatant and total."""

    totals: tuple[tuple[str, int], ...]

    def handle(self, tx: Transaction) -> None:
        """Set initiative totals by hand, and use them to answer an open initiative prompt."""
        require_surprise_settled(tx)
        typed = dict(self.totals)
        answered = _answer_totals(tx, typed)
        for who, total in typed.items():
            combatant = tx.need(Combatant, who)
            if who not in answered:
                set_initiative(tx, combatant, total, "entered")
        if clock_of(tx).phase == "rounds" and not any(
            isinstance(procedure.data, Initiative) for procedure in tx.all(Procedure)
        ):
            ask_initiative(tx, tuple(typed))


def _answer_totals(tx: Transaction, typed: dict[str, int]) -> set[str]:
    """Answer the open initiative prompt with these totals. Return the combatants that it asked for."""
    answered: set[str] = set()
    for procedure in list(tx.all(Procedure)):
        prompt = prompt_of(tx, procedure.id)
        if procedure.at == INITIATIVE.apply_totals and prompt is not None:
            new_answers = tuple(AskResult(ask.id, number=typed[ask.id]) for ask in prompt.asks if ask.id in typed)
            earlier_answers = tuple(answer for answer in prompt.answers if answer.ask not in typed)
            tx.update(prompt, answers=(*earlier_answers, *new_answers))
            answered.update(answer.ask for answer in new_answers)
    return answered


@command(script="initiative check {who} (usual | {check}) [{edge}]", manual="initiative-check")
class SetInitiativeCheck(Command, frozen=True):
    """Set the check that combatants roll for initiative, such as `str:athletics`, with advantage or disadvantage.

    An empty check is the usual one.
    """

    who: CombatantIds
    check: CheckId = ""
    edge: Literal["", "advantage", "disadvantage"] = ""

    def handle(self, tx: Transaction) -> None:
        """Set the initiative check of some combatants, and their advantage or disadvantage."""
        if self.check:
            require_check(tx.rules, self.check)
        for who in self.who:
            tx.update(tx.need(Combatant, who), check=self.check, edge=self.edge)


@command(script="opener {who} | opener nobody")
class SetFirstActor(Command, frozen=True):
    """Mark the combatant who started the fight and therefore acts first, or mark that nobody did."""

    who: CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Mark the first actor, and clear all other marks. Refuse it in a system without the rule."""
        require_running(tx)
        require(tx.rules.data.initiative.opener, "refused.no_opener")
        for combatant in list(tx.all(Combatant)):
            if combatant.first_actor != (combatant.id == self.who):
                tx.update(combatant, first_actor=combatant.id == self.who)
        for slot in list(tx.all(Slot)):
            tx.update(slot, first_actor=self.who in slot.members)
        tx.emit(FirstActorSet(who=self.who, rule=tx.rule_id("initiative.opener")))


@journal("journal.no_opener", when={"who": "journal.opener"})
class FirstActorSet(Event, frozen=True):
    """The combatant who started the fight was marked. `who` is empty if no one did."""

    who: CombatantId = ""
