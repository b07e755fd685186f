"""The format of the recovery log is told by a fingerprint of all that stands in it; logs of known ones are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fight_description import rule_systems
from turnwright.encounter.state import RECORD_TYPES
from turnwright.play.registry import command_types, event_types, stages
from turnwright.play.turns.turn_phases import END_PHASES, START_PHASES
from turnwright.storage.migrations import FIGHT_FORMAT
from turnwright.workspace import log_migration
from turnwright.workspace.document import recover_document
from turnwright.workspace.log_format import FRAME_BODIES, header, read_log

SAMPLE = Path(__file__).parents[1] / "storage" / "samples" / "log_2"
ADVICE = """
What stands in recovery logs has changed: a record, an event, a command, a stage or a phase of the turn.
Add the line  "{fingerprint}": {number},  at the end of FINGERPRINTS in desktop/turnwright/workspace/log_migration.py

- with {number} if every log of that format reads the same as before: a field with a default, something new;
- with {number} + 1 if anything was renamed, removed or changed its meaning or its default. Write the migration in MIGRATIONS
  there and in storage/migrations first, with samples of the old format in tests/storage/samples.
"""


def plain(schema: Any, key: str = "") -> Any:
    """The schema without what docstrings say, and with the members of unions in one order."""
    if isinstance(schema, dict):
        return {
            inner: plain(value, inner)
            for inner, value in schema.items()
            if not (inner in ("description", "title") and isinstance(value, str))
        }
    if isinstance(schema, list):
        members = [plain(one) for one in schema]
        return sorted(members, key=json.dumps) if key == "anyOf" else members
    return schema


def fingerprint(kinds: Iterable[type[msgspec.Struct]], *names: Iterable[str]) -> str:
    schemas = msgspec.json.schema_components(kinds)
    everything = [plain(schema) for schema in schemas] + [sorted(each) for each in names]
    return blake2b(json.dumps(everything, sort_keys=True).encode(), digest_size=8).hexdigest()


def test_the_newest_fingerprint_is_that_of_what_stands_in_a_log() -> None:
    found = fingerprint(
        (*RECORD_TYPES.values(), *FRAME_BODIES.values(), *sorted(event_types(), key=lambda kind: kind.__name__)),
        RECORD_TYPES,
        (f"{stage.kind} {stage.name}" for stage in stages()),
        (f"{name} {kind.__command__.label}" for name, kind in command_types().items()),
        (*START_PHASES, *END_PHASES),
    )
    assert found == log_migration.FINGERPRINT, ADVICE.format(fingerprint=found, number=log_migration.FORMAT)


def test_formats_of_logs_are_those_of_fights_and_each_leads_to_the_next() -> None:
    numbers = list(log_migration.FINGERPRINTS.values())
    assert numbers == sorted(numbers)
    assert numbers[-1] == FIGHT_FORMAT
    assert set(log_migration.MIGRATIONS) == set(range(1, FIGHT_FORMAT))


def kind(default: Any = 0, name: str = "hp", doc: str = "", type: Any = int) -> type[msgspec.Struct]:
    return msgspec.defstruct("Thing", [("id", str), (name, type, default)], namespace={"__doc__": doc}, frozen=True)


def test_a_changed_record_changes_the_fingerprint() -> None:
    changed = [kind(), kind(default=1), kind(name="hit_points"), kind(type=int | None)]
    more = msgspec.defstruct("Thing", [("id", str), ("hp", int, 0), ("ac", int, 10)], frozen=True)
    required = msgspec.defstruct("Thing", [("id", str), ("hp", int)], frozen=True)
    tagged = msgspec.defstruct("Thing", [("id", str), ("hp", int, 0)], frozen=True, tag="thing")
    assert len({fingerprint([one]) for one in (*changed, more, required, tagged)}) == 7
    assert len({fingerprint([kind()], names) for names in ((), ("start",), ("finish",))}) == 3


def test_a_docstring_leaves_the_fingerprint_alone() -> None:
    assert fingerprint([kind()]) == fingerprint([kind(doc="A thing with another description.")])


def test_a_log_of_version_2_without_a_fingerprint_opens_with_its_whole_history(tmp_path: Path) -> None:
    (tmp_path / "recovery").mkdir()
    log = tmp_path / "recovery" / "sample.log"
    log.write_bytes((SAMPLE / "recovery.log").read_bytes())
    expected = json.loads((SAMPLE / "log.json").read_text(encoding="utf-8"))
    document = recover_document(log, rule_systems(), tmp_path)
    history = document.session.history
    assert {
        "depth": history.depth,
        "labels": [step.label.key for step in history.applied],
        "next": history.next and history.next.label.key,
        "journal": [line.phrase.key for line in document.session.journal()],
    } == expected
    assert document.is_modified
    document.undo()
    assert not document.is_modified
    document.close(discard=True)


@pytest.mark.parametrize("number", [0, 2, 3, 4, 255])
def test_a_log_is_read_by_its_fingerprint_alone(number: int) -> None:
    frames = (SAMPLE / "recovery.log").read_bytes()[8:]
    known, unknown = header() + frames, header()[:7] + bytes((number,)) + b"another!" + frames
    assert len(read_log(known).entries) == 28
    assert read_log(unknown).snapshot is None
