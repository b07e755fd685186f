"""An open adventure: its plan, its progress, and the party that plays it.

Its files are read again before each change, under a lock, so that two windows can use one adventure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

import msgspec

from turnwright.encounter.adventure import Adventure, AdventureRun, AdventureStep, StepDone, with_done
from turnwright.encounter.prepared import Countdown, Creature, Party, RosterEntry
from turnwright.encounter.roles import is_character, matching_entry, present
from turnwright.encounter.running import Award, Combatant, KnownName, kind_id
from turnwright.encounter.state import Encounter, Record, clock_of, scene_of
from turnwright.play.session import Session
from turnwright.play.setup.roster import BringParty
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.system import RuleSystem
from turnwright.storage.adventures import RUN, LoadedAdventure, encounter_at, read_adventure, read_run, write_adventure
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import Library
from turnwright.storage.library.parties import merged, party_members, party_of
from turnwright.storage.toml.source import digest_of
from turnwright.workspace.locks import DocumentLock, hold, lock_name
from turnwright.workspace.party_files import save_party
from turnwright.workspace.party_states import after_rest, party_states

Bringing = Literal["", "update", "ask"]
_COPIED: Final = ("level", "ac", "hp", "initiative", "name", "player", "role")


class PlanChangedError(Exception):
    """Raised if another window or program changed the plan of an adventure since it was read. It wasn't written."""


class OpenAdventure:
    """An adventure that is open in a window: its plan, its progress and its folder.

    `plan` is the path of its `adventure.toml`. `adventure` is None if the plan has errors, which are in `findings`.
    """

    def __init__(self, plan: Path, systems: Collection[str], state_folder: Path) -> None:
        self.plan = plan.absolute()
        self.systems = systems
        self.state_folder = state_folder
        self.reload()

    @property
    def folder(self) -> Path:
        """The folder of the adventure and its encounters."""
        return self.plan.parent

    @property
    def title(self) -> str:
        """The title of the adventure, or the name of its folder."""
        return (self.adventure.title if self.adventure is not None else "") or self.folder.name

    def reload(self) -> None:
        """Read the plan and the progress again."""
        self._loaded: LoadedAdventure = read_adventure(self.plan, self.systems)
        self.adventure: Adventure | None = self._loaded.adventure
        self.run, run_findings = read_run(self.folder / RUN)
        self.findings: tuple[Finding, ...] = (*self._loaded.findings, *run_findings)

    def key_of(self, encounter: Path) -> str:
        """Return the key of the step of an encounter file, or an empty string."""
        encounter = encounter.absolute()
        if self.adventure is None or not encounter.is_relative_to(self.folder):
            return ""
        key = f"encounter:{encounter.relative_to(self.folder).as_posix()}"
        return key if key in self.adventure.keys else ""

    def step(self, key: str) -> AdventureStep | None:
        """Return the step with a key, or None."""
        place = self.adventure.place_of(key) if self.adventure is not None else -1
        return self.adventure.steps[place] if self.adventure is not None and place >= 0 else None

    def path_of(self, step: AdventureStep) -> Path:
        """Return the path of the encounter file of a step."""
        return self.folder / step.encounter

    def document_path(self, key: str) -> Path | None:
        """Return the encounter file that is open at a step, or None if there is none."""
        return encounter_at(self.folder, self.adventure, key) if self.adventure is not None else None

    def change_plan(self, adventure: Adventure, *, keeps_old: bool = True) -> None:
        """Write a new plan. Comments and unknown keys are kept, and with `keeps_old` the old version as a backup.

        Raise PlanChangedError if the plan was changed in the meantime, or OSError.
        """
        with self._locked(self.plan):
            now = read_adventure(self.plan, self.systems)
            if now.text != self._loaded.text:
                self.reload()
                raise PlanChangedError(str(self.plan))
            write_adventure(self.plan, adventure, self._backups if keeps_old else None)
        self.reload()

    def change_run(self, change: Callable[[AdventureRun], AdventureRun]) -> None:
        """Change the progress by a function that receives it as the file has it now, and write it. Raise OSError."""
        path = self.folder / RUN
        with self._locked(path):
            run, _ = read_run(path)
            write_adventure(path, change(run), self._backups)
        self.reload()

    @property
    def _backups(self) -> Path:
        return self.state_folder / "backups"

    def _locked(self, path: Path) -> AbstractContextManager[None]:
        return hold(DocumentLock(self.state_folder / "recovery", lock_name(path)))


class StepSummary(msgspec.Struct, frozen=True):
    """Facts about an encounter file for a list: its title, its numbers of enemies, waves and countdowns, its threat.

    `gravity` is the number of graver threats that the rule system has, or None without a threat.
    """

    title: str = ""
    foes: int = 0
    waves: int = 0
    countdowns: int = 0
    threat: str = ""
    gravity: int | None = None


def step_summary(records: Collection[Record], rules: RuleSystem, party: Party | None) -> StepSummary:
    """Return the facts about an encounter's prepared records. A party is counted if the encounter has none yet."""
    encounter = Encounter(records)
    if party is not None and not party_members(encounter):
        encounter = with_party(encounter, rules, party)
    ours, budget = set(party_members(encounter)), encounter_budget(encounter, rules)
    entries = [entry for entry in present(encounter) if entry not in ours and not entry.bystander]
    waves = {entry.wave for entry in entries if entry.wave}
    threats = budget.threats if budget is not None else ()
    threat = budget.threat if budget is not None else ""
    gravity = threats[::-1].index(threat) if threat in threats else None
    count, foes = len(list(encounter.all(Countdown))), sum(entry.count for entry in entries)
    return StepSummary(scene_of(encounter).title, foes, len(waves), count, threat, gravity)


def with_party(encounter: Encounter, rules: RuleSystem, party: Party) -> Encounter:
    """Return a prepared encounter with a party brought in."""
    session = Session(encounter, rules)
    session.do(BringParty(party, sets_absent=True))
    return session.encounter


def new_adventure(plan: Path, adventure: Adventure, systems: Collection[str], state_folder: Path) -> OpenAdventure:
    """Write the plan of a new adventure and open it. Raise FileExistsError if the folder has one already, or OSError."""
    if plan.exists():
        raise FileExistsError(str(plan))
    write_adventure(plan, adventure)
    return OpenAdventure(plan, systems, state_folder)


# The party ---------------------------------------------------------------------------------------------------------


def party_of_adventure(adventure: Adventure, library: Library) -> Party | None:
    """Return the party of an adventure as the library has it now, or None if it has none of that id."""
    entry = next((entry for entry in library.parties(adventure.system) if entry.id == adventure.party), None)
    record = library.load(entry)[0] if entry is not None else None
    return record if isinstance(record, Party) else None


def later_done(adventure: Adventure, run: AdventureRun, key: str) -> tuple[str, ...]:
    """Return the keys of later steps that were played after a step was played for the first time.

    The standing of the party in the library comes from them.
    """
    done = run.by_key
    if key not in done:
        return ()
    later = adventure.keys[adventure.place_of(key) + 1 :]
    return tuple(each for each in later if each in done and done[each].at >= done[key].at and not done[each].skipped)


def carry_party(
    adventure: Adventure, encounter: Encounter, rules: RuleSystem, library: Library, *, awards_only: bool = False
) -> Party | None:
    """Save the party's standing and awards from an encounter to the library, and return the party.

    With `awards_only`, the party keeps the standing that it has there.
    Return None if the adventure has no party there, or the fight hasn't begun. Carrying twice is the same as once.
    Raise OSError if the library can't be written.
    """
    stored = party_of_adventure(adventure, library)
    if stored is None:
        return None
    matched = (matching_entry(encounter, stored, member) for member in stored.roster)
    members = {entry.id for entry in matched if entry is not None}
    states = {id: state for id, state in party_states(encounter, rules).items() if id in members}
    if not states:
        return None
    here = party_of(encounter, "", stored.name, states)
    carried: list[Party] = []

    def make() -> Party:
        now = party_of_adventure(adventure, library) or stored
        carried.append(merged(now, here, encounter, {} if awards_only else states))
        return carried[-1]

    save_party(library, rules.id, make)
    return carried[-1]


def done_in(encounter: Encounter, key: str, now: datetime) -> StepDone | None:
    """Return the record of an encounter that was played to its end, or None."""
    clock = clock_of(encounter)
    if clock.phase != "ended":
        return None
    xp = sum(award.xp * len(award.who) for award in encounter.all(Award) if award.kind == "xp")
    at = now.isoformat(timespec="seconds")
    return StepDone(key, at, rounds=clock.round, seconds=clock.elapsed_seconds, xp=xp)


def run_after(run: AdventureRun, encounter: Encounter, key: str, next_key: str, now: datetime) -> AdventureRun:
    """Return the progress after an encounter, with the names that players learned, at the next step."""
    done = done_in(encounter, key, now)
    known = {**dict(run.known), **dict(_known_names(encounter))}
    run = msgspec.structs.replace(run, at=next_key or run.at, known=tuple(known.items()))
    return with_done(run, done) if done is not None else run


def _known_names(encounter: Encounter) -> Iterator[tuple[str, str]]:
    """Yield the names that players know, by the name of the stat block. An empty name is the real one."""
    for known in encounter.all(KnownName):
        combatant = encounter.get(Combatant, known.id)
        id = combatant.creature if combatant is not None else known.id.removeprefix(kind_id(""))
        creature = encounter.get(Creature, id)
        if creature is not None:
            yield creature.name, known.shown_as or creature.name


def known_here(run: AdventureRun, encounter: Encounter) -> Mapping[str, str]:
    """Return the names that players already know, keyed by the id of the stat block in an encounter."""
    known = dict(run.known)
    return {creature.id: known[creature.name] for creature in encounter.all(Creature) if creature.name in known}


def party_to_bring(adventure: Adventure, run: AdventureRun, encounter: Encounter, library: Library) -> Party | None:
    """Return the library party for an encounter that hasn't begun, with the absent members marked.

    Return None if the fight has begun, or the library has no party of that id.
    """
    party = party_of_adventure(adventure, library) if adventure.party else None
    if party is None or clock_of(encounter).phase != "preparing":
        return None
    absent = frozenset(run.absent)
    roster = (msgspec.structs.replace(each, absent=each.absent or each.id in absent) for each in party.roster)
    return msgspec.structs.replace(party, roster=tuple(roster))


def bringing(encounter: Encounter, party: Party) -> Bringing:
    """Return the way to bring a party into an encounter, or an empty string if its members are up to date.

    `update`: the encounter has the same members or none yet. `ask`: it has other members, or other levels.
    """
    pairs = [(member, matching_entry(encounter, party, member)) for member in party.roster]
    found = {entry.id for _, entry in pairs if entry is not None}
    there = {entry.id for entry in encounter.all(RosterEntry) if is_character(encounter, entry)}
    if not (there or found):
        return "update"
    if not there <= found or len(found) != len(party.roster):
        return "ask"
    changed = False
    for member, entry in pairs:
        assert entry is not None
        if entry.level != member.level:
            return "ask"
        changed |= any(getattr(entry, name) != getattr(member, name) for name in ("state", "absent", *_COPIED))
    return "update" if changed else ""


def take_rest(
    opened: OpenAdventure, key: str, library: Library, rules: RuleSystem, regained: Mapping[str, int], now: datetime
) -> None:
    """Give the party the rest of a step in the library, and record that. A rest that was interrupted isn't given twice.

    `regained` are additional hit points, keyed by roster entry id. Raise OSError if a file can't be written.
    """
    adventure, step = opened.adventure, opened.step(key)
    party = party_of_adventure(adventure, library) if adventure is not None else None
    if adventure is not None and step is not None and party is not None:
        begun = opened.run.resting
        rested = after_rest(party, rules, step.rest, regained)
        if begun != _mark(key, party):
            opened.change_run(lambda run: msgspec.structs.replace(run, resting=_mark(key, rested)))
            save_party(
                library,
                rules.id,
                lambda: after_rest(party_of_adventure(adventure, library) or party, rules, step.rest, regained),
            )
    done = StepDone(key, now.isoformat())
    opened.change_run(lambda run: with_done(msgspec.structs.replace(run, resting=""), done))


def _mark(key: str, party: Party) -> str:
    """Return the mark of a rest that leaves a party in this state."""
    return f"{key} {digest_of(msgspec.json.encode(party))}"


class AdventureTally(msgspec.Struct, frozen=True):
    """The fights, experience points and seconds since the last long rest, and the number of encounters ahead."""

    fights: int = 0
    xp: int = 0
    seconds: int = 0
    ahead: int = 0


def tally(adventure: Adventure, run: AdventureRun) -> AdventureTally:
    """Return the totals since the last long rest that was played."""
    done = run.by_key
    played = sorted((key for key in adventure.keys if key in done and not done[key].skipped), key=lambda k: done[k].at)
    steps = dict(zip(adventure.keys, adventure.steps, strict=True))
    rests = [place for place, key in enumerate(played) if steps[key].rest in ("long", "haven")]
    since = played[rests[-1] + 1 :] if rests else played
    fights = [done[key] for key in since if steps[key].kind == "encounter"]
    seconds = sum(done[key].seconds + steps[key].hours * 3600 for key in since)
    ahead = sum(step.kind == "encounter" and key not in done for key, step in steps.items())
    return AdventureTally(len(fights), sum(fight.xp for fight in fights), seconds, ahead)
