"""Creates combatants from roster entries, at the start of a fight or later."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.encounter.bounds import MAX_COMBATANTS
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.member_labels import NameCounts, member_labels, name_counts
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, Effect, GuestCreature
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.ask_max_hp import begin_max_hp
from turnwright.play.spawning.character_state import apply_character_state
from turnwright.play.spawning.events import CombatantAdded
from turnwright.play.state.action_economy import grant_initial
from turnwright.play.state.position_changes import snap_to_ground
from turnwright.play.turn_order.controlled_creatures import link_prepared_followers
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.rules.parts.actions.triggered_features import starting_features
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.adjustments import Adjustment


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
