"""Changes of a combatant's stat block: phases, temporary shapes, and another stat block by hand."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId, CreatureId
from turnwright.encounter.prepared import ALL_CONDITIONS, Creature, CreaturePhase
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.damage import PHASE, PhaseBeginning
from turnwright.encounter.running import Combatant, Effect, GuestCreature, ShapeChange
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, choice_of, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.effect_records import end_condition, end_effect
from turnwright.play.state.hit_points import regain_consciousness, restore_hit_points
from turnwright.play.state.limited_uses import recharge_features, restore_uses
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.combatants.feature_triggers import wanted_plays
from turnwright.rules.parts.combatants.phases import phase_due, phases_due
from turnwright.rules.parts.economy.limited_uses import LEGENDARY
from turnwright.rules.system import RuleSystem, creature_of, label_of

BEGINS, NOT_NOW = "begins", "pass"


@journal("journal.phase_began", kind="warn")
class PhaseBegan(Event, frozen=True):
    """A phase of a combatant's stat block began; `note` is the phase's note for the game master."""

    who: CombatantId
    phase: str
    note: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there is a note."""
        return "journal.phase_began_with" if self.note else "journal.phase_began"


@journal("journal.stat_block_changed", kind="warn", what="creature", before="earlier")
class StatBlockChanged(Event, frozen=True):
    """A combatant changed to another stat block (by name) and its hit points."""

    who: CombatantId
    creature: str
    earlier: str
    hp: int
    hp_max: int


def begin_phases(tx: Transaction, who: str, hp_before: int, parent: str = "") -> bool:
    """Begin the phases that a loss of hit points from `hp_before` has reached. Return whether there are any."""
    due = tuple(phase.id for phase in phases_due(tx, who, hp_before))
    if due:
        begin(tx, PHASE.start, PhaseBeginning(who, due), parent)
    return bool(due)


def start(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Begin the phases, or ask about the next one if the group wants to be asked about features."""
    data = data_of(procedure, PhaseBeginning)
    for place, id in enumerate(data.phases):
        phase = phase_due(tx, data.who, id)
        if phase is None:
            continue
        if wanted_plays(tx, rules):
            _ask(tx, rules, procedure, phase)
            return goto(procedure, PHASE.after_choice, phases=data.phases[place:])
        _apply(tx, rules, data.who, phase)
    return None


def _ask(tx: Transaction, rules: RuleSystem, procedure: Procedure, phase: CreaturePhase) -> None:
    who = data_of(procedure, PhaseBeginning).who
    options = (Option(BEGINS, "option.phase_begins", phase.note), Option(NOT_NOW, "option.pass"))
    question = choice_ask("phase", "ask.phase", options, who, phase.name, rule=feature_rule(tx, rules, who))
    ask(tx, procedure, "prompt.phase", [question], subject=label_of(tx, who))


def after_choice(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Begin a phase that the user allowed, and continue with the next."""
    data = data_of(procedure, PhaseBeginning)
    phase = phase_due(tx, data.who, data.phases[0])
    if phase is not None and choice_of(answers, "phase") == BEGINS:
        _apply(tx, rules, data.who, phase)
    return goto(procedure, PHASE.start, phases=data.phases[1:])


def _apply(tx: Transaction, rules: RuleSystem, who: str, phase: CreaturePhase) -> None:
    """Apply a phase's changes: stat block, hit points, conditions and restored uses."""
    combatant, rule = tx.need(Combatant, who), feature_rule(tx, rules, who)
    block = (tx.get(Creature, phase.creature) or tx.get(GuestCreature, phase.creature)) if phase.creature else None
    most = block.hp if block is not None and not phase.at else combatant.hp_max
    most = max(most, phase.hp)
    tx.emit(PhaseBegan(who=who, phase=phase.name or phase.id, note=phase.note, rule=rule))
    if block is not None:
        tx.update(combatant, creature=block.id, phases=(), hp_max=most)
    elif not phase.reverts:
        tx.update(combatant, phases=(*combatant.phases, phase.id), hp_max=most)
    for name in phase.ends:
        if name != ALL_CONDITIONS:
            end_condition(tx, rules, who, name, rule)
    for effect in list(tx.of(Effect, who)) if ALL_CONDITIONS in phase.ends else ():
        if effect.shown and effect.by != who and tx.get(Effect, effect.id) is not None:
            end_effect(tx, rules, effect, rule)
    regained = phase.hp or (0 if phase.at else most)
    if regained:
        restore_hit_points(tx, rules, who, regained - min(0, combatant.hp), source=phase.name, rule=rule)
    if phase.legendary or block is not None:
        restore_uses(tx, who, LEGENDARY)
    for feature in phase.recharges:
        recharge_features(tx, who, feature)


def revert_shape(tx: Transaction, rules: RuleSystem, who: str, excess: int = 0) -> ShapeChange | None:
    """Restore a combatant's former stat block and hit points, less excess damage. Return the ended shape or None."""
    shape = tx.get(ShapeChange, who)
    if shape is None:
        return None
    tx.remove(shape)
    combatant = tx.need(Combatant, who)
    block = tx.get(Creature, shape.creature) or tx.get(GuestCreature, shape.creature)
    earlier, name = creature_of(tx, combatant).name, block.name if block is not None else shape.creature
    hp = max(rules.data.health.lowest(shape.hp_max), shape.hp - excess)
    tx.update(combatant, creature=shape.creature, hp=hp, hp_max=shape.hp_max, phases=shape.phases)
    tx.emit(StatBlockChanged(who=who, creature=name, earlier=earlier, hp=hp, hp_max=shape.hp_max))
    return shape


@command(
    script="change {who} into {creature} [fresh {health=fresh} | apart {health=apart} | kept {health=kept}]",
    manual="stat-block",
)
class ChangeStatBlock(Command, frozen=True):
    """Give a combatant another stat block, and keep the damage it has taken.

    `fresh`: it starts with full hit points. `apart`: it starts with full hit points, and returns to its present ones
    when the shape ends, less any excess damage. `kept`: it keeps its present hit points.
    """

    who: CombatantId
    creature: CreatureId
    health: Literal["", "fresh", "apart", "kept"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Give a combatant another stat block. A combatant that is up keeps at least 1 hit point."""
        combatant, block = tx.need(Combatant, self.who), tx.get(Creature, self.creature)
        if block is None:
            raise Refused("refused.unknown", params={"what": self.creature or "?"})
        earlier, most = creature_of(tx, combatant), combatant.hp_max if self.health == "kept" else block.hp
        damage = 0 if self.health in ("fresh", "apart") else max(0, combatant.hp_max - combatant.hp)
        hp = max(most - damage, 1 if combatant.hp > 0 else 0)
        if (combatant.creature, combatant.hp, combatant.hp_max) == (block.id, hp, most):
            return
        if self.health != "apart":
            tx.discard(ShapeChange, combatant.id)
        elif tx.get(ShapeChange, combatant.id) is None:
            tx.put(ShapeChange(combatant.id, combatant.creature, combatant.hp, combatant.hp_max, combatant.phases))
        tx.update(combatant, creature=block.id, hp=hp, hp_max=most, phases=())
        tx.emit(StatBlockChanged(who=combatant.id, creature=block.name, earlier=earlier.name, hp=hp, hp_max=most))
        if combatant.hp <= 0 < hp:
            regain_consciousness(tx, rules, combatant.id)


@command(script="revert {who}")
class RevertShape(Command, frozen=True):
    """Return a combatant from a temporary shape to its original stat block and hit points."""

    who: CombatantId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End a temporary shape. Refuse a combatant that has none."""
        if revert_shape(tx, rules, self.who) is None:
            raise Refused("refused.no_shape", params={"who": label_of(tx, self.who)})


STAGES = stages_in(globals(), PHASE)
