"""`turnwright play FILE --random N`: plays a fight at random and checks invariants after every step."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.cli.terminal import print_findings
from turnwright.encounter.state import Encounter
from turnwright.play.fuzz.runner import FuzzRun
from turnwright.play.session import Session
from turnwright.storage.encounters import EncounterFile, parse_encounter
from turnwright.storage.fights import fight_text, parse_fight
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import open_document
from turnwright.workspace.files import OpenError
from turnwright.workspace.folders import folders
from turnwright.workspace.text import Phrasebook


def play_randomly(path: Path, rounds: int, *, seed: int, with_bookkeeping: bool, systems: RuleSystems) -> int:
    """Play a number of rounds at random and print the journal. If a check fails, print it and return 1."""
    try:
        document = open_document(path, systems, folders().state, seed=seed, dice="roll", locked=False, with_fight=False)
    except OpenError as error:
        print_findings(error.findings)
        return 1
    session = Session(document.encounter, document.session.rules)
    report = FuzzRun(session, seed, lambda session: round_trip_problems(session.encounter, systems.ids)).play(rounds)
    speech = Phrasebook(WordCatalogue.load(), session.rules)
    for line in session.journal():
        if with_bookkeeping or not line.bookkeeping:
            print(speech.phrase_text(line.phrase))
    summary = f"{report.rounds} rounds, {report.commands} commands, {report.refused} refused, seed {seed}"
    print(f"{path}: {summary}", file=sys.stderr)
    for problem in report.problems:
        print(f"{path}: {problem}\n  after {report.last}", file=sys.stderr)
    return 1 if report.problems else 0


def round_trip_problems(encounter: Encounter, systems: Sequence[str]) -> Sequence[str]:
    """Return the differences after saving an encounter with its fight and reading it again."""
    path = Path("rehearsal.toml")
    loaded = parse_encounter(EncounterFile().render(encounter).encode(), path, systems)
    if loaded.encounter is None:
        return [f"the saved encounter can't be read: {loaded.findings[0]}"]
    fight = parse_fight(fight_text(encounter, (), "").encode(), path, loaded.encounter)
    if fight.records is None:
        return [f"the saved fight can't be read: {fight.findings[0]}"]
    again = Encounter((*loaded.encounter, *fight.records))
    return [] if again == encounter else ["the encounter differs after saving and reading it"]
