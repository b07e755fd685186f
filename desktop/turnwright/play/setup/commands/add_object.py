"""The command `AddObject`: add a door, a cart or a siege engine with its own AC and hit points, but no turn."""

from __future__ import annotations

from turnwright.encounter.field_specs import Hundred, Positive, Side, SizeId
from turnwright.encounter.member_labels import creature_id
from turnwright.encounter.prepared import OBJECT, Creature, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter
from turnwright.rules.system import RuleSystem


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

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a stat block for the object, and a combatant that isn't in the turn order."""
        name = self.name.strip()
        if not name:
            raise Refused("refused.empty")
        if self.size not in {size.id for size in rules.data.sizes}:
            raise Refused("refused.unknown", params={"what": self.size or "?"})
        id = creature_id(name)
        block = Creature(id, name, size=self.size, type=OBJECT, ac=self.ac, hp=self.hp, speeds=(), abilities=())
        entry = RosterEntry(id, id, side=self.side.strip() or "neutral", dying="dies", bystander=True)
        AddToEncounter(block, entry).handle(tx, rules)
