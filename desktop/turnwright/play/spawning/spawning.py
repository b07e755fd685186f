"""Creates combatants from roster entries or environments, and asks for missing hit points."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.bounds import MAX_COMBATANTS
from turnwright.encounter.field_specs import Bonus, CombatantId, CountdownId, RosterId, Side, WaveId
from turnwright.encounter.lookups import clock_of, is_encounter_running
from turnwright.encounter.member_labels import NameCounts, member_labels, name_counts
from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, RosterEntry, Spawn
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask
from turnwright.encounter.procedure_state.spawning import MAX_HP, MaxHpQuestion
from turnwright.encounter.running import Combatant, Effect, GuestCreature
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import Answers, ask, begin, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.spawning.character_state import apply_character_state
from turnwright.play.state.action_economy import grant_initial
from turnwright.play.state.events import HitPointsSet
from turnwright.play.state.position_changes import snap_to_ground
from turnwright.play.turn_order.initiative import ask_initiative, link_prepared_followers, set_initiative
from turnwright.rules.parts.actions.triggered_features import starting_features
from turnwright.rules.parts.environment.entries import eligible_targets, entry_rule
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.adjustments import Adjustment

FIGURE = "health"
DEFAULT_HP = Creature("", "").hp


@journal("journal.joined", kind="warn", joins=("who",))
class CombatantAdded(Event, frozen=True):
    """A combatant entered the fight."""

    who: CombatantId
    side: Side


@journal("journal.pool_started", kind="world", what="countdown")
class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: CountdownId
    dice: int


@journal("journal.wave_{why}", kind="world")
class WaveJoined(Event, frozen=True):
    """A wave arrived: in its `round`, by `hand`, or by its trigger (`half`, `first-down`, `all-down`)."""

    wave: WaveId
    why: str


@journal("journal.likeness", kind="world")
class LookAlikeRolled(Event, frozen=True):
    """A randomly chosen combatant determined the looks of a new creature."""

    who: CombatantId
    like: CombatantId


def begin_max_hp(tx: Transaction, rules: RuleSystem, entry: RosterEntry, spawned: list[str]) -> None:
    """Ask for the maximum hit points of a roster entry's creatures, unless they are known or already asked for."""
    creature = tx.get(Creature, entry.creature)
    is_known = entry.hp is not None or creature is None or creature.hp != DEFAULT_HP
    if spawned and rules.data.health.asked and not is_known and entry.creature not in _asked(tx):
        begin(tx, MAX_HP.ask_maximum, MaxHpQuestion(spawned[0]))


def _asked(lookup: Lookup) -> set[str]:
    questions = (procedure.data for procedure in lookup.all(Procedure))
    first = (data.who for data in questions if isinstance(data, MaxHpQuestion))
    return {combatant.creature for who in first if (combatant := lookup.get(Combatant, who)) is not None}


def ask_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Ask for the maximum hit points."""
    who = data_of(procedure, MaxHpQuestion).who
    if tx.get(Combatant, who) is None:
        return None
    rule = rules.rule_id("external.max-health")
    question = Ask(FIGURE, "number", "ask.max_health", who, rule=rule)
    return ask(tx, goto(procedure, MAX_HP.set_maximum), "prompt.figures", [question], subject=label_of(tx, who))


def set_maximum(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Set the maximum for all creatures with this stat block that have none. If the ask is skipped, nothing changes."""
    most = answers[FIGURE].number if FIGURE in answers else None
    first = tx.get(Combatant, data_of(procedure, MaxHpQuestion).who)
    if not most or first is None:
        return
    for combatant in list(tx.all(Combatant)):
        if combatant.creature == first.creature and combatant.hp_max == DEFAULT_HP:
            tx.put(msgspec.structs.replace(combatant, hp=most, hp_max=most))
            rule = rules.rule_id("external.max-health")
            tx.emit(HitPointsSet(who=combatant.id, hp=most, temp_hp=combatant.temp_hp, hp_max=most, rule=rule))


def spawn_entries(tx: Transaction, rules: RuleSystem, entries: Sequence[RosterEntry]) -> list[str]:
    """Spawn the members of roster entries and return their ids. If there are too many members, refuse all of them."""
    _check_number(tx, sum(entry.count for entry in entries))
    counts = name_counts(tx)
    return [member for entry in entries for member in spawn_members(tx, rules, entry, counts)]


def begin_arrival(tx: Transaction, rules: RuleSystem, arrived: tuple[str, ...], parent: str = "") -> None:
    """Ask for the initiative of combatants who arrive during the rounds, then begin their start-of-fight features."""
    if arrived and clock_of(tx).phase == "rounds":
        for procedure in starting_features(tx, rules, arrived).procedures:
            parent = begin(tx, procedure.kind.first, procedure.data, parent).id
        ask_initiative(tx, arrived, parent=parent)


def _check_number(tx: Transaction, more: int) -> None:
    if sum(1 for _ in tx.all(Combatant)) + more > MAX_COMBATANTS:
        raise Refused("refused.too_many_combatants", params={"most": MAX_COMBATANTS})


def spawn_members(
    tx: Transaction, rules: RuleSystem, entry: RosterEntry, counts: NameCounts | None = None
) -> list[str]:
    """Spawn the members of a roster entry, without initiative, and return their ids.

    `counts` are the name counts of the whole roster. Pass them if you spawn several entries.
    """
    _check_number(tx, entry.count)
    creature = tx.get(Creature, entry.creature) or tx.get(GuestCreature, entry.creature)
    labels = member_labels(tx, entry, frozenset(combatant.label for combatant in tx.all(Combatant)), counts)
    adjustment = next(
        (known_adjustment for known_adjustment in rules.data.adjustments if known_adjustment.id == entry.adjustment),
        None,
    )
    hp = entry.hp if entry.hp is not None else _hit_points(creature, adjustment) if creature else 1
    spawned = []
    for number in range(1, entry.count + 1):
        many = entry.count > 1
        id = tx.create_id(Combatant, f"{entry.id}-{number}" if many else entry.id)
        combatant = Combatant(
            id=id,
            creature=entry.creature,
            label=next(labels),
            side=entry.side,
            roster=entry.id,
            hp=hp,
            hp_max=hp,
            ac=entry.ac,
            initiative_bonus=entry.initiative,
            check=entry.check,
            sneaking=entry.sneaking,
            hidden=entry.hidden,
            player=entry.player,
            place=entry.place,
            position=entry.positions[number - 1] if number <= len(entry.positions) else None,
            outside=entry.outside,
            gear=entry.gear,
            elevation=entry.elevation,
            group=entry.id if entry.group else "",
            dying=entry.dying,
            bystander=entry.bystander,
            counts_damage=entry.counts_damage,
            controlled=bool(entry.rides),
            ring=entry.rings[number - 1] if number <= len(entry.rings) else "",
        )
        tx.put(combatant)
        if adjustment is not None:
            tx.put(Effect(tx.next_id("effect"), id, adjustment.id))
        snap_to_ground(tx, rules, id)
        grant_initial(tx, rules, id)
        if entry.count == 1:
            apply_character_state(tx, rules, entry, id)
        if clock_of(tx).phase == "rounds":
            tx.emit(CombatantAdded(who=id, side=entry.side, rule=rules.rule_id("world.new-participants")))
        spawned.append(id)
    link_prepared_followers(tx, spawned)
    begin_max_hp(tx, rules, entry, spawned)
    return spawned


def _hit_points(creature: Creature, adjustment: Adjustment | None) -> int:
    """Return a creature's hit points, adjusted if it is stronger or weaker than usual. They are at least 1."""
    return creature.hp if adjustment is None else max(1, creature.hp + adjustment.hit_points(creature.level))


@command(script="join {roster} [{initiative}]")
class AddCombatants(Command, frozen=True):
    """Add a prepared roster entry to the fight. Its members roll initiative, or use the given total."""

    roster: RosterId
    initiative: Bonus | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a prepared roster entry to the running fight."""
        if not is_encounter_running(tx):
            raise Refused("refused.not_running")
        came = spawn_members(tx, rules, tx.need(RosterEntry, self.roster))
        for who in came:
            if self.initiative is not None:
                rule = rules.rule_id("world.new-participants")
                set_initiative(tx, rules, tx.need(Combatant, who), self.initiative, "entered", rule=rule)
        begin_arrival(tx, rules, tuple(came))


def spawn_creature(
    tx: Transaction, rules: RuleSystem, environment: Environment, world_entry: EnvironmentEntry, parent: str
) -> None:
    """Spawn the creature of an environment entry. It has a fixed initiative count or rolls."""
    spawn = world_entry.spawn
    if spawn is None:
        return
    _provide_stat_block(tx, rules, spawn)
    present = eligible_targets(tx, environment, world_entry, rules)
    id = tx.create_id(Combatant, spawn.creature)
    entry = RosterEntry(id=id, creature=spawn.creature, name=_name(tx, spawn), side=spawn.side)
    (who,) = spawn_members(tx, rules, entry)
    combatant = tx.update(tx.need(Combatant, who), roster="")
    if spawn.likeness and present:
        tx.emit(LookAlikeRolled(who=who, like=present[tx.draw(len(present))].id, rule=entry_rule(world_entry)))
    if spawn.initiative is not None:
        rule = entry_rule(world_entry, rules.rule_id("env.rule.shadow-joins"))
        set_initiative(tx, rules, combatant, spawn.initiative, "fixed", fixed=True, rule=rule)
    begin_arrival(tx, rules, (who,), parent)


def _provide_stat_block(tx: Transaction, rules: RuleSystem, spawn: Spawn) -> None:
    """Ensure that the encounter has the creature's stat block: its own, the system's, or a blank one to fill in."""
    if tx.get(Creature, spawn.creature) is not None or tx.get(GuestCreature, spawn.creature) is not None:
        return
    kind = spawn.creature.replace("-", " ")
    name = spawn.name if spawn.name.casefold() == kind else f"{spawn.name} ({kind})"
    stat_block = rules.spawns.get(spawn.creature) or rules.new_creature(spawn.creature, name)
    tx.put(GuestCreature(**{name: getattr(stat_block, name) for name in stat_block.__struct_fields__}))


def _name(tx: Transaction, spawn: Spawn) -> str:
    """Return an unused label: the creature's name, with a number if the name is taken."""
    labels = {combatant.label for combatant in tx.all(Combatant)}
    number = 1
    name = spawn.name
    while name in labels:
        number += 1
        name = f"{spawn.name} {number}"
    return name


STAGES = stages_in(globals(), MAX_HP)
