"""The schema of recovery logs is the checked-in one; a change that older logs wouldn't survive needs a new format."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec
import pytest

from tests.log_schema import FILE, breaking_changes, log_schema, problem, records_schema, text_of


def test_the_checked_in_schema_is_that_of_the_source() -> None:
    stored, current = json.loads(FILE.read_text(encoding="utf-8")), log_schema()
    why = problem(stored, current)
    assert not why, why
    assert stored == current == json.loads(text_of(current)), (
        "Run `python -m tests.log_schema --write`, and commit log_schema.json."
    )


def schema(*fields: tuple[str, Any] | tuple[str, Any, Any], doc: str = "") -> dict[str, Any]:
    kind = msgspec.defstruct("Thing", fields, namespace={"__doc__": doc}, frozen=True)
    return {"format": 3, **records_schema([kind])}


OLD = (("id", str), ("hp", int, 0), ("size", Literal["small", "large"], "small"))


@pytest.mark.parametrize(
    "fields",
    [
        OLD,
        (*OLD, ("ac", int, 10)),
        (*OLD[:2], ("size", Literal["tiny", "small", "large"], "small")),
        (*OLD[:1], ("hp", int | None, 0), *OLD[2:]),
    ],
    ids=["same", "more", "another word", "optional"],
)
def test_a_compatible_change_needs_no_format(fields: Any) -> None:
    assert not problem(schema(*OLD), schema(*fields, doc="Another description."))


@pytest.mark.parametrize(
    ("fields", "change"),
    [
        (OLD[:2], "Thing.size is gone"),
        ((*OLD, ("ac", int)), "Thing.ac is new and required"),
        ((*OLD[:1], ("hp", int), *OLD[2:]), "Thing.hp was"),
        ((*OLD[:1], ("hp", int, 1), *OLD[2:]), "Thing.hp was"),
        ((*OLD[:1], ("hp", str, ""), *OLD[2:]), "Thing.hp was"),
        ((*OLD[:2], ("size", Literal["small"], "small")), "Thing.size was"),
    ],
    ids=["removed", "required", "no default", "another default", "another type", "fewer words"],
)
def test_an_incompatible_change_needs_a_format_and_says_how(fields: Any, change: str) -> None:
    new = schema(*fields) if fields[-1] != ("ac", int) else with_required(schema(*OLD))
    why = problem(schema(*OLD), new)
    assert change in why
    assert "resources/migrations/format_4.toml" in why
    assert not problem(schema(*OLD), {**new, "format": 4})


def with_required(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "Thing": {**old["Thing"], "ac": {"type": "integer", "required": True}}}


def test_names_may_be_added_but_not_removed() -> None:
    old = {"format": 3, "stages": ["move start"]}
    assert list(breaking_changes(old, {"format": 3, "stages": ["move end"]})) == ["stages: move start is gone"]
    assert not list(breaking_changes(old, {"format": 3, "stages": ["move end", "move start"]}))
