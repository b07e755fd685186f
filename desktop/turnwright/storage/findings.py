"""Findings: mistakes in a file, each with a line, a key and a message for the user.

Readers collect notes (a key path and a message). `located_findings` turns them into findings with lines. The text is
only scanned for lines if there are notes.
"""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from turnwright.encounter.field_specs import LIKENESS, nearest_hint
from turnwright.storage.toml.parser import LineIndex
from turnwright.storage.toml.values import KeyPath, key_text

Severity = Literal["error", "warning"]
MAX_FINDINGS = 1_000
MAX_HINTS = 200


class Finding(msgspec.Struct, frozen=True):
    """A mistake in a file. `line` counts from 1; `key` is a dotted path or empty.

    The part of a file that has an error can't be read. `meaning` describes the field, if its value is wrong or missing.
    """

    file: str
    line: int
    key: str
    message: str
    severity: Severity = "error"
    meaning: str = ""

    def __str__(self) -> str:
        """Return `file:line: key: message`, without the key if it is empty, and the meaning of the field."""
        return f"{self.file}:{self.line}: {self.text}"

    @property
    def text(self) -> str:
        """`key: message`, without the key if it is empty, and the meaning of the field."""
        key = f"{self.key}: " if self.key else ""
        meaning = f". {self.meaning}" if self.meaning else ""
        return f"{key}{self.message}{meaning}"


def errors_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings with all errors before all warnings."""
    return tuple(sorted(findings, key=lambda finding: finding.severity))


class UnlocatedFinding(msgspec.Struct, frozen=True):
    """A finding without a line."""

    path: KeyPath
    message: str
    severity: Severity = "error"
    meaning: str = ""


class FindingCollector:
    """Collects the findings while a file is read."""

    __slots__ = ("hints", "notes")

    def __init__(self) -> None:
        self.notes: list[UnlocatedFinding] = []
        self.hints = 0

    def error(self, path: KeyPath, message: str) -> None:
        """Add an error: this part of the file can't be read."""
        self.notes.append(UnlocatedFinding(path, message))

    def warn(self, path: KeyPath, message: str) -> None:
        """Add a warning: this part of the file is read as it is."""
        self.notes.append(UnlocatedFinding(path, message, "warning"))

    def explain(self, path: KeyPath, text: str) -> None:
        """Add the description of a field to the last note, if the note is about the value at `path`."""
        if text and self.notes and self.notes[-1].path == path:
            self.notes[-1] = msgspec.structs.replace(self.notes[-1], meaning=text)

    def hint(self, name: str, known: Collection[str], likeness: float = LIKENESS) -> str:
        """Return a hint with the known name closest to `name`, or an empty string.

        There are no hints after `MAX_HINTS` calls, because each takes about a millisecond.
        """
        self.hints += 1
        return nearest_hint(name, known, likeness) if self.hints <= MAX_HINTS and len(known) <= MAX_FINDINGS else ""

    @property
    def has_errors(self) -> bool:
        """Whether there is an error."""
        return any(note.severity == "error" for note in self.notes)


def located_findings(notes: FindingCollector, file: str, text: str) -> tuple[Finding, ...]:
    """Return the collected notes as findings, sorted by line.

    There are at most `MAX_FINDINGS`; if there are more notes, errors take precedence over warnings.
    """
    if not notes.notes:
        return ()
    lines = LineIndex(text)
    kept = notes.notes
    if len(kept) > MAX_FINDINGS:
        kept = sorted(kept, key=lambda note: note.severity)[:MAX_FINDINGS]
    findings = [
        Finding(file, lines.line_of(note.path), key_text(note.path), note.message, note.severity, note.meaning)
        for note in kept
    ]
    findings.sort(key=lambda finding: finding.line)
    omitted = len(notes.notes) - len(kept)
    if omitted:
        findings.append(Finding(file, findings[-1].line, "", f"and {omitted:,} more", kept[-1].severity))
    return tuple(findings)
