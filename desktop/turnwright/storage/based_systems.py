"""Rule systems that are based on another: `based_on` in a system's tables names the base, whose data is inherited.

A table of settings changes only its own keys, and an entry replaces the base's entry with the same id. `gone` lists what
is not inherited. A ledger rule can replace rules of the base: inherited data then cites the new one.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from turnwright.encounter.field_specs import nearest_hint
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.storage.resources import resource_root

_BASE = re.compile(r'^based_on = "([\w-]+)"', re.MULTILINE)


@cache
def system_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folder of a rule system, after those of the systems that it is based on. The folder may not exist."""
    file = folder / "system.toml"
    base = _BASE.search(file.read_text(encoding="utf-8")) if file.is_file() else None
    return (*(system_folders(resource_root() / "systems" / base[1]) if base else ()), folder)


def shipped_folders(system: str, root: Path | None = None) -> tuple[Path, ...]:
    """Return the folder of a shipped rule system, after those of the systems that it is based on."""
    return system_folders((root or resource_root()) / "systems" / system)


def overlay(base: Mapping[str, Any], own: Mapping[str, Any], keyed: Collection[str]) -> dict[str, Any]:
    """Return the tables of a system, over those of its base. Entries of `keyed` tables are replaced as a whole."""
    return {**base, **{key: _over(base.get(key), value, whole=key in keyed) for key, value in own.items()}}


def _over(base: Any, own: Any, *, whole: bool) -> Any:
    if not isinstance(base, dict) or not isinstance(own, dict):
        return own
    inner = own if whole else {key: _over(base.get(key), value, whole=False) for key, value in own.items()}
    return {**base, **inner}


def of_edition(tables: Mapping[str, Any], edition: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return tables in which the entries of an edition replace the others, such as `sleep-2024` the entry `sleep`.

    The second value is the new id of each.
    """
    ending, ids, found = f"-{edition}", dict[str, str](), dict[str, Any]()
    for key, table in tables.items():
        found[key] = dict(table) if isinstance(table, dict) else table
        for id, entry in table.items() if edition and isinstance(table, dict) else ():
            if id.endswith(ending) and isinstance(entry, dict):
                del found[key][id]
                ids[id] = id.removesuffix(ending)
                found[key][ids[id]] = {**entry, "name": entry["name"].removesuffix(f" ({edition})")}
    return found, ids


def without(tables: dict[str, Any], path: str) -> dict[str, Any]:
    """Return tables without the key at a path such as `conditions.squeezing`. Raise LookupError if it doesn't exist.

    In `conditions.*.external`, the star stands for every entry, with or without the key.
    """
    if path in tables:
        return {key: value for key, value in tables.items() if key != path}
    key, _, rest = path.partition(".")
    if key == "*":
        return {id: {name: value for name, value in entry.items() if name != rest} for id, entry in tables.items()}
    if not rest or not isinstance(tables.get(key), dict):
        raise LookupError(nearest_hint(key, tables))
    return {**tables, key: without(tables[key], rest)}


def citing(value: Any, successors: Mapping[str, str]) -> Any:
    """Return a value in which replaced ledger rules are cited by the ids of their successors."""
    if isinstance(value, dict):
        return {key: citing(inner, successors) for key, inner in value.items()}
    if isinstance(value, list):
        cited = [citing(inner, successors) for inner in value]
        return [each for at, each in enumerate(cited) if cited == value or each not in cited[:at]]
    return successors.get(value, value) if isinstance(value, str) else value


def successors_in(rules: Iterable[LedgerRule]) -> dict[str, str]:
    """Return the new id of each ledger rule of the base that another rule replaces."""
    return {old: rule.id for rule in rules for old in rule.replaces}
