"""The command that sets the relation between two combatants: distance, height, cover, sight, flanking, reach."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import CoverLevel
from turnwright.encounter.running import Relation, relation_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, combatant_names, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.position_changes import put_relation
from turnwright.rules.parts import positions
from turnwright.rules.system import RuleSystem


@command(
    script="relate {who} {other} [distance {distance}] [height {height}] [cover {cover}] [sees {seen=true} "
    "| unseen {seen=false}] [flanks {flanked=true} | unflanked {flanked=false}] [reached {reached=true} "
    "| unreached {reached=false}] [forget]+"
)
class SetRelation(Command, frozen=True):
    """Set one combatant's distance, cover, sight or reach in relation to another. `forget` removes all of these.

    None (or an empty cover) leaves a value unchanged.
    """

    who: CombatantId
    other: CombatantId
    distance: int | None = None
    height: int | None = None
    cover: CoverLevel = ""
    seen: bool | None = None
    flanked: bool | None = None
    reached: bool | None = None
    forget: bool = False

    def subject(self, lookup: Lookup, /) -> str:
        """Return the names of both combatants."""
        return combatant_names(lookup, (self.who, self.other))

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the relation between two combatants. Distance and height apply in both directions."""
        if self.who == self.other:
            raise Refused("refused.same_one")
        if self.distance is not None and self.distance < 0:
            raise Refused("refused.feet")
        if self.forget:
            _clear_relation(tx, rules, self)
            return
        facts = {name: value for name in RELATION_FACTS if (value := getattr(self, name)) not in (None, "")}
        near = rules.data.places.near
        if self.distance is not None and self.distance <= near and _was_farther(tx, rules, self, near):
            _require_room(tx, rules, self)
        _clear_reverse(tx, self, facts)
        id = relation_id(self.who, self.other)
        pair = tx.get(Relation, id) or Relation(id, self.who, self.other)
        if facts:
            tx.update(pair, **facts)
        for name, value in facts.items():
            tx.emit(
                RelationSet(who=self.who, other=self.other, fact=name, value=_as_text(value), rule=_rule(rules, name))
            )


RELATION_FACTS = ("distance", "height", "cover", "seen", "flanked", "reached")


@journal("journal.related_{fact}", one="who", value="value_text")
class RelationSet(Event, frozen=True, tag="Related", rename={"who": "one"}):
    """A fact about the relation between two combatants, such as `distance` or `seen`, was set."""

    who: CombatantId
    other: CombatantId
    fact: str
    value: str = ""

    @property
    def journal_key(self) -> str:
        """Return the journal key of the fact. Yes and no have different keys."""
        return f"journal.related_{self.fact}" + (f"_{self.value}" if self.value in ("yes", "no") else "")

    @property
    def is_bookkeeping(self) -> bool:
        """Whether only a position was set. Actions that depend on it have their own journal lines."""
        return self.bookkeeping or self.fact in ("distance", "height")

    @property
    def value_text(self) -> str:
        """The value, or its word key for cover."""
        return f"<cover.{self.value}>" if self.fact == "cover" else self.value


def _was_farther(tx: Transaction, rules: RuleSystem, command: SetRelation, near: int) -> bool:
    apart = positions.distance(tx, rules, command.who, command.other)
    return apart is None or apart > near


def _require_room(tx: Transaction, rules: RuleSystem, command: SetRelation) -> None:
    """Refuse to put a combatant next to another that has no room left around it."""
    for who, target in ((command.who, command.other), (command.other, command.who)):
        veto = positions.join_veto(tx, rules, who, target)
        if veto is not None:
            tx.forbid(veto.reason, veto.rule, **dict(veto.params))


def _clear_reverse(tx: Transaction, command: SetRelation, facts: dict[str, Any]) -> None:
    """Clear distance and height from the reverse relation if new values were set."""
    turned = tx.get(Relation, relation_id(command.other, command.who))
    both = {name: None for name in ("distance", "height") if name in facts}
    if turned is not None and both:
        put_relation(tx, msgspec.structs.replace(turned, **both))


def _clear_relation(tx: Transaction, rules: RuleSystem, command: SetRelation) -> None:
    turned = tx.get(Relation, relation_id(command.other, command.who))
    pair = tx.get(Relation, relation_id(command.who, command.other))
    if pair is not None:
        tx.remove(pair)
    if turned is not None:
        put_relation(tx, msgspec.structs.replace(turned, distance=None, height=None))
    tx.emit(RelationSet(who=command.who, other=command.other, fact="forgotten", rule=_rule(rules, "")))


def _rule(rules: RuleSystem, fact: str) -> str:
    return rules.rule_id(f"position.{fact}") or rules.rule_id("position.told")


def _as_text(value: str | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
