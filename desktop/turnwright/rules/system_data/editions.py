"""Rule systems that are based on another: `based_on` in a system's tables names the base, whose data is inherited.

A table of settings changes only its own keys, and an entry replaces the base's entry with the same id. `gone` lists
the parts that aren't inherited. A ledger rule can replace rules of the base: inherited data then cites the new one.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from turnwright.encounter.field_specs import nearest_hint
from turnwright.rules.system_data.ledger import LedgerRule


def overlay(base: Mapping[str, Any], own: Mapping[str, Any], keyed: Collection[str]) -> dict[str, Any]:
    """Return the tables of a system, over those of its base. Entries of `keyed` tables are replaced as a whole."""
    return {**base, **{key: _over(base.get(key), value, whole=key in keyed) for key, value in own.items()}}


def _over(base: Any, own: Any, *, whole: bool) -> Any:
    if not isinstance(base, dict) or not isinstance(own, dict):
        return own
    inner = own if whole else {key: _over(base.get(key), value, whole=False) for key, value in own.items()}
    return {**base, **inner}


def of_edition(tables: Mapping[str, Any], edition: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return tables in which conditions and spells of an edition replace the others, such as `sleep-2024` replaces `sleep`.

    The second value is the new id of each.
    """
    ending, ids, found = f"-{edition}", dict[str, str](), dict(tables)
    for key in ("conditions", "spells") if edition else ():
        found[key] = dict(tables.get(key, {}))
        for id in [id for id in found[key] if id.endswith(ending)]:
            entry, ids[id] = found[key].pop(id), id.removesuffix(ending)
            found[key][ids[id]] = {**entry, "name": entry["name"].removesuffix(f" ({edition})")}
    return found, ids


def without(tables: dict[str, Any], path: str) -> dict[str, Any]:
    """Return tables without the key at a path such as `conditions.squeezing`. Raise LookupError if it doesn't exist.

    In `conditions.*.external`, the star means every entry, with or without the key.
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
