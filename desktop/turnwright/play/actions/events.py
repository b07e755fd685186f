"""Events of actions: checks waived, hiding and searching, maneuvers, devices."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, WordKey
from turnwright.play.kernel.events import Event, journal


@journal("journal.ruled_out")
class ActionDisallowed(Event, frozen=True, tag="RuledOut"):
    """The game master ruled an action out; nothing was spent on it."""

    who: CombatantId
    what: str


@journal("journal.trial_spared")
class CheckWaived(Event, frozen=True, tag="TrialSpared"):
    """An action needed no roll: its target let it succeed, or a rule waived the roll. `why` is a word key."""

    who: CombatantId
    action: str
    by: CombatantId
    why: WordKey


@journal("journal.noticed_by", other="observer", joins=("other",))
class HideResolved(Event, frozen=True, tag="HidFrom"):
    """A hider's total was compared with an observer's passive score; `hidden` if the hider stayed unseen."""

    who: CombatantId
    observer: CombatantId
    total: int
    score: int
    hidden: bool

    @property
    def journal_key(self) -> str:
        """Return the word key for the outcome. Ties have a separate key."""
        key = "journal.hid_from" if self.hidden else "journal.noticed_by"
        return key + ("_tie" if self.total == self.score else "")


@journal("journal.search_missed", other="hider")
class SearchResolved(Event, frozen=True, tag="SearchedFor"):
    """A search was compared with a hider's roll; `found` if it succeeded."""

    who: CombatantId
    hider: CombatantId
    total: int
    score: int
    found: bool

    @property
    def journal_key(self) -> str:
        """Return the word key for the outcome. Ties have a separate key."""
        key = "journal.search_found" if self.found else "journal.search_missed"
        return key + ("_tie" if self.total == self.score else "")


@journal("journal.maneuver", about="target", what="maneuver")
class ManeuverResolved(Event, frozen=True, tag="ManeuverSettled"):
    """A maneuver had the outcome that the game master entered; `outcome` is a word key."""

    who: CombatantId
    target: CombatantId
    maneuver: str
    outcome: WordKey


@journal("journal.fell_back_alone", when={"pursuer": "journal.fell_back"}, presser="pursuer")
class Withdrew(Event, frozen=True, tag="FellBack", rename={"pursuer": "presser"}):
    """A combatant withdrew from its pursuer by `feet`."""

    who: CombatantId
    pursuer: CombatantId
    feet: int


@journal("journal.followed")
class Pursued(Event, frozen=True, tag="Followed"):
    """A combatant followed an enemy that withdrew, by `feet` that cost no movement."""

    who: CombatantId
    after: CombatantId
    feet: int


@journal("journal.worked_at")
class DeviceProgress(Event, frozen=True, tag="WorkedAt"):
    """A combatant made progress in disabling a device: `done` of the `need` successes required."""

    who: CombatantId
    target: CombatantId
    done: int
    need: int
