"""Time outside rounds: rests of all combatants, and hours that pass."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId, Positive
from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import UsesPeriod
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.play.asking.exertion import clear_exertion
from turnwright.play.damage.bleed_out import wake_after_rest
from turnwright.play.damage.death_saves import pass_hours
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.state.effect_records import end_condition
from turnwright.play.state.events import Unaffected
from turnwright.play.state.fatigue import set_level
from turnwright.play.state.limited_uses import reset_uses, restore_uses
from turnwright.rules.parts.damage.dying import FATIGUE
from turnwright.rules.system import RuleSystem

BLOCKED = "blocked-critical"  # mark for a critical hit negated by taking fatigue; any rest removes it
SHORT_REST_PERIODS: tuple[UsesPeriod, ...] = ("rest", "hour", "minute", "encounter", "round", "turn")
LONG_REST_PERIODS: tuple[UsesPeriod, ...] = ("day", "long-rest")
LONG_REST_USES = ("slots", "recharge")


@command(script="rest short {length=short} | rest long {length=long} [haven]")
class Rest(Command, frozen=True):
    """Finish a rest for everyone present. A long rest at a `haven` also lowers high fatigue."""

    length: Literal["short", "long"]
    haven: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Finish a rest. A long rest ends temporary hit points, lowers fatigue, and restores slots and uses."""
        tx.emit(Rested(length=self.length, rule=rules.rule_id("temp.expire")))
        for combatant in list(tx.all(Combatant)):
            wake_after_rest(tx, rules, combatant.id, self.length)
            _reset_critical_negation(tx, rules, combatant.id)
            clear_exertion(tx, rules, combatant.id)
            reset_uses(tx, combatant.id, *SHORT_REST_PERIODS)
            if self.length == "long":
                _remove_temp_hp(tx, rules, combatant)
                if not combatant.dead:
                    _lower_fatigue(tx, rules, combatant.id, haven=self.haven)
                    restore_uses(tx, combatant.id, *LONG_REST_USES)
                    reset_uses(tx, combatant.id, *LONG_REST_PERIODS)


@journal("journal.rested_{length}", kind="header")
class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


@journal("journal.temporary_lost", who="target")
class TempHpLost(Event, frozen=True):
    """A combatant lost its temporary hit points at the end of a rest."""

    target: CombatantId
    before: int


def _reset_critical_negation(tx: Transaction, rules: RuleSystem, who: str) -> None:
    end_condition(tx, rules, who, BLOCKED)
    tx.discard(Track, track_id(who, BLOCKED))


def _remove_temp_hp(tx: Transaction, rules: RuleSystem, combatant: Combatant) -> None:
    combatant = tx.need(Combatant, combatant.id)
    if combatant.temp_hp and rules.rule_id("temp.expire"):
        tx.update(combatant, temp_hp=0)
        tx.emit(TempHpLost(target=combatant.id, before=combatant.temp_hp, rule=rules.rule_id("temp.expire")))


def _lower_fatigue(tx: Transaction, rules: RuleSystem, who: str, *, haven: bool) -> None:
    """Lower fatigue: a low level anywhere, a higher level only at a haven."""
    numbers = rules.data.dying.rest
    levels = track_value(tx, who, FATIGUE)
    if not levels:
        return
    if levels > numbers.anywhere and not haven:
        rule = rules.rule_id("recovery.haven")
        tx.emit(Unaffected(who=who, what="<why.rest>", reason="why.no_haven", rule=rule))
        return
    topic = "recovery.one-per-rest" if levels > numbers.anywhere else "recovery.first-level"
    set_level(tx, rules, who, FATIGUE, levels - numbers.recovers, rules.rule_id(topic))


@command(script="hours {hours}")
class PassTime(Command, frozen=True):
    """Let hours pass outside combat. Stable combatants may regain consciousness."""

    hours: Positive

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Advance time by hours, and wake stable combatants that are due."""
        require_running(tx)
        if self.hours < 1:
            raise Refused("refused.hours")
        tx.emit(TimePassed(hours=self.hours, rule=rules.rule_id("stable.recover")))
        for combatant in list(tx.all(Combatant)):
            clear_exertion(tx, rules, combatant.id)
        pass_hours(tx, rules, self.hours)


@journal("journal.time_passed")
class TimePassed(Event, frozen=True):
    """Hours passed."""

    hours: int
