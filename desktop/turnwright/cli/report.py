"""`turnwright report`: prints the report on a saved fight, as Markdown or JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.terminal import print_findings
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import open_document
from turnwright.workspace.fight_reports import players_report_of, report_of, report_text
from turnwright.workspace.files import OpenError
from turnwright.workspace.folders import folders
from turnwright.workspace.text import Phrasebook


def report(file: Path, *, for_players: bool, as_json: bool, systems: RuleSystems) -> int:
    """Print the report on an encounter's saved fight. Return 1 if the file can't be opened or has no fight."""
    try:
        document = open_document(file, systems, folders().state, locked=False)
    except OpenError as error:
        print_findings(error.findings)
        return 1
    session = document.session
    document.close(discard=True)
    words = Phrasebook(WordCatalogue.load(), session.rules)
    fight_report = players_report_of(session, words.text) if for_players else report_of(session)
    if not fight_report.rounds:
        print(f"{file}: {words.text('report.no-fight')}", file=sys.stderr)
        return 1
    if as_json:
        print(msgspec.json.encode(fight_report).decode())
    else:
        print(report_text(fight_report, session.encounter, words), end="")
    return 0
