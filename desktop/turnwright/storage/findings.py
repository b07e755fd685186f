"""Findings: mistakes in a file, worded so that a person can find the place and mend it.

Readers gather notes (a key path and a message); `located_findings` turns them into findings with lines, and only then scans
the text for them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from turnwright.encounter.suggestions import LIKENESS, nearest_hint
from turnwright.storage.keys import KeyPath, key_text

Severity = Literal["error", "warning"]
MAX_FINDINGS = 1_000
MAX_HINTS = 200


class Finding(msgspec.Struct, frozen=True):
    """One mistake in a file: `line` counts from 1, `key` is a dotted path or empty. An error keeps a file from opening."""

    file: str
    line: int
    key: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        """Return `file:line: key: message`, without the key where there is none."""
        key = f"{self.key}: " if self.key else ""
        return f"{self.file}:{self.line}: {key}{self.message}"


class UnlocatedFinding(msgspec.Struct, frozen=True):
    """A finding without its line."""

    path: KeyPath
    message: str
    severity: Severity = "error"


class FindingCollector:
    """The findings of one file while it is read."""

    __slots__ = ("hints", "notes")

    def __init__(self) -> None:
        self.notes: list[UnlocatedFinding] = []
        self.hints = 0

    def error(self, path: KeyPath, message: str) -> None:
        """Note a mistake that keeps the file from opening."""
        self.notes.append(UnlocatedFinding(path, message))

    def warn(self, path: KeyPath, message: str) -> None:
        """Note a mistake with which the file still opens."""
        self.notes.append(UnlocatedFinding(path, message, "warning"))

    def hint(self, name: str, known: Collection[str], likeness: float = LIKENESS) -> str:
        """Return a hint at the known name most like an unknown one; none after many, for each takes a millisecond."""
        self.hints += 1
        return nearest_hint(name, known, likeness) if self.hints <= MAX_HINTS and len(known) <= MAX_FINDINGS else ""

    @property
    def has_errors(self) -> bool:
        """Whether any finding keeps the file from opening."""
        return any(note.severity == "error" for note in self.notes)


def located_findings(notes: FindingCollector, file: str, text: str) -> tuple[Finding, ...]:
    """Return the notes as findings by line, at most `MAX_FINDINGS`, errors before warnings where not all fit.

    The text is scanned only where there are any.
    """
    if not notes.notes:
        return ()
    from turnwright.storage.line_index import LineIndex  # with the scanner of TOML, for findings alone

    lines = LineIndex(text)
    kept = notes.notes
    if len(kept) > MAX_FINDINGS:
        kept = sorted(kept, key=lambda note: note.severity)[:MAX_FINDINGS]
    findings = [
        Finding(file, lines.line_of(note.path), key_text(note.path), note.message, note.severity) for note in kept
    ]
    findings.sort(key=lambda finding: finding.line)
    left = len(notes.notes) - len(kept)
    if left:
        findings.append(Finding(file, findings[-1].line, "", f"and {left:,} more", kept[-1].severity))
    return tuple(findings)
