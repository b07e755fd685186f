"""Edits of prepared creatures that reach a running fight: at once during set-up, and on request during the rounds."""

from collections.abc import Iterator, Sequence

import msgspec

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.roles import present, role_of
from turnwright.encounter.running import Clock, Combatant, Effect
from turnwright.encounter.state import Key, Lookup, Record, clock_of, is_encounter_running, key_of, member_labels
from turnwright.play.kernel.scheduler import Step
from turnwright.play.kernel.transaction import Command, Transaction, require
from turnwright.play.spawning.spawning import spawn_members
from turnwright.play.state.maximum_hp import base_for, maximum_fields
from turnwright.play.turns.turns import RemoveCombatant

COPIED = frozenset(
    ("creature", "side", "ac", "check", "sneaking", "hidden", "player", "gear", "dying", "bystander", "counts_damage")
)
FOLLOWED = ("name", "hp", "adjustment", "initiative", "role", *sorted(COPIED))


class TakeOverPrepared(Command, frozen=True):
    """Change combatants as their roster entries were changed since `before`, which contains hit points."""

    before: tuple[RosterEntry, ...]

    def handle(self, tx: Transaction) -> None:
        """Apply each difference. Damage, positions and everything else of the fight stay."""
        require(is_encounter_running(tx), "refused.not_running")
        for before in self.before:
            _follow(tx, before, tx.need(RosterEntry, before.id))


def edited_in_fight(lookup: Lookup, steps: Sequence[Step]) -> Iterator[tuple[RosterEntry, tuple[str, ...]]]:
    """Yield the roster entries that were edited since the rounds began, as they were, and their changed fields.

    `steps` are those of the document. Edits that were taken over don't count.
    """
    then: dict[Key, Record | None] = {}
    for step in reversed(steps):
        phases = {change.before.phase for change in step.changes if isinstance(change.before, Clock)}
        if phases - {"rounds"} or step.label.key == "step.take_over_prepared":
            break
        then |= {change.key: change.before for change in step.changes}
    for entry in lookup.all(RosterEntry):
        before = then.get(key_of(entry), entry)
        if isinstance(before, RosterEntry):
            block = then.get((Creature.table, before.creature)) or lookup.get(Creature, before.creature)
            before = _with_hit_points(before, block)
            if fields := _changed_fields(before, _complete(lookup, entry)):
                yield before, fields


def follow_prepared(tx: Transaction) -> bool:
    """During set-up, apply the edits of roster entries and stat blocks to the combatants. Return whether any joined."""
    if clock_of(tx).phase != "set-up" or clock_of(tx.base).phase != "set-up":
        return False
    joined = False
    for before in present(tx.base):
        entry = tx.get(RosterEntry, before.id)
        now = _complete(tx, entry) if entry is not None and not entry.absent else None
        if now == _complete(tx.base, before):
            continue
        members = [combatant for combatant in tx.all(Combatant) if combatant.roster == before.id]
        for combatant in members[now.count if now is not None else 0 :]:
            RemoveCombatant(combatant.id).handle(tx)
        if entry is not None and now is not None and members:
            _follow(tx, _complete(tx.base, before), entry)
            joined |= _join(tx, entry, entry.count - len(members))
    known = {entry.id for entry in present(tx.base)} | {combatant.roster for combatant in tx.all(Combatant)}
    new = [entry for entry in present(tx) if not entry.wave and entry.id not in known]
    return sum(_join(tx, entry, entry.count) for entry in new) > 0 or joined


def _join(tx: Transaction, entry: RosterEntry, count: int) -> bool:
    """Spawn the last members of a roster entry. Return False if there are none."""
    first = max(0, entry.count - count)
    lists = {name: getattr(entry, name)[first:] for name in ("positions", "rings", "lights")}
    rest = {"count": max(0, count), **lists}
    return bool(spawn_members(tx, msgspec.structs.replace(entry, **rest)))


def _with_hit_points(entry: RosterEntry, block: Record | None) -> RosterEntry:
    hp = block.hp if isinstance(block, Creature) and entry.hp is None else entry.hp
    return msgspec.structs.replace(entry, hp=hp)


def _complete(lookup: Lookup, entry: RosterEntry) -> RosterEntry:
    """Return a roster entry with its hit points, which are those of its stat block unless it has its own."""
    return _with_hit_points(entry, lookup.get(Creature, entry.creature))


def _changed_fields(before: RosterEntry, after: RosterEntry) -> tuple[str, ...]:
    return tuple(name for name in FOLLOWED if getattr(before, name) != getattr(after, name))


def _follow(tx: Transaction, before: RosterEntry, entry: RosterEntry) -> None:
    """Apply the differences between two versions of a roster entry to its combatants."""
    changed = {*_changed_fields(before, _complete(tx, entry))}
    members = [combatant for combatant in tx.all(Combatant) if combatant.roster == entry.id] if changed else []
    taken = {combatant.label for combatant in tx.all(Combatant) if combatant.roster != entry.id}
    labels = member_labels(tx, entry, frozenset(taken))
    for combatant in members:
        fields = {name: getattr(entry, name) for name in COPIED & changed}
        fields |= {"initiative_bonus": entry.initiative} if "initiative" in changed else {}
        fields |= {"label": next(labels)} if "name" in changed else {}
        tx.update(combatant, role=role_of(tx, entry), **fields)
        if "adjustment" in changed:
            _adjust(tx, combatant.id, entry.adjustment)
        if changed & {"hp", "adjustment"}:
            _resize(tx, combatant.id, entry)


def _adjust(tx: Transaction, who: str, adjustment: str) -> None:
    known = {each.id for each in tx.rules.data.adjustments}
    for effect in [effect for effect in tx.all(Effect) if effect.target == who and effect.name in known]:
        tx.remove(effect)
    if adjustment in known:
        tx.put(Effect(tx.next_id("effect"), who, adjustment))


def _resize(tx: Transaction, who: str, entry: RosterEntry) -> None:
    """Give a combatant the maximum of its roster entry. It gains or loses as many hit points as the maximum."""
    combatant, hp = tx.need(Combatant, who), _complete(tx, entry).hp or 0
    fields = maximum_fields(tx, who, hp if entry.hp is None else base_for(tx, who, hp))
    gained = fields["hp_max"] - combatant.hp_max
    tx.update(combatant, hp=max(min(1, combatant.hp), combatant.hp + gained) if combatant.hp else 0, **fields)
