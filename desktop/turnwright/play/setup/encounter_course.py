"""The course of an encounter: starting it, the steps of set-up, and resetting it."""

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Countdown, Environment, Map
from turnwright.encounter.roles import present
from turnwright.encounter.running import Award, Clock, Combatant, Dice, EntryState, Fog, entry_state_id
from turnwright.encounter.state import RUNNING, clock_of
from turnwright.play.environment.pool_records import waiting_pool
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Command, Transaction, command, require, require_no_open_prompt
from turnwright.play.spawning.spawning import spawn_entries
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.surprise import NoSurprise, begin_ambush, begin_surprise
from turnwright.rules.parts.combatants.facts import is_surprise_open


def remove_running_records(tx: Transaction) -> None:
    """Remove all records of the running fight. Prepared records stay."""
    for kind in RUNNING:
        for record in list(tx.all(kind)):
            tx.remove(record)


def _dice_of_next_fight(tx: Transaction) -> Dice | None:
    """Return the dice. After a fight with awards they have another seed, so that the next fight's awards have new ids."""
    dice = tx.get(Dice, "dice")
    return msgspec.structs.replace(dice, seed=dice.seed + 1) if dice is not None and any(tx.all(Award)) else dice


@journal("journal.setup_{step}", kind="header")
class SetupStepReached(Event, frozen=True):
    """Set-up reached its next step."""

    step: str


@command(script="start [{reason:rest}]", manual="start")
class StartEncounter(Command, frozen=True):
    """Start set-up, and create combatants, the turn order, countdowns and the state of environments."""

    reason: str = ""

    def handle(self, tx: Transaction) -> None:
        """Begin set-up, even if there are no hostile sides."""
        require(clock_of(tx).phase not in ("set-up", "rounds"), "refused.running")
        dice = _dice_of_next_fight(tx) or Dice()
        remove_running_records(tx)
        tx.put(dice)
        tx.put(Clock(phase="set-up", setup_step="scene", reason=self.reason))
        battle_map = tx.get(Map, Map.table)
        if battle_map is not None and battle_map.fog:
            tx.put(Fog(squares=battle_map.fog))
        spawn_entries(tx, [entry for entry in present(tx) if not entry.wave])
        for countdown in tx.all(Countdown):
            tx.put(waiting_pool(countdown))
        for environment in tx.all(Environment):
            for row in environment.actions:
                tx.put(EntryState(entry_state_id(environment.id, row.id), environment.id, row.id))
        tx.emit(EncounterStarted(reason=self.reason, rule=tx.rule_id("scene.when")))
        tx.emit(SetupStepReached(step="scene", rule=tx.rule_id("setup.order")))


@journal("journal.encounter_started", kind="header", when={"reason": "journal.encounter_started_for"})
class EncounterStarted(Event, frozen=True):
    """Set-up began. `reason` is optional."""

    reason: str = ""


@command(script="next | begin {begins=true}")
class AdvanceSetup(Command, frozen=True):
    """Go to the next set-up step, or from initiative to round 1. `begin` goes straight to round 1.

    If combatants sneak, it stops at the step that decides who is surprised.
    """

    begins: bool = False

    def handle(self, tx: Transaction) -> None:
        """Advance to the next set-up step, or through all remaining steps. Rule systems without surprise skip that step."""
        clock = clock_of(tx)
        require(clock.phase == "set-up", "refused.not_setting_up", rule=tx.rule_id("phase.two"))
        require_no_open_prompt(tx)
        begins = clock.setup_step == "initiative" or (self.begins and not is_surprise_open(tx, tx.rules))
        if clock.setup_step == "scene" and tx.rules.has_surprise and not begins:
            _reach(tx, clock, "surprise")
            if not clock.surprise_settled and tx.rules.data.surprise.sides:
                begin_ambush(tx)
            elif not clock.surprise_settled:
                begin_surprise(tx)
        elif clock.setup_step != "initiative":
            if tx.rules.has_surprise and not clock.surprise_settled:
                tx.emit(NoSurprise(rule=tx.rule_id("surprise.none")))
            _reach(tx, tx.update(clock, surprise_settled=True), "initiative")
        if begins:
            ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)), starts_rounds=True)


def _reach(tx: Transaction, clock: Clock, step: Literal["surprise", "initiative"]) -> None:
    tx.update(clock, setup_step=step)
    tx.emit(SetupStepReached(step=step, rule=tx.rule_id("setup.order")))


@command(script="reset")
class ResetToPrepared(Command, frozen=True):
    """Discard the fight and go back to the prepared encounter."""

    def handle(self, tx: Transaction) -> None:
        """Remove all records of the fight, except the dice settings."""
        dice = _dice_of_next_fight(tx)
        remove_running_records(tx)
        if dice is not None:
            tx.put(dice)
        tx.emit(EncounterReset())


@journal("journal.went_back")
class EncounterReset(Event, frozen=True):
    """All records of the fight were discarded."""
