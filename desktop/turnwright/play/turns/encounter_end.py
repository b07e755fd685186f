"""The end of an encounter with its rewards, and combatants that leave it."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.lookups import clock_of, scene_of
from turnwright.encounter.prepared import Treasure
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Option, Prompt, choice_ask
from turnwright.encounter.procedure_state.turns import REWARDS, Rewards
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, ShapeChange, Track
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import (
    Answers,
    Next,
    ask,
    begin,
    choice_of,
    choices_of,
    goto,
    stages_in,
    withdraw_asks,
)
from turnwright.play.kernel.transaction import Transaction, require
from turnwright.play.state.effect_records import (
    end_effects_at,
    is_turn_ending,
    lose_concentration,
    release_held_effects,
)
from turnwright.play.state.hit_points import apply_pending_fatigue
from turnwright.play.turn_order.initiative import remove_from_slot, slot_of
from turnwright.play.turns.turns import end_turn
from turnwright.rules.parts.damage.damage_steps import is_character
from turnwright.rules.parts.movement.riding import control_conditions

XP, TREASURE, UNASSIGNED = "xp", "treasure", "nobody-yet"


@journal("journal.awarded")
class ExperienceAwarded(Event, frozen=True):
    """Experience was awarded to the party, perhaps 0."""

    xp: int = 0


@journal("journal.treasure_found", when={"who": "journal.treasure_taken"})
class TreasureFound(Event, frozen=True):
    """Treasure was found. `who` takes it, or is empty if it is unassigned."""

    what: str
    who: CombatantId = ""


def begin_rewards(tx: Transaction) -> None:
    """Ask for the rewards, in games that have them."""
    settings = tx.rules.data.awards
    if settings.xp or (settings.treasure and _finds(tx)):
        begin(tx, REWARDS.ask_rewards, Rewards())


def _finds(lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Return the prepared treasure. Each is a pair of the game master's name and the name that players know."""
    lines = ((find, find) for find in scene_of(lookup).treasure)
    return (*lines, *((treasure.name.strip() or treasure.id, treasure.known_name) for treasure in lookup.all(Treasure)))


def ask_rewards(tx: Transaction, procedure: Procedure, _: object, answers: Answers) -> Procedure:
    """Ask for the experience, without a suggestion, and for the treasure found."""
    settings, rule = tx.rules.data.awards, tx.rule_id("award.xp")
    asks = [Ask(XP, "number", "ask.award_xp", rule=rule)] if settings.xp else []
    finds = tuple(Option(str(place), name) for place, (name, _) in enumerate(_finds(tx)))
    if settings.treasure and finds:
        asks.append(Ask(TREASURE, "targets", "ask.treasure", options=finds, rule=tx.rule_id("award.treasure")))
    return ask(tx, goto(procedure, REWARDS.record_rewards), "prompt.awards", asks, rule=rule)


def record_rewards(tx: Transaction, procedure: Procedure, data: Rewards, answers: Answers) -> Next:
    """Record the rewards entered, and ask which combatant takes each treasure."""
    answer = answers.get(XP)
    xp = answer.number if answer is not None and answer.number is not None else 0
    if tx.rules.data.awards.xp:
        tx.emit(ExperienceAwarded(xp=max(0, xp), rule=tx.rule_id("award.xp")))
    finds = _finds(tx)
    treasure = tuple(finds[int(index)] for index in choices_of(answers, TREASURE) if int(index) < len(finds))
    if not treasure:
        return None
    rule = tx.rule_id("award.treasure")
    party = [
        Option(combatant.id, combatant.label)
        for combatant in tx.all(Combatant)
        if is_character(tx, tx.rules, combatant.id) and not combatant.dead
    ]
    options = (*party, Option(UNASSIGNED, "option.nobody_yet"))
    asks = [
        choice_ask(str(place), "ask.treasure_to", options, detail=name, suggested=UNASSIGNED, rule=rule)
        for place, (name, _) in enumerate(treasure)
    ]
    ask(tx, procedure, "prompt.treasure", asks)
    known_names = tuple(name for _, name in treasure)
    return goto(procedure, REWARDS.assign_treasure, data, treasure=known_names)


def assign_treasure(tx: Transaction, procedure: Procedure, data: Rewards, answers: Answers) -> None:
    """Record which combatant takes each treasure, under the name that players know."""
    for place, name in enumerate(data.treasure):
        choice = choice_of(answers, str(place), UNASSIGNED)
        who = choice if tx.get(Combatant, choice) is not None else ""
        tx.emit(TreasureFound(what=name, who=who, rule=tx.rule_id("award.treasure")))


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
        end_effects_at(tx, "encounter")
        apply_pending_fatigue(tx)
        tx.update(clock, phase="ended", setup_step="", active="")
        tx.emit(EncounterEnded(round=clock.round, rule=tx.rule_id("endround.conclude")))
        begin_rewards(tx)


@journal("journal.encounter_ended")
class EncounterEnded(Event, frozen=True):
    """The fight ended."""

    round: int


@command(script="remove {who}")
class RemoveCombatant(Command, frozen=True):
    """Remove a combatant and its open prompts from the fight."""

    who: CombatantId

    def handle(self, tx: Transaction) -> None:
        """Remove a combatant, its tracks, effects and slot, and withdraw its prompts."""
        who = self.who
        combatant = tx.need(Combatant, who)
        clock = tx.get(Clock, "clock")
        slot = slot_of(tx, who)
        if slot is not None and len(slot.members) > 1:
            remove_from_slot(tx, slot, who)
        withdraw_asks(tx, lambda ask: ask.who == who)
        lose_concentration(tx, who)
        for track in tx.of(Track, who):
            tx.remove(track)
        for effect in list(tx.all(Effect)):
            if effect.target == who or (effect.by == who and effect.name in control_conditions(tx.rules)):
                tx.remove(effect)
            elif effect.ends.who == who:  # its turns are over, so it ends at the start of the next round
                tx.update(effect, ends=Duration("world"))
        tx.remove(combatant)
        tx.discard(ShapeChange, who)
        tx.emit(CombatantRemoved(label=combatant.label))
        release_held_effects(tx, who)
        if slot is None or len(slot.members) > 1:
            return
        if clock is not None and clock.active == slot.id:
            if not is_turn_ending(tx):
                end_turn(tx, slot)
        else:
            tx.remove(slot)


@journal("journal.left", who="label")
class CombatantRemoved(Event, frozen=True):
    """A combatant was removed from the fight."""

    label: str


STAGES = stages_in(globals(), REWARDS)
