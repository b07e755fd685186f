"""The schema of recovery logs: all records, events, commands, stages and phases, compared with `log_schema.json`.

`python -m tests.log_schema` lists the changes that logs and files written by an earlier commit wouldn't survive. With
`--write`, it writes the schema if there are none. With `--write --unreleased`, it writes the schema in any case: only if
no release has written the present format, and its migration contains the new names.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter.prepared import Party
from turnwright.encounter.state import RECORD_TYPES
from turnwright.play.registry import command_types, event_types, stages
from turnwright.play.turns.turn_phases import END_PHASES, START_PHASES
from turnwright.storage.migrations import FORMAT
from turnwright.workspace.log_format import FRAME_BODIES

FILE = Path(__file__).with_name("log_schema.json")
Schema = dict[str, Any]
"""The fields of each record by name, then lists of other names, such as those of stages."""

ADVICE = """{changes}
Logs and files of format {format} could no longer be read. Do one of these:
- Raise FORMAT in desktop/turnwright/storage/migrations.py, and write the changed names to
  resources/migrations/format_{next}.toml. Add samples of format {format} to tests/storage/samples. Then run
  python -m tests.log_schema --write
- If no release has written format {format}, add the changed names to resources/migrations/format_{format}.toml. Then run
  python -m tests.log_schema --write --unreleased
"""


def log_schema() -> Schema:
    """Return the schema of the present source."""
    return {
        "format": FORMAT,
        **records_schema((*RECORD_TYPES.values(), Party, *FRAME_BODIES.values(), *event_types())),
        "tables": sorted(RECORD_TYPES),
        "stages": sorted(f"{stage.kind} {stage.name}" for stage in stages()),
        "commands": sorted(f"{name} {kind.__command__.label}" for name, kind in command_types().items()),
        "phases": sorted({*START_PHASES, *END_PHASES}),
    }


def records_schema(kinds: Iterable[type[msgspec.Struct]]) -> Schema:
    """Return the fields of records and of all records in them, each with its type and its default or `required`."""
    found: Schema = {}
    for name, schema in msgspec.json.schema_components(kinds)[1].items():
        required = schema.get("required", ())
        fields = {key: _plain(field) for key, field in schema.get("properties", {}).items()}
        found[name] = {key: {**field, "required": True} if key in required else field for key, field in fields.items()}
    return dict(sorted(found.items()))


def _plain(schema: Any, key: str = "") -> Any:
    """Return a schema without docstrings, and with the members of unions in a fixed order."""
    if isinstance(schema, dict):
        words = ("description", "title", "discriminator")
        return {inner: _plain(value, inner) for inner, value in schema.items() if inner not in words}
    if isinstance(schema, list | tuple):
        members = [_plain(entry) for entry in schema]
        return sorted(members, key=json.dumps) if key in ("anyOf", "enum") else members
    return schema


def breaking_changes(old: Schema, new: Schema) -> Iterator[str]:
    """Yield the changes after which a log of the old schema can't be read, or reads as something else."""
    for name, content in old.items():
        if name == "format":
            continue
        if name not in new:
            yield f"{name} is gone"
        elif isinstance(content, list):
            yield from (f"{name}: {entry} is gone" for entry in content if entry not in new[name])
        else:
            yield from _changed_fields(name, content, new[name])


def _changed_fields(name: str, old: Schema, new: Schema) -> Iterator[str]:
    for field in old.keys() | new.keys():
        if field not in new:
            yield f"{name}.{field} is gone"
        elif field not in old:
            if new[field].get("required"):
                yield f"{name}.{field} is new and required"
        elif not _reads(old[field], new[field]):
            yield f"{name}.{field} was {json.dumps(old[field])}, and is {json.dumps(new[field])}"


def _reads(old: Any, new: Any) -> bool:
    """Whether all values of the old schema of a field are read the same with the new one."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return bool(old == new)
    if "anyOf" in new:
        kept = ("default", "required", "anyOf")
        member = {key: value for key, value in old.items() if key not in kept}
        same = all(old.get(key) == new.get(key) for key in kept[:2])
        return same and all(any(_reads(one, other) for other in new["anyOf"]) for one in old.get("anyOf", [member]))
    if "enum" in old and "enum" in new:
        return set(old["enum"]) <= set(new["enum"]) and {**old, "enum": 0} == {**new, "enum": 0}
    return old.keys() == new.keys() and all(_reads(old[key], new[key]) for key in old)


def text_of(schema: Schema) -> str:
    """Return the text of the file, with one line for each field, so that two changes seldom conflict."""
    parts = []
    for name, content in schema.items():
        if isinstance(content, int) or not content:
            parts.append(f" {json.dumps(name)}: {json.dumps(content)}")
            continue
        pairs = content.items() if isinstance(content, dict) else ((None, entry) for entry in content)
        lines = [("" if key is None else f"{json.dumps(key)}: ") + json.dumps(value) for key, value in pairs]
        ends = "{}" if isinstance(content, dict) else "[]"
        parts.append(f" {json.dumps(name)}: {ends[0]}\n  " + ",\n  ".join(lines) + f"\n {ends[1]}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def problem(old: Schema, new: Schema) -> str:
    """Return what to do about breaking changes that have no format of their own, or an empty string."""
    changes = "\n".join(sorted(breaking_changes(old, new))) if old.get("format") == new["format"] else ""
    format = new["format"]
    return ADVICE.format(changes=changes, format=format, next=format + 1) if changes else ""


if __name__ == "__main__":
    stored = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    why = "" if "--unreleased" in sys.argv else problem(stored, log_schema())
    if why:
        sys.exit(why)
    if "--write" in sys.argv:
        FILE.write_text(text_of(log_schema()), encoding="utf-8")
