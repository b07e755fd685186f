"""Data about combatants that the game master enters: names, sides, rings, portraits, plans, missing numbers."""

from __future__ import annotations

from typing import Annotated

from turnwright.encounter.field_specs import MAX_NUMBER, CombatantId, CombatantIds, FieldSpec, Side, StatName
from turnwright.encounter.member_labels import ringed_label, unringed_label
from turnwright.encounter.prepared import TokenRing
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.play.kernel.commands import Command, command, require_targets
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.events import StatSet
from turnwright.rules.system import RuleSystem


@journal("journal.renamed")
class Renamed(Event, frozen=True):
    """A combatant's label was changed."""

    who: CombatantId
    before: str


@command(script="rename {who} {label:rest}")
class Rename(Command, frozen=True):
    """Rename a combatant."""

    who: CombatantId
    label: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change a combatant's label. Refuse an empty one."""
        if not self.label.strip():
            raise Refused("refused.no_name")
        before = tx.need(Combatant, self.who)
        after = tx.update(before, label=self.label.strip())
        if after.label != before.label:
            tx.emit(Renamed(who=self.who, before=before.label))


@command(script="meet {who} [alone {alone=true}] [as {shown_as:rest}] | unmeet {who} {forget=true}")
class SetKnownName(Command, frozen=True):
    """Tell players the names of combatants and all others of their kind, or give them another name."""

    who: CombatantIds
    shown_as: str = ""
    alone: bool = False
    forget: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Record the names by which players know combatants. `alone`: others of their kind aren't included."""
        for who in require_targets(self.who):
            combatant = tx.need(Combatant, who)
            id = combatant.id if self.alone or not combatant.creature else kind_id(combatant.creature)
            if not self.forget:
                tx.put(KnownName(id, self.shown_as.strip()))
                continue
            tx.discard(KnownName, combatant.id)
            tx.discard(KnownName, id)


@journal("journal.side_changed", kind="warn", joins=("who",))
class SideChanged(Event, frozen=True):
    """A combatant changed to another side."""

    who: CombatantId
    before: Side
    side: Side


@command(script="side {targets} {side:rest}", manual="side")
class SetSide(Command, frozen=True):
    """Move combatants to another side."""

    targets: CombatantIds
    side: Side

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Change the side of combatants. Refuse an empty side."""
        side = self.side.strip()
        if not side:
            raise Refused("refused.no_side")
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.side != side:
                tx.update(combatant, side=side)
                tx.emit(SideChanged(who=who, before=combatant.side, side=side))


@command(script="ring {ring} {targets} | unring {targets}")
class SetRing(Command, frozen=True):
    """Set the ring colour of combatants' miniatures, or remove their rings. The colour becomes part of their names."""

    targets: CombatantIds
    ring: TokenRing = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the ring colour of combatants and add it to their labels."""
        for who in require_targets(self.targets):
            combatant = tx.need(Combatant, who)
            if combatant.ring != self.ring:
                other_labels = {other.label for other in tx.all(Combatant) if other.id != who}
                bare = unringed_label(combatant.label, combatant.ring, other_labels)
                tx.update(combatant, ring=self.ring, label=ringed_label(bare, self.ring, other_labels))


@command(script="portrait {who} [{portrait:rest}]")
class SetPortrait(Command, frozen=True):
    """Give a combatant its own portrait (a file next to the encounter), or use its creature's portrait again."""

    who: CombatantId
    portrait: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Give a combatant its own portrait, or use its creature's portrait again."""
        tx.update(tx.need(Combatant, self.who), portrait=self.portrait.strip())


@command(script="hide {who} {hidden=true} | reveal {who}")
class SetHidden(Command, frozen=True):
    """Hide combatants from the players, or show them."""

    who: CombatantIds
    hidden: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Hide combatants from the players' view, or show them."""
        for who in require_targets(self.who):
            tx.update(tx.need(Combatant, who), hidden=self.hidden)


@command(script="plan {who} {text:rest}")
class SetPlan(Command, frozen=True):
    """Note what a combatant plans to do on its next turn. The plan isn't binding."""

    who: CombatantId
    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Note a plan, which costs nothing."""
        tx.update(tx.need(Combatant, self.who), plan=self.text)
        tx.emit(Planned(who=self.who, text=self.text, rule=rules.rule_id("offturn.plan")))


@journal("journal.planned")
class Planned(Event, frozen=True):
    """A combatant's plan was noted."""

    who: CombatantId
    text: str


@command(script="count damage {targets} (up | down {counts_damage=false})", manual="damage-count")
class SetDamageCount(Command, frozen=True):
    """Show the damage taken (`up`) or the remaining hit points (`down`) of combatants."""

    targets: CombatantIds
    counts_damage: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set whether the damage taken or the remaining hit points of combatants are shown."""
        for who in require_targets(self.targets):
            tx.update(tx.need(Combatant, who), counts_damage=self.counts_damage)


@command(script="supply {who} {stat} {value}")
class SetStat(Command, frozen=True):
    """Enter a number that is missing from a stat block, such as `passive.perception`, for the rest of the fight."""

    who: CombatantId
    stat: StatName
    value: Annotated[int, FieldSpec(least=0, most=MAX_NUMBER, label="set-stat.number")]

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Record a number missing from a stat block. It applies until another value is entered."""
        if not self.stat.strip():
            raise Refused("refused.empty")
        combatant = tx.need(Combatant, self.who)
        numbers = dict(combatant.supplied_numbers) | {self.stat: self.value}
        tx.update(combatant, supplied_numbers=tuple(numbers.items()))
        rule = rules.rule_id("passive.scores") if self.stat.startswith("passive.") else ""
        tx.emit(StatSet(who=self.who, stat=self.stat, value=self.value, rule=rule))
