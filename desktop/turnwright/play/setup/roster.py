"""Creatures, objects and parties that are added to an encounter, and counts that depend on the party's size."""

from collections.abc import Iterable

import msgspec

from turnwright.encounter.field_specs import Hundred, Positive, Side, SizeId
from turnwright.encounter.prepared import OBJECT, Creature, Party, RosterEntry
from turnwright.encounter.roles import matching_entry, with_party_counts
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup, creature_id, is_encounter_running, scene_of
from turnwright.play.kernel.transaction import Command, Transaction, command, copy_fields, require

LINKS = ("controller", "rides")
KEPT_FIELDS = (
    *LINKS, "side", "absent", "wave", "place", "positions", "outside", "sneaking", "hidden", "elevation", "notes",
    "bystander", "lights",
)  # fmt: skip


class AddToEncounter(Command, frozen=True):
    """Add creatures: the stat block if it is new, and a roster entry. During a fight they join it."""

    creature: Creature
    entry: RosterEntry

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the name of the roster entry, or else the creature's name."""
        return self.entry.name or self.creature.name

    def handle(self, tx: Transaction) -> None:
        """Add creatures to the encounter. During a fight they join it, and the prepared records don't change."""
        if is_encounter_running(tx):
            _add_to_fight(self, tx)
            return
        creature = self.creature
        same = next(
            (each for each in tx.all(Creature) if msgspec.structs.replace(each, id=creature.id) == creature), None
        )
        if same is None:
            same = tx.put(msgspec.structs.replace(creature, id=tx.create_id(Creature, creature.id)))
        entry = self.entry
        tx.put(msgspec.structs.replace(entry, id=tx.create_id(RosterEntry, entry.id), creature=same.id))


class AddGroup(Command, frozen=True):
    """Add a group of creatures, such as a suggestion. Its name becomes the title of an untitled encounter."""

    group: Party

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the group's name, or the names of its creatures."""
        return self.group.name or ", ".join(creature.name for creature in self.group.creatures)

    def handle(self, tx: Transaction) -> None:
        """Add each roster entry with its stat block, and the title unless the fight has begun."""
        blocks = {creature.id: creature for creature in self.group.creatures}
        for entry in self.group.roster:
            if entry.creature in blocks:
                AddToEncounter(blocks[entry.creature], entry).handle(tx)
        scene = scene_of(tx)
        if self.group.name and not scene.title and not is_encounter_running(tx):
            tx.put(msgspec.structs.replace(scene, title=self.group.name))


def _add_to_fight(command: AddToEncounter, tx: Transaction) -> None:
    creature = command.creature
    stat_block: Creature | None = tx.get(Creature, creature.id)
    if stat_block is None or stat_block != creature:
        id = tx.create_id(GuestCreature, creature.id if tx.get(Creature, creature.id) is None else f"{creature.id}-new")
        stat_block = tx.put(copy_fields(GuestCreature, creature, id=id))
    _join_fight(tx, [msgspec.structs.replace(command.entry, creature=stat_block.id)], are_guests=True)


def _join_fight(tx: Transaction, entries: Iterable[RosterEntry], *, are_guests: bool = False) -> None:
    """Bring the members of entries into the fight. Guests belong to no roster entry."""
    from turnwright.play.spawning.spawning import begin_arrival, spawn_members

    came = [who for entry in entries for who in spawn_members(tx, entry)]
    for who in came if are_guests else ():
        tx.update(tx.need(Combatant, who), roster="")
    begin_arrival(tx, tuple(came))


@command(script="object {hp} hp [ac {ac}] [size {size}] [side {side:text}] {name:rest}", manual="object")
class AddObject(Command, frozen=True):
    """Add an object or a vehicle with its own hit points and AC. It can be attacked, but has no turn."""

    name: str
    hp: Positive
    ac: Hundred = 15
    side: Side = "neutral"
    size: SizeId = "medium"

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the name of the object."""
        return self.name

    def handle(self, tx: Transaction) -> None:
        """Add a stat block for the object, and a combatant that isn't in the turn order."""
        name = self.name.strip()
        require(name, "refused.empty")
        require(self.size in {size.id for size in tx.rules.data.sizes}, "refused.unknown", what=self.size or "?")
        id = creature_id(name)
        block = Creature(id, name, size=self.size, type=OBJECT, ac=self.ac, hp=self.hp, speeds=(), abilities=())
        entry = RosterEntry(id, id, side=self.side.strip() or "neutral", dying="dies", bystander=True)
        AddToEncounter(block, entry).handle(tx)


class BringParty(Command, frozen=True):
    """Add a party's characters, or update those already in the encounter; during a fight new ones join it.

    `sets_absent`: those already in the encounter are absent if they are in the party, and not otherwise.
    """

    party: Party
    sets_absent: bool = False

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the party's name."""
        return self.party.name

    def handle(self, tx: Transaction) -> None:
        """Add or update a party's characters. Existing ones keep their place and state. During a fight new ones join it."""
        party = self.party
        present = {each.id: entry for each in party.roster if (entry := matching_entry(tx, party, each)) is not None}
        ids = {member: entry.id for member, entry in present.items()}
        ids |= {member.id: tx.create_id(RosterEntry, member.id) for member in party.roster if member.id not in present}
        new: list[str] = []
        for member in party.roster:
            former = present.get(member.id)
            creature = _creature_for(tx, party, member, former)
            entry = msgspec.structs.replace(member, id=ids[member.id], creature=creature)
            if former is not None:
                kept = {name: getattr(former, name) for name in KEPT_FIELDS}
                kept["absent"] = member.absent if self.sets_absent else former.absent
                tx.put(msgspec.structs.replace(entry, **kept))
                continue
            links = {name: ids.get(getattr(member, name), "") for name in LINKS}
            tx.put(msgspec.structs.replace(entry, **links))
            new.append(entry.id)
        if is_encounter_running(tx):
            _join_fight(tx, [entry for id in new if not (entry := tx.need(RosterEntry, id)).absent])


def _creature_for(tx: Transaction, party: Party, member: RosterEntry, former: RosterEntry | None) -> str:
    """Add or update a member's stat block and return its id. If an identical stat block exists, reuse it."""
    creature = next((stat_block for stat_block in party.creatures if stat_block.id == member.creature), None)
    if creature is None:
        return former.creature if former is not None else member.creature
    same = next((each for each in tx.all(Creature) if msgspec.structs.replace(each, id=creature.id) == creature), None)
    if same is not None:
        return same.id
    shared = former is not None and any(
        entry.creature == former.creature and entry.id != former.id for entry in tx.all(RosterEntry)
    )
    id = former.creature if former is not None and not shared else tx.create_id(Creature, creature.id)
    return tx.put(msgspec.structs.replace(creature, id=id)).id


def settle_party_counts(tx: Transaction) -> bool:
    """Update the counts that depend on the party size, unless the fight has begun. Counts set by hand become fixed."""
    entries = tuple(tx.all(RosterEntry))
    if is_encounter_running(tx) or not any(entry.counts for entry in entries):
        return False
    for entry in entries:
        before = tx.base.get(RosterEntry, entry.id)
        if entry.counts and before is not None and before.counts == entry.counts and before.count != entry.count:
            tx.update(entry, counts="")
    for changed in with_party_counts(tx):
        tx.put(changed)
    return False
