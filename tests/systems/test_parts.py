"""The data in which any two games differ, pinned; and that no package names a game."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from tests.games import BASED, WITH_LEDGER
from tests.syntax import modules_with
from turnwright.bootstrap import RuleSystems
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData

SYSTEMS = RuleSystems()
PINNED = Path(__file__).with_name("differences.txt")
MAY_NAME = {"bootstrap.py": "SHIPPED", "encounter/prepared.py": "DEFAULT_SYSTEM"}
OWN_PACKAGES = ("importers/",)


def parts_of(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every part of a system that is no record of parts itself, with its path; data as present or absent."""
    if isinstance(value, SystemData):
        bare = SystemData(id=value.id, name=value.name)
        for field in SystemData.__struct_fields__:
            yield f"data.{field}", getattr(value, field) != getattr(bare, field)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from parts_of(getattr(value, field.name), f"{path}.{field.name}".lstrip("."))
    elif isinstance(value, Mapping):
        for key in value:
            yield from ((f"{path}.{key.name.lower()}", each) for each in (tuple(map(written, value[key])),))
    else:
        yield path, tuple(map(written, value)) if isinstance(value, tuple) else written(value)


def written(value: object) -> str:
    """Return the place where a part is written, so that two builds of one function are alike."""
    if isinstance(value, str | int | float | bool | None | msgspec.Struct):
        return repr(value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"


def differences(one: RuleSystem, other: RuleSystem) -> list[str]:
    left, right = dict(parts_of(one)), dict(parts_of(other))
    return sorted(path for path in left.keys() | right.keys() if left.get(path) != right.get(path))


def table() -> str:
    """Return every pair of games with a ledger, each with the parts in which they differ."""
    blocks = []
    for one, other in (*combinations(WITH_LEDGER, 2), *((base, based) for based, base in BASED.items())):
        lines = differences(SYSTEMS.get(one), SYSTEMS.get(other))
        blocks.append("\n".join([f"{one} and {other}:", *(f"    {line}" for line in lines)]))
    return "\n\n".join(blocks) + "\n"


def test_any_two_games_differ_in_these_parts_and_no_others() -> None:
    """Where this fails, look at what the games no longer share (or now do), and write the table down anew."""
    print(table())
    assert table() == PINNED.read_text(encoding="utf-8")


def test_a_part_that_is_exchanged_shows() -> None:
    game = SYSTEMS.get(SYSTEMS.ids[0])
    assert differences(game, game) == []
    exchanged = dataclasses.replace(game, allowance=lambda *_: None)
    assert differences(game, exchanged) == ["allowance"]
    without = dataclasses.replace(game, hooks=dict(list(game.hooks.items())[1:]))
    assert differences(game, without) == [f"hooks.{next(iter(game.hooks)).name.lower()}"]


def named_in(tree: ast.Module, allowed: str) -> Iterator[str]:
    """Every system id that stands in a module by itself, outside one assignment that may name them."""
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == allowed:
            continue
        for child in ast.walk(node):
            if isinstance(child, ast.Constant) and child.value in SYSTEMS.ids:
                yield f"{child.lineno}: {child.value}"


def test_no_other_package_names_a_game() -> None:
    offences = []
    for name, tree in modules_with(SYSTEMS.ids):
        if not name.startswith(OWN_PACKAGES):
            offences += [f"{name}:{found}" for found in named_in(tree, MAY_NAME.get(name, ""))]
    assert offences == []


@pytest.mark.parametrize(
    ("code", "found"),
    [("DEFAULT_SYSTEM: str = 'a5e'", []), ("X: str = 'a5e'", ["1: a5e"]), ("def f(s='pf2e'): pass", ["1: pf2e"])],
)
def test_the_scan_sees_a_name(code: str, found: list[str]) -> None:
    assert list(named_in(ast.parse(code), "DEFAULT_SYSTEM")) == found
