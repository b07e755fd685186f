"""Healing, hit points, deaths and tracks that the game master enters."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds, Natural, Positive, Signed, TrackName
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, DamageConsequences
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.play.damage.death_saves import check_counts, die
from turnwright.play.damage.stat_block_changes import begin_phases
from turnwright.play.effects.conditions import begin_lift_doom
from turnwright.play.kernel.commands import Command, command, require_amount, require_targets
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import MOVED
from turnwright.play.state.events import HitPointsSet, TrackSet
from turnwright.play.state.fatigue import set_level
from turnwright.play.state.hit_points import regain_consciousness, restore_hit_points
from turnwright.play.state.limited_uses import set_uses
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.initiative_ties import tied_groups
from turnwright.rules.parts.damage.dying import FAILURES, LEVEL_TRACKS, SUCCESSES, makes_saves
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.limited_uses import maximum_uses
from turnwright.rules.system import RuleSystem, label_of


@journal("journal.restored", kind="heal", when={"hp": "journal.restored_with"})
class RestoredToLife(Event, frozen=True):
    """A combatant was revived with some hit points."""

    who: CombatantId
    hp: int = 0


def begin_drop_to_zero(tx: Transaction, who: str, before: int = 0) -> None:
    """Begin the consequences of 0 hit points that weren't caused by damage."""
    procedure = begin(tx, DAMAGE_CONSEQUENCES.drop_to_zero, DamageConsequences(who, 0, 0, before))
    begin_phases(tx, who, before, procedure.id)


def restore_to_life(tx: Transaction, rules: RuleSystem, combatant: Combatant, hp: int, rule: str = "") -> None:
    """Revive a combatant with a number of hit points."""
    after = tx.update(combatant, dead=False, hp=max(0, min(hp, combatant.hp_max)))
    tx.emit(RestoredToLife(who=combatant.id, hp=after.hp, rule=rule or rules.rule_id("heal.dead")))
    _ask_initiative_again(tx, combatant)


def _ask_initiative_again(tx: Transaction, combatant: Combatant) -> None:
    """Ask a revived combatant for its initiative total or tie-breaking roll, if either is missing."""
    level = any(combatant.id in slot.members for slots in tied_groups(tx) for slot in slots)
    if clock_of(tx).phase == "rounds" and (level or combatant.initiative is None):
        ask_initiative(tx, (combatant.id,))


@command(script="heal {targets} {amount} [from {source}]")
class Heal(Command, frozen=True):
    """Restore hit points."""

    targets: CombatantIds
    amount: int
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Restore hit points, up to the maximum. Refuse dead targets unless the rule is overridden."""
        targets = require_targets(self.targets)
        require_amount(self.amount)
        for who in targets:
            combatant = tx.need(Combatant, who)
            if combatant.dead:
                tx.forbid("refused.dead", rules.rule_id("heal.dead"), who=label_of(tx, who))
                restore_to_life(tx, rules, combatant, 0)  # the game master overrides the rule
            topic = "heal.excess" if combatant.hp + self.amount > combatant.hp_max else "hp.heal"
            restore_hit_points(tx, rules, who, self.amount, source=self.source, rule=rules.rule_id(topic))
            begin_lift_doom(tx, rules, who, self.source)


@command(script="hp {who} [{hp}] [of {hp_max}] [temp {temp_hp}]+")
class SetHitPoints(Command, frozen=True):
    """Correct hit points by hand. Omitted values stay the same."""

    who: CombatantId
    hp: Signed | None = None
    temp_hp: Natural | None = None
    hp_max: Positive | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Correct hit points within the system's limits. Refuse dead combatants, and drop combatants set to 0."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead and ((self.hp or 0) > 0 or (self.temp_hp or 0) > 0):
            tx.forbid("refused.dead", rules.rule_id("heal.dead"), who=label_of(tx, self.who))
            restore_to_life(tx, rules, combatant, 0)
            combatant = tx.need(Combatant, self.who)
        most = combatant.hp_max if self.hp_max is None else self.hp_max
        hp = combatant.hp if self.hp is None else self.hp
        temp = combatant.temp_hp if self.temp_hp is None else self.temp_hp
        if most < 1 or temp < 0:
            raise Refused("refused.hp", params={"what": combatant.label})
        hp = max(rules.data.health.lowest(most), min(hp, most))
        limit = rules.data.health.most_temporary(most)
        temp = temp if limit is None else min(temp, limit)
        after = tx.update(combatant, hp=hp, hp_max=most, temp_hp=temp)
        if after != combatant:
            tx.emit(HitPointsSet(who=self.who, hp=hp, temp_hp=temp, hp_max=most, rule=rules.rule_id("hp.range")))
        if combatant.hp <= 0 < hp:
            regain_consciousness(tx, rules, self.who)
        elif hp <= 0 < combatant.hp:
            begin_drop_to_zero(tx, self.who, combatant.hp)
        else:
            begin_phases(tx, self.who, combatant.hp)


@command(script="kill {who} | revive {who} {dead=false} [with {hp}] [from {source}]")
class SetDead(Command, frozen=True):
    """Mark a combatant as dead, or revive it.

    `hp` are its hit points after a revival, and `source` is the cause.
    """

    who: CombatantId
    dead: bool = True
    hp: Natural = 0
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Kill or revive a combatant. A combatant revived without hit points is dying."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead == self.dead:
            return
        if self.dead:
            die(tx, rules, self.who, "")
            return
        dies_at_zero = not makes_saves(tx, rules, self.who)
        if self.hp < 1 and dies_at_zero:
            combatant = tx.update(combatant, dying="saves")
        topic = "npc.dying-rules" if self.hp < 1 and dies_at_zero else "heal.dead"
        restore_to_life(tx, rules, combatant, self.hp, rules.rule_id(topic))
        if self.hp < 1:
            begin_drop_to_zero(tx, self.who)
        begin_lift_doom(tx, rules, self.who, self.source)


@command(script="track {who} {track} {value}")
class SetTrack(Command, frozen=True):
    """Set the value of a track, such as fatigue, by hand."""

    who: CombatantId
    track: TrackName
    value: int

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set a track: a number that the system counts, death saves, or a creature's limited uses.

        Raising a resource above its maximum requires an override. It lasts until the resource is next restored.
        """
        if self.value < 0:
            raise Refused("refused.negative")
        if maximum_uses(tx, self.who, self.track):
            set_uses(tx, rules, self.who, self.track, self.value)
            return
        if self.track not in (MOVED, SUCCESSES, FAILURES, *rules.resources, *rules.conditions):
            raise Refused("refused.unknown", params={"what": self.track})
        if self.track in LEVEL_TRACKS:
            set_level(tx, rules, self.who, self.track, self.value)
            return
        id = track_id(self.who, self.track)
        track = tx.get(Track, id) or Track(id, self.who, self.track)
        resource = rules.resources.get(self.track)
        counted = resource is not None and resources.is_finite(resource)
        most = resources.maximum(tx, self.who, resource) if resource is not None and counted else 0
        if resource is not None and counted and self.value > max(track.value, most):
            rule = resource.ledger[0] if resource.ledger else ""
            tx.forbid("refused.more_than_all", rule, who=label_of(tx, self.who), most=most)
        tx.update(track, value=self.value, maximum=max(most, self.value) if counted else track.maximum)
        tx.emit(TrackSet(who=self.who, track=self.track, before=track.value, after=self.value))
        if self.track in (SUCCESSES, FAILURES):
            check_counts(tx, rules, self.who)
