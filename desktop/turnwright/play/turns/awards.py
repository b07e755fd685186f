"""Awards: experience, treasure and milestones. Nothing is awarded unless the game master does it."""

from typing import Literal

import msgspec

from turnwright.encounter.field_specs import CombatantId, CombatantIds, Positive
from turnwright.encounter.prepared import AwardKind, Handout, Treasure
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import Award, Combatant
from turnwright.encounter.state import Lookup, clock_of, scene_of
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Command, Transaction, command, require
from turnwright.rules.parts.preparation.experience import fight_experience
from turnwright.rules.system import RuleSystem


@command(script="award xp {xp} [to {who}] [for {note}]")
class AwardExperience(Command, frozen=True):
    """Award experience points to each of the combatants, or to each player character. Optionally add the reason.

    `counted` are the labels of the enemies it is awarded for. `award` is the id of an earlier award to change.
    """

    xp: Positive
    who: CombatantIds = ()
    note: str = ""
    counted: tuple[str, ...] = ()
    award: str = ""
    at: str = ""

    def subject(self, lookup: Lookup, /) -> str:
        """Return the amount."""
        return str(self.xp)

    def handle(self, tx: Transaction) -> None:
        """Record the award. A changed award keeps its time."""
        require(tx.rules.data.awards.xp, "refused.no_experience")
        who = self.who or characters_present(tx)
        require(who, "refused.nobody_to_award")
        _put(tx, Award(self.award, "xp", self.note, self.xp, who, self.counted, self.at))
        tx.emit(ExperienceAwarded(xp=self.xp, who=who, what=self.note, rule=tx.rule_id("award.xp")))


@command(script="award treasure {what} [to {who}]")
class AwardTreasure(Command, frozen=True):
    """Give out a treasure. Without combatants, it has no owner yet."""

    what: str
    who: CombatantIds = ()
    award: str = ""
    at: str = ""

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the treasure."""
        return self.what

    def handle(self, tx: Transaction) -> None:
        """Record the treasure and its owners."""
        _put(tx, Award(self.award, "treasure", self.what, 0, self.who, (), self.at))
        tx.emit(TreasureFound(what=self.what, owners=self.who, rule=tx.rule_id("award.treasure")))


@command(script="award milestone [{note}]")
class AwardMilestone(Command, frozen=True):
    """Record a milestone that all player characters have reached."""

    note: str = ""
    award: str = ""
    at: str = ""

    def handle(self, tx: Transaction) -> None:
        """Record the milestone."""
        who = characters_present(tx)
        _put(tx, Award(self.award, "milestone", self.note, 0, who, (), self.at))
        tx.emit(MilestoneReached(what=self.note, who=who))


@journal("journal.awarded", when={"who": "journal.awarded_each"})
class ExperienceAwarded(Event, frozen=True):
    """Experience was awarded, to each of `who`. In older fights, `who` is empty and `xp` is for the whole party."""

    xp: int = 0
    who: CombatantIds = ()
    what: str = ""


@journal("journal.treasure_found", when={"who": "journal.treasure_taken", "owners": "journal.treasure_shared"})
class TreasureFound(Event, frozen=True):
    """Treasure was found. `owners` take it. In older fights, `who` is the owner, or empty."""

    what: str
    who: CombatantId = ""
    owners: CombatantIds = ()


@journal("journal.milestone", when={"what": "journal.milestone_of"})
class MilestoneReached(Event, frozen=True):
    """The player characters reached a milestone."""

    who: CombatantIds = ()
    what: str = ""


def characters_present(lookup: Lookup) -> tuple[str, ...]:
    """Return the ids of the player characters in the fight."""
    return tuple(combatant.id for combatant in lookup.all(Combatant) if is_character(lookup, combatant))


def _put(tx: Transaction, award: Award) -> None:
    require(clock_of(tx).phase in ("rounds", "ended"), "refused.not_running")
    former = tx.need(Award, award.id) if award.id else None
    id, at = (former.id, former.at or award.at) if former is not None else (tx.next_id("award"), award.at)
    tx.put(Award(id, award.kind, award.what, award.xp, award.who, award.counted, at))


class Find(msgspec.Struct, frozen=True):
    """A prepared treasure or handout: the game master's name, the name players know, and its award, if given out."""

    name: str
    known: str
    kind: Literal["treasure", "handout"]
    award: Award | None = None


def finds(lookup: Lookup) -> tuple[Find, ...]:
    """Return the prepared treasure and handouts. Awards are matched by the name that players know."""
    lines = tuple(Find(find, find, "treasure") for find in scene_of(lookup).treasure)
    lines += tuple(Find(item.name.strip() or item.id, item.known_name, "treasure") for item in lookup.all(Treasure))
    lines += tuple(Find(each.title or each.id, each.title or each.id, "handout") for each in lookup.all(Handout))
    given = [award for award in lookup.all(Award) if award.kind == "treasure"]
    found = []
    for line in lines:
        award = next((award for award in given if award.what == line.known), None)
        if award is not None:
            given.remove(award)
        found.append(msgspec.structs.replace(line, award=award))
    return tuple(found)


def award_of(lookup: Lookup, kind: AwardKind) -> Award | None:
    """Return the first award of a kind, or None."""
    return next((award for award in lookup.all(Award) if award.kind == kind), None)


def open_award(lookup: Lookup, rules: RuleSystem) -> Literal["", "xp", "treasure"]:
    """Return the next open award after a fight: `xp` or `treasure`, or an empty string."""
    if (
        rules.data.awards.xp
        and award_of(lookup, "xp") is None
        and any(one.counts for one in fight_experience(lookup, rules))
    ):
        return "xp"
    return "treasure" if any(find.kind == "treasure" and find.award is None for find in finds(lookup)) else ""
