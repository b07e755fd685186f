"""Combatants that join a fight: members of roster entries, waves of reinforcements, and characters of earlier fights.

Missing hit points are asked for. Waves arrive in a round, by a trigger or by hand. The state of characters is recorded
at the end of a fight and applied at the start of the next.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from turnwright.encounter import field_specs, prepared
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt
from turnwright.encounter.procedure_state.spawning import MAX_HP, MaxHpQuestion
from turnwright.encounter.roles import party_sides, present, role_of
from turnwright.encounter.running import (
    SLOTS,
    USES,
    ArrivedWave,
    Clock,
    Combatant,
    Duration,
    Effect,
    GuestCreature,
    LastingArea,
    ShapeChange,
    Track,
    track_id,
)
from turnwright.encounter.state import (
    Lookup,
    NameCounts,
    clock_of,
    is_encounter_running,
    member_labels,
    name_counts,
    numbered,
    wave_name,
)
from turnwright.play.effects.conditions import begin_prepared_effect
from turnwright.play.kernel.events import CombatantEvent, CountdownEvent, Event, journal
from turnwright.play.kernel.scheduler import Answers, Next, ask, begin, goto
from turnwright.play.kernel.transaction import (
    Command,
    Refused,
    Transaction,
    command,
    copy_fields,
    require,
    require_running,
)
from turnwright.play.state import action_economy, effect_records, events, maximum_hp, position_changes
from turnwright.play.turn_order.initiative import ask_initiative, link_prepared_followers, set_initiative, share_turn
from turnwright.rules.parts.actions.triggered_features import starting_features
from turnwright.rules.parts.combatants.facts import SUMMONED
from turnwright.rules.parts.conditions.condition_rules import is_about_creator
from turnwright.rules.parts.economy.limited_uses import maximum_uses, use_track
from turnwright.rules.parts.environment.entries import eligible_targets, entry_rule
from turnwright.rules.parts.positions.geometry import causing_feature
from turnwright.rules.system import RuleSystem, creature_of, label_of

SHORT_PERIODS = frozenset({"encounter", "round", "turn", "minute"})


def character_state(lookup: Lookup, rules: RuleSystem, who: str) -> prepared.CharacterState | None:
    """Return the lasting state of a combatant, or None if it is fully rested."""
    combatant = lookup.need(Combatant, who)
    tracks = tuple((track.name, track.value) for track in lookup.of(Track, who) if _lasts(lookup, rules, who, track))
    conditions = tuple(
        prepared.LastingCondition(one.name, max(0, one.value), one.note, _resting_end(one), one.rules, one.uses_left)
        for one in lookup.of(Effect, who)
        if _is_lasting(lookup, rules, one)
    )
    shape = lookup.get(ShapeChange, who)
    hp, most = (combatant.hp, combatant.hp_max) if shape is None or shape.kept else (shape.hp, shape.hp_max)
    if hp == most and not (combatant.temp_hp or combatant.dead or tracks or conditions):
        return None
    return prepared.CharacterState(hp, combatant.temp_hp, combatant.dead, tracks, conditions)


def apply_character_state(tx: Transaction, entry: prepared.RosterEntry, who: str) -> None:
    """Apply the character state stored in a combatant's roster entry, if there is one."""
    state = entry.state
    if state is None:
        return
    combatant = tx.need(Combatant, who)
    tx.update(combatant, temp_hp=state.temp_hp, dead=state.dead)
    for name, value in state.tracks:
        if name.startswith((SLOTS, USES)):
            if maximum_uses(tx, who, name):
                tx.put(use_track(tx, who, name, min(value, maximum_uses(tx, who, name))))
            continue
        tx.update(tx.get(Track, track_id(who, name)) or Track(track_id(who, name), who, name), value=value)
    for condition in state.conditions:
        if condition.name in tx.rules.conditions or condition.rules or condition.ends:
            id, ends = tx.next_id("effect"), Duration(condition.ends or "never")
            effect = Effect(id, who, condition.name, value=condition.value, note=condition.note, ends=ends)
            effect_records.put_effect(
                tx, msgspec.structs.replace(effect, rules=condition.rules, uses_left=condition.uses)
            )
    combatant = tx.need(Combatant, who)
    tx.update(combatant, hp=min(state.hp, combatant.hp_max))


def _lasts(lookup: Lookup, rules: RuleSystem, who: str, track: Track) -> bool:
    """Return whether the value of a track is carried over to the next fight."""
    if track.name.startswith(SLOTS):
        return track.value < maximum_uses(lookup, who, track.name)
    if track.name.startswith(USES):
        id = track.name.removeprefix(USES)
        feature = next(
            (each for each in creature_of(lookup, lookup.need(Combatant, who)).features if each.id == id), None
        )
        lasting = feature is not None and feature.per not in SHORT_PERIODS
        return lasting and track.value < maximum_uses(lookup, who, track.name)
    resource = rules.resources.get(track.name)
    if resource is not None and resource.characters is not None:
        return bool(track.value)
    return resource is not None and resource.refill == "never" and resource.own and track.value < track.maximum


def _is_lasting(lookup: Lookup, rules: RuleSystem, effect: Effect) -> bool:
    """Return whether an effect is a condition that continues after a fight. Holds and conditions bound to others don't."""
    condition = rules.conditions.get(effect.name)
    passing = effect.concentrator or effect.name in (rules.role("prone"), rules.role("concentrating"))
    if not effect.shown or passing:
        return False
    if condition is None and not (effect.rules and not effect.rounds_left):
        return bool(_resting_end(effect))
    if effect.ends.moment != "never":
        return bool(_resting_end(effect))
    own_rules = (*effect.rules, *(condition.rules if condition is not None else ()))
    depends_on_creator = causing_feature(lookup, effect) is None or any(map(is_about_creator, own_rules))
    is_held = effect.bound_to or (effect.by and depends_on_creator)
    return not (is_held or effect.rounds_left or (effect.uses_left and not effect.rules) or effect.sustained)


def _resting_end(effect: Effect) -> Literal["", "rest", "long-rest"]:
    """Return the rest that ends an effect, or an empty string if none does."""
    moment = effect.ends.moment
    return moment if moment in ("rest", "long-rest") else ""


FIGURE = "health"
DEFAULT_HP = prepared.Creature("", "").hp


@journal("journal.joined", kind="warn", joins=("who",))
class CombatantAdded(CombatantEvent, frozen=True):
    """A combatant entered the fight."""

    side: field_specs.Side


@journal("journal.pool_started", kind="world", what="countdown")
class PoolStarted(CountdownEvent, frozen=True):
    """A countdown began."""

    dice: int


@journal("journal.wave_{why}", kind="world")
class WaveJoined(Event, frozen=True):
    """A wave arrived: in its `round`, by `hand`, or by its trigger (`half`, `first-down`, `all-down`)."""

    wave: field_specs.WaveId
    why: str


@journal("journal.likeness", kind="world")
class LookAlikeRolled(CombatantEvent, frozen=True):
    """A randomly chosen combatant determined the looks of a new creature."""

    like: field_specs.CombatantId


def begin_max_hp(tx: Transaction, entry: prepared.RosterEntry, spawned: list[str]) -> None:
    """Ask for the maximum hit points of a roster entry's creatures, unless they are known or already asked for."""
    creature = tx.get(prepared.Creature, entry.creature)
    is_known = entry.hp is not None or creature is None or creature.hp != DEFAULT_HP
    if spawned and tx.rules.data.health.asked and not is_known and entry.creature not in _asked(tx):
        begin(tx, MAX_HP.ask_maximum, MaxHpQuestion(spawned[0]))


def _asked(lookup: Lookup) -> set[str]:
    questions = (procedure.data for procedure in lookup.all(Procedure))
    first = (data.who for data in questions if isinstance(data, MaxHpQuestion))
    return {combatant.creature for who in first if (combatant := lookup.get(Combatant, who)) is not None}


def ask_maximum(tx: Transaction, procedure: Procedure, data: MaxHpQuestion, answers: Answers) -> Next:
    """Ask for the maximum hit points."""
    who = data.who
    if tx.get(Combatant, who) is None:
        return None
    question = Ask(FIGURE, "number", "ask.max_health", who, rule=tx.rule_id("external.max-health"))
    return ask(tx, goto(procedure, MAX_HP.set_maximum), "prompt.figures", [question], subject=label_of(tx, who))


def set_maximum(tx: Transaction, procedure: Procedure, data: MaxHpQuestion, answers: Answers) -> None:
    """Set the maximum for all creatures with this stat block that have none. If the ask is skipped, nothing changes."""
    most = answers[FIGURE].number if FIGURE in answers else None
    first = tx.get(Combatant, data.who)
    if not most or first is None:
        return
    for combatant in list(tx.all(Combatant)):
        if combatant.creature == first.creature and (combatant.hp_base or combatant.hp_max) == DEFAULT_HP:
            after = tx.update(combatant, **maximum_hp.maximum_fields(tx, combatant.id, most))
            after = tx.update(after, hp=after.hp_max)
            rule, temp = tx.rule_id("external.max-health"), combatant.temp_hp
            tx.emit(events.HitPointsSet(who=combatant.id, hp=after.hp, temp_hp=temp, hp_max=after.hp_max, rule=rule))


def spawn_entries(tx: Transaction, entries: Sequence[prepared.RosterEntry]) -> list[str]:
    """Spawn the members of roster entries and return their ids. If there are too many members, refuse all of them."""
    _check_number(tx, sum(entry.count for entry in entries))
    counts = name_counts(tx)
    spawned = [(entry, spawn_members(tx, entry, counts)) for entry in entries]
    for entry, members in spawned:  # after all have come, because one may hold the effects of another
        _begin_effects(tx, entry, members)
    return [member for _, members in spawned for member in members]


def _begin_effects(tx: Transaction, entry: prepared.RosterEntry, members: Sequence[str]) -> None:
    """Begin the effects that are in force when the members of a roster entry come."""
    for who in members:
        for text in entry.effects if not tx.need(Combatant, who).dead else ():
            begin_prepared_effect(tx, text, who)


def begin_arrival(tx: Transaction, arrived: tuple[str, ...], parent: str = "") -> None:
    """Ask for the initiative of combatants who arrive during the rounds, then begin their start-of-fight features."""
    if arrived and clock_of(tx).phase == "rounds":
        for procedure in starting_features(tx, tx.rules, arrived).procedures:
            parent = begin(tx, procedure.kind.first, procedure.data, parent).id
        ask_initiative(tx, arrived, parent=parent)


def _check_number(tx: Transaction, more: int) -> None:
    if sum(1 for _ in tx.all(Combatant)) + more > field_specs.MAX_COMBATANTS:
        raise Refused("refused.too_many_combatants", params={"most": field_specs.MAX_COMBATANTS})


def spawn_members(tx: Transaction, entry: prepared.RosterEntry, counts: NameCounts | None = None) -> list[str]:
    """Spawn the members of a roster entry, without initiative, and return their ids.

    `counts` are the name counts of the whole roster. Pass them if you spawn several entries, and then begin their effects.
    """
    _check_number(tx, entry.count)
    creature = tx.get(prepared.Creature, entry.creature) or tx.get(GuestCreature, entry.creature)
    labels = member_labels(tx, entry, frozenset(combatant.label for combatant in tx.all(Combatant)), counts)
    adjustment = next((each for each in tx.rules.data.adjustments if each.id == entry.adjustment), None)
    hp = entry.hp if entry.hp is not None else creature.hp if creature else 1
    spawned = []
    for number in range(1, entry.count + 1):
        id = tx.create_id(Combatant, f"{entry.id}-{number}" if entry.count > 1 else entry.id)
        combatant = copy_fields(
            Combatant,
            entry,
            id=id,
            label=next(labels),
            roster=entry.id,
            hp=hp,
            hp_max=hp,
            initiative=None,
            initiative_bonus=entry.initiative,
            role=role_of(tx, entry),
            position=entry.square_of(number - 1),
            group=entry.id if entry.group else "",
            portrait="",  # the entry's own is looked up
            rides="",  # an entry names other entries; links to combatants are set when all are there
            controller="",
            controlled=bool(entry.rides),
            ring=entry.rings[number - 1] if number <= len(entry.rings) else "",
        )
        tx.put(combatant)
        carried = entry.lights[number - 1] if number <= len(entry.lights) else ""
        for source in (source for source in tx.rules.data.lights if source.id == carried):
            area = tx.create_id(LastingArea, "area")
            tx.put(LastingArea(area, source.name, id, radius=source.radius, light=source.light))
        if adjustment is not None:
            tx.put(Effect(tx.next_id("effect"), id, adjustment.id))
        if hp > 0:  # entered hit points already include what adjustments and traits change
            fields = maximum_hp.maximum_fields(tx, id, hp if entry.hp is None else maximum_hp.base_for(tx, id, hp))
            tx.update(combatant, hp=fields["hp_max"], **fields)
        position_changes.snap_to_ground(tx, id)
        action_economy.grant_initial(tx, id)
        if entry.count == 1:
            apply_character_state(tx, entry, id)
        if clock_of(tx).phase == "rounds":
            tx.emit(CombatantAdded(who=id, side=entry.side, rule=tx.rule_id("world.new-participants")))
        spawned.append(id)
    link_prepared_followers(tx, spawned)
    begin_max_hp(tx, entry, spawned)
    if counts is None:
        _begin_effects(tx, entry, spawned)
    return spawned


def _obeys(lookup: Lookup, combatant: Combatant, who: str) -> bool:
    """Return whether a combatant is controlled by another, directly or through others."""
    controller = lookup.get(Combatant, combatant.controller)
    return controller is not None and (controller.id == who or _obeys(lookup, controller, who))


def serve(
    tx: Transaction, came: Sequence[str], by: str, roster: str, *, shares_turn: bool, own_turns: bool = False
) -> None:
    """Give creatures of a roster entry to their summoner, while it concentrates on the spell that brought them.

    With `own_turns`, they are its allies and roll initiative.
    """
    owner, spell = tx.get(Combatant, by), effect_records.concentration_of(tx, tx.rules, by)
    if spell is not None:
        tx.put(Effect(tx.next_id("effect"), by, SUMMONED, spell.source, note=roster, concentrator=by, shown=False))
    for who in came:
        if owner is not None and not _obeys(tx, owner, who):
            tx.update(
                tx.need(Combatant, who), controller="" if own_turns else owner.id, side=owner.side, role="companion"
            )
            if shares_turn:
                share_turn(tx, who, owner.id)


@command(script="join {roster} [{initiative}] [summoned by {summoner}]")
class AddCombatants(Command, frozen=True):
    """Add a prepared roster entry to the fight. Its members roll initiative, or use the given total.

    Creatures with a `summoner` belong to it: it commands them, and they share its side and, without a total, its turn.
    When the spell ends that it concentrates on now, they may leave.
    """

    roster: field_specs.RosterId
    initiative: field_specs.Bonus | None = None
    summoner: field_specs.CombatantId = ""

    def handle(self, tx: Transaction) -> None:
        """Add a prepared roster entry to the running fight."""
        require(is_encounter_running(tx), "refused.not_running")
        came = spawn_members(tx, tx.need(prepared.RosterEntry, self.roster))
        serve(tx, came, self.summoner, self.roster, shares_turn=self.initiative is None)
        for who in came if self.initiative is not None else ():
            rule = tx.rule_id("world.new-participants")
            set_initiative(tx, tx.need(Combatant, who), self.initiative or 0, "entered", rule=rule)
        begin_arrival(tx, tuple(came))


def spawn_creature(
    tx: Transaction, environment: prepared.Environment, world_entry: prepared.EnvironmentEntry, parent: str
) -> None:
    """Spawn the creature of an environment entry. It has a fixed initiative count or rolls."""
    spawn = world_entry.spawn
    if spawn is None:
        return
    _provide_stat_block(tx, spawn)
    present = eligible_targets(tx, environment, world_entry, tx.rules)
    id = tx.create_id(Combatant, spawn.creature)
    (who,) = spawn_members(
        tx, prepared.RosterEntry(id=id, creature=spawn.creature, name=_name(tx, spawn), side=spawn.side)
    )
    combatant = tx.update(tx.need(Combatant, who), roster="")
    if spawn.likeness and present:
        tx.emit(LookAlikeRolled(who=who, like=present[tx.draw(len(present))].id, rule=entry_rule(world_entry)))
    if spawn.initiative is not None:
        rule = entry_rule(world_entry, tx.rule_id("env.rule.shadow-joins"))
        set_initiative(tx, combatant, spawn.initiative, "fixed", fixed=True, rule=rule)
    begin_arrival(tx, (who,), parent)


def _provide_stat_block(tx: Transaction, spawn: prepared.Spawn) -> None:
    """Ensure that the encounter has the creature's stat block: its own, the system's, or a blank one to fill in."""
    if tx.get(prepared.Creature, spawn.creature) is not None or tx.get(GuestCreature, spawn.creature) is not None:
        return
    kind = spawn.creature.replace("-", " ")
    name = spawn.name if spawn.name.casefold() == kind else f"{spawn.name} ({kind})"
    stat_block = tx.rules.spawns.get(spawn.creature) or tx.rules.new_creature(spawn.creature, name)
    tx.put(copy_fields(GuestCreature, stat_block))


def _name(tx: Transaction, spawn: prepared.Spawn) -> str:
    """Return an unused label: the creature's name, with a number if the name is taken."""
    labels = {combatant.label for combatant in tx.all(Combatant)}
    return numbered(spawn.name, labels, " ")


BY_HAND, BY_ROUND = "hand", "round"


def waiting_waves(lookup: Lookup) -> tuple[str, ...]:
    """Return the waves that haven't arrived yet, in roster order."""
    waves = dict.fromkeys(entry.wave for entry in lookup.all(prepared.RosterEntry) if entry.wave)
    return tuple(wave for wave in waves if lookup.get(ArrivedWave, wave) is None)


def spawn_wave(tx: Transaction, wave: str, reason: str = "", parent: str = "") -> tuple[str, ...]:
    """Spawn all combatants of a wave, ask for their initiative, and return their ids. Report the `reason` if given."""
    entries = [entry for entry in present(tx) if entry.wave == wave]
    if entries and reason:
        tx.emit(WaveJoined(wave=wave, why=reason))
    arrived = tuple(spawn_entries(tx, entries))
    if arrived:
        tx.put(ArrivedWave(wave, clock_of(tx).round))
        begin_arrival(tx, arrived, parent)
    return arrived


def arrive_at_round(tx: Transaction, parent: str) -> None:
    """Bring in the waves due in this round. The round doesn't start until their initiative is known."""
    clock = tx.need(Clock, "clock")
    waiting = waiting_waves(tx)
    for wave in [wave for wave in tx.all(prepared.Wave) if 0 < wave.round <= clock.round]:
        if wave.id in waiting:
            spawn_wave(tx, wave.id, BY_ROUND, parent)


def arrive_on_trigger(tx: Transaction) -> bool:
    """Bring in waves whose trigger has fired, unless a procedure is in progress. Return whether any wave arrived."""
    watched = [wave for wave in tx.all(prepared.Wave) if wave.when]
    if not watched or clock_of(tx).phase != "rounds" or _is_busy(tx):
        return False
    waiting = waiting_waves(tx)
    due = [wave for wave in watched if wave.id in waiting and is_triggered(tx, wave)]
    arrived = [spawn_wave(tx, wave.id, wave.when) for wave in due]
    return any(arrived)


def _is_busy(tx: Transaction) -> bool:
    """Return whether a procedure is in progress. Procedures with an open prompt that doesn't block are ignored."""
    open_cards = {prompt.procedure for prompt in tx.all(Prompt) if not prompt.blocks}
    return any(procedure.id not in open_cards for procedure in tx.all(Procedure))


def is_triggered(lookup: Lookup, wave: prepared.Wave) -> bool:
    """Return whether the watched combatants meet a wave's trigger."""
    combatants = [
        one for one in lookup.all(Combatant) if one.hp_max > 0 and not one.bystander and _is_watched(lookup, wave, one)
    ]
    return bool(combatants and wave.when) and _SET_OFF[wave.when](combatants)


def _is_watched(lookup: Lookup, wave: prepared.Wave, combatant: Combatant) -> bool:
    if lookup.get(prepared.RosterEntry, wave.who) is not None:
        return combatant.roster == wave.who
    if wave.who:
        return combatant.side == wave.who
    return combatant.side not in party_sides(lookup)


def _has_fallen(combatant: Combatant) -> bool:
    return combatant.dead or combatant.hp <= 0


_SET_OFF: Mapping[prepared.WaveTrigger, Callable[[list[Combatant]], bool]] = {
    "half": lambda here: any(_has_fallen(one) or 2 * one.hp <= one.hp_max for one in here),
    "first-down": lambda here: any(_has_fallen(one) for one in here),
    "all-down": lambda here: all(_has_fallen(one) for one in here),
}


@command(script="wave [{wave}]")
class BringWave(Command, frozen=True):
    """Bring in a wave of the roster now. Default: the first waiting wave."""

    wave: field_specs.WaveId = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the wave's name."""
        return wave_name(self.wave)

    def handle(self, tx: Transaction) -> None:
        """Bring in a wave, even if it has arrived before. By default, bring in the first waiting wave."""
        require_running(tx)
        wave = self.wave or next(iter(waiting_waves(tx)), "")
        require(wave, "refused.no_wave")
        if not spawn_wave(tx, wave, BY_HAND):
            raise Refused("refused.no_such_wave", params={"what": wave})
