"""Changes by the game master: hit points, deaths and tracks, stat blocks, and time outside rounds.

Healing, hit points, deaths and tracks that the game master enters.

Changes of a combatant's stat block: phases, temporary shapes, and another stat block by hand.

Time outside rounds: rests of all combatants, and hours that pass.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from turnwright.encounter import field_specs, state
from turnwright.encounter.prepared import ALL_CONDITIONS, Creature, CreaturePhase, UsesPeriod
from turnwright.encounter.procedure_state import Procedure, damage
from turnwright.encounter.procedure_state.asks import Option, choice_ask
from turnwright.encounter.procedure_state.damage import PHASE, DamageConsequences, PhaseBeginning
from turnwright.encounter.running import Combatant, Effect, GuestCreature, ShapeChange, Track, track_id
from turnwright.play.asking.checks import clear_exertion
from turnwright.play.damage.zero_hit_points import check_counts, die, pass_hours, wake_after_rest
from turnwright.play.effects.conditions import begin_lift_doom, change_value, pass_effect_hours
from turnwright.play.kernel.events import CombatantEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, choice_of, goto
from turnwright.play.kernel.transaction import (
    CombatantCommand,
    Command,
    Refused,
    TargetsCommand,
    Transaction,
    command,
    copy_fields,
    require,
    require_amount,
    require_running,
    require_targets,
)
from turnwright.play.state import action_economy, effect_records, events, hit_points
from turnwright.play.state.maximum_hp import maximum_fields, own_maximum
from turnwright.play.turn_order.initiative import ask_initiative, tied_groups
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.actions.how_features_play import LEGENDARY_RESISTANCE
from turnwright.rules.parts.attacks.attack_targeting import is_attack, is_spell
from turnwright.rules.parts.combatants.facts import level_or_hit_dice, phase_due, phases_due, wanted_plays
from turnwright.rules.parts.damage.damage_steps import FAILURES, SUCCESSES, makes_saves
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import LEGENDARY, maximum_uses
from turnwright.rules.system import creature_of, label_of
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.word_keys import rating_number

BEGINS, NOT_NOW = "begins", "pass"


@journal("journal.phase_began", kind="warn")
class PhaseBegan(CombatantEvent, frozen=True):
    """A phase of a combatant's stat block began; `note` is the phase's note for the game master."""

    phase: str
    note: str = ""

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on whether there is a note."""
        return "journal.phase_began_with" if self.note else "journal.phase_began"


def begin_phases(tx: Transaction, who: str, hp_before: int, parent: str = "") -> bool:
    """Begin the phases that a loss of hit points from `hp_before` has reached. Return whether there are any."""
    due = tuple(phase.id for phase in phases_due(tx, who, hp_before))
    if due:
        begin(tx, PHASE.start, PhaseBeginning(who, due), parent)
    return bool(due)


def start(tx: Transaction, procedure: Procedure, data: PhaseBeginning, answers: Answers) -> Next:
    """Begin the phases, or ask about the next one if the group wants to be asked about features."""
    for place, id in enumerate(data.phases):
        phase = phase_due(tx, data.who, id)
        if phase is None:
            continue
        if wanted_plays(tx, tx.rules):
            _ask(tx, procedure, data, phase)
            return goto(procedure, PHASE.after_choice, phases=data.phases[place:])
        _apply(tx, data.who, phase)
    return None


def _ask(tx: Transaction, procedure: Procedure, data: PhaseBeginning, phase: CreaturePhase) -> None:
    who = data.who
    options = (Option(BEGINS, "option.phase_begins", phase.note), Option(NOT_NOW, "option.pass"))
    question = choice_ask("phase", "ask.phase", options, who, phase.name, rule=feature_rule(tx, tx.rules, who))
    ask(tx, procedure, "prompt.phase", [question], subject=label_of(tx, who))


def after_choice(tx: Transaction, procedure: Procedure, data: PhaseBeginning, answers: Answers) -> Next:
    """Begin a phase that the user allowed, and continue with the next."""
    phase = phase_due(tx, data.who, data.phases[0])
    if phase is not None and choice_of(answers, "phase") == BEGINS:
        _apply(tx, data.who, phase)
    return goto(procedure, PHASE.start, phases=data.phases[1:])


def _apply(tx: Transaction, who: str, phase: CreaturePhase) -> None:
    """Apply a phase's changes: stat block, hit points, conditions and restored uses."""
    combatant, rule = tx.need(Combatant, who), feature_rule(tx, tx.rules, who)
    block = (tx.get(Creature, phase.creature) or tx.get(GuestCreature, phase.creature)) if phase.creature else None
    most = block.hp if block is not None and not phase.at else own_maximum(tx, who)
    fields = maximum_fields(tx, who, max(most, phase.hp))
    most = fields["hp_max"]
    tx.emit(PhaseBegan(who=who, phase=phase.name or phase.id, note=phase.note, rule=rule))
    if block is not None:
        tx.update(combatant, creature=block.id, phases=(), **fields)
    elif not phase.reverts:
        tx.update(combatant, phases=(*combatant.phases, phase.id), **fields)
    for name in phase.ends:
        if name != ALL_CONDITIONS:
            effect_records.end_condition(tx, who, name, rule)
    for effect in list(tx.of(Effect, who)) if ALL_CONDITIONS in phase.ends else ():
        if effect.shown and effect.by != who and tx.get(Effect, effect.id) is not None:
            effect_records.end_effect(tx, effect, rule)
    regained = phase.hp or (0 if phase.at else most)
    if regained:
        hit_points.restore_hit_points(tx, who, regained - min(0, combatant.hp), source=phase.name, rule=rule)
    if phase.legendary or block is not None:
        action_economy.restore_uses(tx, who, LEGENDARY)
    for feature in phase.recharges:
        action_economy.recharge_features(tx, who, feature)


@command(
    script="change {who} into {creature} [fresh {health=fresh} | apart {health=apart} | kept {health=kept}]",
    manual="stat-block",
)
class ChangeStatBlock(CombatantCommand, frozen=True):
    """Give a combatant another stat block, and keep the damage it has taken.

    `fresh`: it starts with full hit points. `apart`: it starts with full hit points, and returns to its current ones
    when the shape ends, less any excess damage. `kept`: it keeps its current hit points.
    """

    creature: field_specs.CreatureId
    health: Literal["", "fresh", "apart", "kept"] = ""

    def handle(self, tx: Transaction) -> None:
        """Give a combatant another stat block. A combatant that is up keeps at least 1 hit point, and the dead have none."""
        combatant, block = tx.need(Combatant, self.who), tx.get(Creature, self.creature)
        if block is None:
            raise Refused("refused.unknown", params={"what": self.creature or "?"})
        change_stat_block(tx, combatant, block, self.health, returns=self.health == "apart")


def change_stat_block(tx: Transaction, combatant: Combatant, block: Creature, health: str, *, returns: bool) -> None:
    """Give a combatant another stat block. `returns`: it takes its present one again when the shape ends."""
    earlier, own = creature_of(tx, combatant), own_maximum(tx, combatant.id)
    is_kept = health in ("kept", "temporary")
    fields = maximum_fields(tx, combatant.id, own if is_kept else block.hp)
    most = fields["hp_max"]
    damage = 0 if health in ("fresh", "apart") else max(0, combatant.hp_max - combatant.hp)
    hp = 0 if combatant.dead else max(most - damage, 1 if combatant.hp > 0 else 0)
    if (combatant.creature, combatant.hp, combatant.hp_max) == (block.id, hp, most):
        return
    if not returns:
        tx.discard(ShapeChange, combatant.id)
    elif tx.get(ShapeChange, combatant.id) is None:
        tx.put(ShapeChange(combatant.id, combatant.creature, combatant.hp, own, combatant.phases, is_kept))
    tx.update(combatant, creature=block.id, hp=hp, phases=(), **fields)
    tx.emit(events.StatBlockChanged(who=combatant.id, creature=block.name, earlier=earlier.name, hp=hp, hp_max=most))
    if combatant.hp <= 0 < hp:
        hit_points.regain_consciousness(tx, combatant.id)


def ask_shape(tx: Transaction, procedure: Procedure, data: PhaseBeginning, answers: Answers) -> Next:
    """Ask for the stat block of the shape that a condition gives a combatant."""
    condition, blocks = tx.rules.conditions[data.phases[0]], dict[str, Creature]()
    most = _highest_rating(tx, data.who, condition) if tx.strictness == "enforce" else None
    effect, creatures = state.find_effect(tx, data.who, condition.id), (*tx.all(Creature), *tx.all(GuestCreature))
    form = effect.source.lower() if effect is not None else ""
    kind = condition.shape_type or (form if any(block.type.lower() == form for block in creatures) else "")
    barred = {mode for at, mode in condition.shape_speeds if most and at > (level_or_hit_dice(tx, data.who) or 0)}
    for block in creatures:
        rating, modes = rating_number(block.rating), {*dict(block.speeds)}
        fits = not barred & modes and (most is None or rating is None or rating <= most)
        if fits and kind in ("", block.type.lower()) and block.id != tx.need(Combatant, data.who).creature:
            blocks.setdefault(block.name, block)
    options = [Option(block.id, block.name) for _, block in sorted(blocks.items())]
    options.append(Option(NOT_NOW, "option.shape_by_hand", "option.shape_by_hand_more"))
    question = choice_ask("shape", "ask.shape", tuple(options), data.who, rule=feature_rule(tx, tx.rules, data.who))
    ask(tx, procedure, "prompt.shape", [question], subject=label_of(tx, data.who))
    return goto(procedure, PHASE.take_shape)


def _highest_rating(tx: Transaction, who: str, condition: Condition) -> Fraction | None:
    """Return the highest rating of a shape that a condition gives a combatant. None means no limit."""
    level = level_or_hit_dice(tx, who)
    if condition.shape_own_rating:
        own = rating_number(creature_of(tx, tx.need(Combatant, who)).rating)
        return Fraction(level) if own is None and level else own
    fitting = [rating for least, rating in condition.shape_ratings if level and level >= least]
    return rating_number(fitting[-1]) if fitting else None


def take_shape(tx: Transaction, procedure: Procedure, data: PhaseBeginning, answers: Answers) -> None:
    """Give a combatant the chosen shape, until its condition ends."""
    chosen, condition = choice_of(answers, "shape"), tx.rules.conditions[data.phases[0]]
    block = tx.get(Creature, chosen) or tx.get(GuestCreature, chosen)
    combatant = tx.get(Combatant, data.who)
    if combatant is None or block is None or state.find_effect(tx, data.who, condition.id) is None:
        return
    if condition.shape_keeps:
        block = _with_own_mind(tx, combatant, block, condition)
    if condition.shape == "temporary" and block.hp > combatant.temp_hp:
        combatant = tx.update(combatant, temp_hp=block.hp, temp_from=condition.id)
    change_stat_block(tx, combatant, block, condition.shape, returns=True)


def _with_own_mind(tx: Transaction, combatant: Combatant, block: Creature, condition: Condition) -> Creature:
    """Return another stat block with a combatant's own scores in some abilities, and its features that still work."""
    shape = tx.get(ShapeChange, combatant.id)
    own = creature_of(tx, msgspec.structs.replace(combatant, creature=shape.creature) if shape else combatant)
    known = {feature.id for feature in block.features}
    new = (each for each in own.features if each.id not in known)
    mental = (each for each in new if (condition.shape_casts if is_spell(each) else not is_attack(each)))
    back = {each.id for each in own.features if any(step.gains == condition.id for step in each.does)}
    stays = back | {each.id for each in own.features if each.cost == "lair" or LEGENDARY_RESISTANCE in each.properties}
    # a shape of a class keeps all of them
    kept = (each for each in mental if condition.shape != "kept" or condition.shape_ratings or each.id in stays)
    scores = dict(block.abilities) | {name: score for name, score in own.abilities if name in condition.shape_keeps}
    id, abilities = tx.create_id(GuestCreature, f"{own.id}-{block.id}"), tuple(scores.items())
    features = (*block.features, *kept)
    return tx.put(copy_fields(GuestCreature, block, id=id, abilities=abilities, features=features, legendary=0))


@command(script="revert {who}")
class RevertShape(CombatantCommand, frozen=True):
    """Return a combatant from a temporary shape to its original stat block and hit points."""

    def handle(self, tx: Transaction) -> None:
        """End a temporary shape. Refuse a combatant that has none."""
        if effect_records.revert_shape(tx, self.who) is None:
            raise Refused("refused.no_shape", params={"who": label_of(tx, self.who)})


@journal("journal.restored", kind="heal", when={"hp": "journal.restored_with"})
class RestoredToLife(CombatantEvent, frozen=True):
    """A combatant was revived with some hit points."""

    hp: int = 0


def begin_drop_to_zero(tx: Transaction, who: str, before: int = 0) -> None:
    """Begin the consequences of 0 hit points that weren't caused by damage."""
    procedure = begin(tx, damage.DAMAGE_CONSEQUENCES.drop_to_zero, DamageConsequences(who, 0, 0, before))
    begin_phases(tx, who, before, procedure.id)


def restore_to_life(tx: Transaction, combatant: Combatant, hp: int, rule: str = "") -> None:
    """Revive a combatant with a number of hit points."""
    after = tx.update(combatant, dead=False, hp=max(0, min(hp, combatant.hp_max)))
    tx.emit(RestoredToLife(who=combatant.id, hp=after.hp, rule=rule or tx.rule_id("heal.dead")))
    _ask_initiative_again(tx, combatant)


def _ask_initiative_again(tx: Transaction, combatant: Combatant) -> None:
    """Ask a revived combatant for its initiative total or tie-breaking roll, if either is missing."""
    level = any(combatant.id in slot.members for slots in tied_groups(tx) for slot in slots)
    if state.clock_of(tx).phase == "rounds" and (level or combatant.initiative is None):
        ask_initiative(tx, (combatant.id,))


@command(script="heal {targets} {amount} [from {source}]")
class Heal(TargetsCommand, frozen=True):
    """Restore hit points."""

    amount: int
    source: str = ""

    def handle(self, tx: Transaction) -> None:
        """Restore hit points, up to the maximum. Refuse dead targets unless the rule is overridden."""
        targets = require_targets(self.targets)
        require_amount(self.amount)
        for who in targets:
            combatant = tx.need(Combatant, who)
            if combatant.dead:
                tx.forbid("refused.dead", tx.rule_id("heal.dead"), who=label_of(tx, who))
                restore_to_life(tx, combatant, 0)  # the game master overrides the rule
            topic = "heal.excess" if combatant.hp + self.amount > combatant.hp_max else "hp.heal"
            hit_points.restore_hit_points(tx, who, self.amount, source=self.source, rule=tx.rule_id(topic))
            begin_lift_doom(tx, who, self.source)


@command(script="hp {who} [{hp}] [of {hp_max}] [temp {temp_hp}]+")
class SetHitPoints(CombatantCommand, frozen=True):
    """Correct hit points by hand. Omitted values stay the same."""

    hp: field_specs.Signed | None = None
    temp_hp: field_specs.Natural | None = None
    hp_max: field_specs.Positive | None = None

    def handle(self, tx: Transaction) -> None:
        """Correct hit points within the system's limits. Refuse dead combatants, and drop combatants set to 0."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead and ((self.hp or 0) > 0 or (self.temp_hp or 0) > 0):
            tx.forbid("refused.dead", tx.rule_id("heal.dead"), who=label_of(tx, self.who))
            restore_to_life(tx, combatant, 0)
            combatant = tx.need(Combatant, self.who)
        own = own_maximum(tx, self.who) if self.hp_max is None else self.hp_max
        fields = maximum_fields(tx, self.who, own)
        most = fields["hp_max"]
        hp = combatant.hp if self.hp is None else self.hp
        temp = combatant.temp_hp if self.temp_hp is None else self.temp_hp
        require(most >= 1 and temp >= 0, "refused.hp", what=combatant.label)
        hp = max(tx.rules.data.health.lowest(most), min(hp, most))
        limit = tx.rules.data.health.most_temporary(most)
        temp = temp if limit is None else min(temp, limit)
        temp_from = combatant.temp_from if self.temp_hp is None else ""
        after = tx.update(combatant, hp=hp, temp_hp=temp, temp_from=temp_from, **fields)
        if after != combatant:
            tx.emit(events.HitPointsSet(who=self.who, hp=hp, temp_hp=temp, hp_max=most, rule=tx.rule_id("hp.range")))
        if combatant.hp <= 0 < hp:
            hit_points.regain_consciousness(tx, self.who)
        elif hp <= 0 < combatant.hp:
            begin_drop_to_zero(tx, self.who, combatant.hp)
        else:
            begin_phases(tx, self.who, combatant.hp)


@command(script="kill {who} | revive {who} {dead=false} [with {hp}] [from {source}]")
class SetDead(CombatantCommand, frozen=True):
    """Mark a combatant as dead, or revive it.

    `hp` are its hit points after a revival, and `source` is the cause.
    """

    dead: bool = True
    hp: field_specs.Natural = 0
    source: str = ""

    def handle(self, tx: Transaction) -> None:
        """Kill or revive a combatant. A combatant revived without hit points is dying."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead == self.dead:
            return
        if self.dead:
            die(tx, self.who, "")
            return
        dies_at_zero = not makes_saves(tx, tx.rules, self.who)
        if self.hp < 1 and dies_at_zero:
            combatant = tx.update(combatant, dying="saves")
        topic = "npc.dying-rules" if self.hp < 1 and dies_at_zero else "heal.dead"
        restore_to_life(tx, combatant, self.hp, tx.rule_id(topic))
        if self.hp < 1:
            begin_drop_to_zero(tx, self.who)
        begin_lift_doom(tx, self.who, self.source)


@command(script="track {who} {track} {value}")
class SetTrack(CombatantCommand, frozen=True):
    """Set the value of a track, or the level of a condition such as fatigue, by hand."""

    track: field_specs.TrackName
    value: int

    def handle(self, tx: Transaction) -> None:
        """Set a track: a number that the system counts, death saves, or a creature's limited uses.

        Raising a resource above its maximum requires an override. It lasts until the resource is next restored.
        """
        require(self.value >= 0, "refused.negative")
        if maximum_uses(tx, self.who, self.track):
            action_economy.set_uses(tx, self.who, self.track, self.value)
            return
        condition = tx.rules.conditions.get(self.track)
        if condition is not None and condition.stacks:
            if self.value:
                effect_records.put_condition(tx, self.who, self.track, value=self.value, is_level=True)
            else:
                effect_records.end_condition(tx, self.who, self.track)
            return
        if self.track not in (action_economy.MOVED, SUCCESSES, FAILURES, *tx.rules.resources):
            raise Refused("refused.unknown", params={"what": self.track})
        id = track_id(self.who, self.track)
        track = tx.get(Track, id) or Track(id, self.who, self.track)
        resource = tx.rules.resources.get(self.track)
        counted = resource is not None and limited_uses.is_finite(resource)
        most = limited_uses.maximum(tx, self.who, resource) if resource is not None and counted else 0
        if resource is not None and counted and self.value > max(track.value, most):
            rule = resource.ledger[0] if resource.ledger else ""
            tx.forbid("refused.more_than_all", rule, who=label_of(tx, self.who), most=most)
        tx.update(track, value=self.value, maximum=max(most, self.value) if counted else track.maximum)
        tx.emit(events.TrackSet(who=self.who, track=self.track, before=track.value, after=self.value))
        if self.track in (SUCCESSES, FAILURES):
            check_counts(tx, self.who)


BLOCKED = "blocked-critical"  # mark for a critical hit negated by taking fatigue; any rest removes it
_SHORT: tuple[UsesPeriod, ...] = ("rest", "hour", "minute", "encounter", "round", "turn")
REST_PERIODS: Mapping[str, tuple[UsesPeriod, ...]] = {"short": _SHORT, "long": (*_SHORT, "day", "long-rest")}


@command(script="rest short {length=short} | rest long {length=long} [haven]")
class Rest(Command, frozen=True):
    """Finish a rest for everyone present. A long rest at a `haven` also lowers high fatigue and strife."""

    length: Literal["short", "long"]
    haven: bool = False

    def handle(self, tx: Transaction) -> None:
        """Finish a rest. A long one restores hit points, slots and uses, and lowers fatigue and other conditions."""
        tx.emit(Rested(length=self.length, rule=tx.rule_id("temp.expire")))
        for moment in ("rest", "long-rest") if self.length == "long" else ("rest",):
            effect_records.end_effects_at(tx, moment, rule=tx.rule_id("temp.expire"))
        pass_effect_hours(tx, tx.rules.data.dying.rest.hours[self.length == "long"])
        for combatant in list(tx.all(Combatant)):
            wake_after_rest(tx, combatant.id, self.length)
            effect_records.end_condition(tx, combatant.id, BLOCKED)
            tx.discard(Track, track_id(combatant.id, BLOCKED))
            clear_exertion(tx, combatant.id)
            action_economy.reset_uses(tx, combatant.id, *REST_PERIODS["short" if combatant.dead else self.length])
            if self.length == "long" and tx.rule_id("temp.expire"):
                effect_records.lose_temp_hp(tx, tx.need(Combatant, combatant.id))
            if self.length == "long" and not combatant.dead:
                _lower_levels(tx, combatant.id, tx.role("fatigue"), haven=self.haven)
                _lower_levels(tx, combatant.id, tx.role("strife"), haven=self.haven)
                recover(tx, combatant.id)
                action_economy.restore_uses(tx, combatant.id, "slots", "recharge")
            effect_records.end_rested_conditions(tx, combatant.id)


@journal("journal.rested_{length}", kind="header")
class Rested(Event, frozen=True):
    """A rest was finished."""

    length: str


def recover(tx: Transaction, who: str, times: int = 1) -> None:
    """Apply a long rest to the conditions and hit points of a combatant.

    It lowers the values of conditions, ends those without a value, and restores the hit points that the game sets, a
    number of `times`. A combatant at 0 hit points doesn't regain all of them.
    """
    for effect in list(tx.of(Effect, who)):
        condition = tx.rules.conditions.get(effect.name)
        if condition is not None and condition.rest and tx.get(Effect, effect.id) is not None:
            change_value(tx, effect, effect.value - condition.rest if condition.valued else 0)
    numbers, combatant = tx.rules.data.dying.rest, tx.need(Combatant, who)
    lost = combatant.hp_max - combatant.hp
    is_on = not numbers.hp_option or tx.rules.has_option(tx, numbers.hp_option)
    if not (numbers.long_hp and is_on and lost > 0) or (numbers.long_hp == "all" and combatant.hp <= 0):
        return
    if numbers.long_hp != "all":
        modifier = tx.rules.modifier_of(creature_of(tx, combatant), numbers.long_hp)
        lost = min(lost, times * max(1, modifier) * max(1, level_or_hit_dice(tx, who) or 1))
    hit_points.restore_hit_points(tx, who, lost, rule=tx.rule_id("recovery.hit-points"))


def _lower_levels(tx: Transaction, who: str, condition: str, *, haven: bool) -> None:
    """Lower fatigue or strife: a low level anywhere, a higher level only at a haven."""
    numbers = tx.rules.data.dying.rest
    effect = state.find_effect(tx, who, condition)
    if effect is None:
        return
    levels = effect.value
    if levels > numbers.anywhere and not haven:
        tx.emit(events.Unaffected(who=who, what="<why.rest>", reason="why.no_haven", rule=tx.rule_id("recovery.haven")))
        return
    topic = "recovery.one-per-rest" if levels > numbers.anywhere else "recovery.first-level"
    change_value(tx, effect, levels - numbers.recovers, tx.rule_id(topic))


@command(script="hours {hours}")
class PassTime(Command, frozen=True):
    """Let hours pass outside combat. Effects run out, and stable combatants may regain consciousness."""

    hours: field_specs.Positive

    def handle(self, tx: Transaction) -> None:
        """Advance time by hours, and wake stable combatants that are due."""
        require_running(tx)
        require(self.hours >= 1, "refused.hours")
        tx.emit(TimePassed(hours=self.hours, rule=tx.rule_id("stable.recover")))
        for combatant in list(tx.all(Combatant)):
            clear_exertion(tx, combatant.id)
        pass_effect_hours(tx, self.hours)
        pass_hours(tx, self.hours)


@journal("journal.time_passed")
class TimePassed(Event, frozen=True):
    """Hours passed."""

    hours: int
