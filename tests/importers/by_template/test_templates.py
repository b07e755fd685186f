"""Templates of export formats: values, lists, choices and what is left out."""

from __future__ import annotations

from typing import Any

from tests.for_each import for_each
from turnwright.importers.by_template.templates import filled, value_in

SCOPE = {
    "name": "Toad",
    "hp": 0,
    "list": ["a", "b"],
    "rows": [{"id": "x", "n": 1}, {"id": "y", "n": 2}],
    "in": {"a": 3},
}


@for_each(
    ("template", "expected"),
    [
        ("$hp", 0),
        ("$$hp", "0"),
        ("$$nothing", ""),
        ("$nothing", None),
        ("$name. It has $hp hit points at $in.a.", "Toad. It has 0 hit points at 3."),
        ({"a?": "$hp", "b?": "$name", "c": "$hp", "$name": 1}, {"b": "Toad", "c": 0, "Toad": 1}),
        ([{"$each": "list", "$as": "<$it>"}, "end"], ["<a>", "<b>", "end"]),
        ({"$each": "rows", "$key": "$id", "$as": {"is": "$n", "of": "$name"}},
         {"x": {"is": 1, "of": "Toad"}, "y": {"is": 2, "of": "Toad"}}),
        ({"$each": "rows", "$as": "$n"}, [1, 2]),
        ({"$each": "missing", "$as": "$n"}, []),
        ([{"$if": "hp", "$then": "no"}, {"$if": "name", "$then": ["one", "two"]}], ["one", "two"]),
        ({"a": {"$if": "hp", "$then": 1}, "b": {"$if": "hp", "$then": 1, "$else": 2}}, {"b": 2}),
        ([{"$each": "list", "$as": {"$of": "it", "$map": {"a": "A"}}}], ["A"]),
        ({"$of": "name", "$map": {}, "$default": "$hp"}, 0),
        ([{"$each": "list", "$as": {"$of": "it", "$map": ["a", "c"]}}], ["a"]),
        ([{"$each": "list", "$as": {"$of": "it", "$except": ["a", "c"]}}], ["b"]),
        ({"$if": "hp", "$then": 1}, None),
        ({"$each": "list", "$as": "<$it>", "$join": ", ", "$before": "all: "}, "all: <a>, <b>"),
        ({"$each": "missing", "$as": "$n", "$join": ", ", "$before": "all: "}, ""),
        ({"$list": ["a", {"$if": "hp", "$then": "no"}, {"$if": "name", "$then": ["b", "$hp"]}]}, "ab0"),
        ({"$each": "rows", "$key": "$id", "$as": {"$of": "n", "$map": {"1": "one"}}}, {"x": "one"}),
        ({"a": 1, "$merge": {"$each": "list", "$key": "x$nth", "$as": "$it"}, "b": 2}, {"a": 1, "x01": "a", "x02": "b", "b": 2}),
        (7, 7),
    ],
)  # fmt: skip
def test_a_template_is_filled_in(template: Any, expected: Any) -> None:
    assert filled(template, SCOPE) == expected


def test_a_path_that_leads_nowhere_has_no_value() -> None:
    assert value_in(SCOPE, "name.of.nobody") is None
