"""Conditions and table rules of a game are asked for by their roles: no engine holds the id of one."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.games import GAMES
from tests.syntax import modules, modules_with, name_of, nodes
from tests.systems.toy import SYSTEMS
from tests.table import a5e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import Encounter
from turnwright.rules.system_data.roles import CONDITION_ROLES, NEEDS, OPTION_ROLES, missing_roles

CONTENT = {
    "rules/system_data/roles.py": "the table of roles",
    "importers": "the words of other programs' files",
    "importers/statblock_text": "the words of printed stat blocks",
}

# Words of the engine's own that are some game's id by chance, and that the scan can't tell: where each is, and its meaning.
OWN_WORDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("own_words.toml").read_text(encoding="utf-8")
)
EXAMPLES = ("Argument", "FactWord")  # their texts are examples in messages and documents
FIELD_NAMES = ("Asked", "Row")  # their texts are names of fields


@pytest.fixture(scope="module")
def ids() -> set[str]:
    """The ids of all conditions and table rules that ship."""
    systems = [RuleSystems().get(id).data for id in GAMES]
    return {one.id for data in systems for listed in (data.conditions, data.options) for one in listed}


def test_no_engine_holds_the_id_of_a_condition_or_table_rule(ids: set[str]) -> None:
    vocabulary = Vocabulary()
    found = {(name, text) for name, tree in engines(quoted(ids)) for text in vocabulary.unexplained(tree) & ids}
    strange = {(name, text) for name, text in found if not any(is_in(name, place) for place in OWN_WORDS.get(text, ()))}
    assert sorted(strange) == []
    places = {(text, place) for text, meanings in OWN_WORDS.items() for place in meanings}
    assert (
        sorted(each for each in places if not any(each[0] == text and is_in(name, each[1]) for name, text in found))
        == []
    )


def test_a_word_that_is_an_id_stands_in_one_constant_at_most(ids: set[str]) -> None:
    places: dict[str, list[str]] = {}
    for name, tree in engines(quoted(ids)):
        for text in {text for statement in tree.body for text in constants(statement)} & ids:
            places.setdefault(text, []).append(name)
    assert {text: found for text, found in places.items() if len(found) > 1} == {}


def test_every_role_is_asked_for() -> None:
    roles = (".role(", "ConditionRole")
    asked = {text.value for _, tree in engines(roles) for text in literals(tree, of_roles=True)}
    assert {*CONDITION_ROLES, *OPTION_ROLES} - asked == set()


@pytest.mark.parametrize("id", GAMES)
def test_a_shipped_system_names_the_roles_that_it_needs(id: str) -> None:
    rules = RuleSystems().get(id)
    assert missing_roles(rules.data) == []
    assert not rules.data.roles or {rules.role(role) for role in NEEDS} & rules.conditions.keys()
    assert {role for role, _ in rules.data.roles} <= {*CONDITION_ROLES, *OPTION_ROLES}


def test_a_role_that_nothing_plays_is_a_mark_without_rules_or_a_choice_never_made() -> None:
    toy = SYSTEMS.get("toy")
    assert {toy.role(role) for role in CONDITION_ROLES} == {*CONDITION_ROLES}
    assert not any(toy.has_option(Encounter(), toy.role(role)) for role in OPTION_ROLES)
    assert a5e().role("moving-through") == "tumbling"


def quoted(ids: set[str]) -> set[str]:
    return {f'"{id}"' for id in ids}


def engines(words: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules with some words that hold no content of a game, by path from the package."""
    for name, tree in modules_with(words):
        if not any(is_in(name, place) for place in CONTENT):
            yield name, tree


def is_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}/")


def literals(tree: ast.Module, *, of_roles: bool = False) -> Iterator[ast.Constant]:
    """Yield the texts in a module that are names of roles (arguments of `role`, tables of roles), or all that are not."""
    roles: set[int] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "role":
            roles |= {id(argument) for argument in node.args}
        elif isinstance(node, ast.AnnAssign) and "ConditionRole" in ast.unparse(node.annotation):
            roles |= {id(inner) for inner in ast.walk(node)}
    for node in nodes(tree):
        if is_text(node) and (id(node) in roles) == of_roles:
            yield node


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_literal_type(node: ast.AST) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal"


def last_name(operand: ast.expr) -> str:
    """Return the name of an operand, or the last name in it."""
    return "" if isinstance(operand, ast.Constant | ast.Call) else name_of(operand).rpartition(".")[2]


class Vocabulary:
    """The words that the package declares as values of types, and the fields and names with such a type."""

    def __init__(self) -> None:
        self.types: dict[str, set[str]] = {}
        self.fields: dict[str, set[str]] = {}
        self.records: dict[str, list[str]] = {}
        declared: list[tuple[str, ast.expr]] = []
        for _, tree in modules():
            for node in nodes(tree):
                if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Subscript):
                    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                    self.types.setdefault(name_of(target), set()).update(self.words(node.value))
                elif isinstance(node, ast.ClassDef):
                    fields = [
                        (name_of(one.target), one.annotation) for one in node.body if isinstance(one, ast.AnnAssign)
                    ]
                    self.records[node.name] = [name for name, _ in fields]
                    declared += fields
        for name, annotation in declared:
            self.fields.setdefault(name, set()).update(self.words(annotation))

    def words(self, annotation: ast.expr | None) -> set[str]:
        """Return the words of the `Literal` types in an annotation, those with a name of their own too."""
        found: set[str] = set()
        for node in ast.walk(annotation) if annotation else ():
            if is_literal_type(node):
                found |= {inner.value for inner in ast.walk(node) if is_text(inner)}
            elif isinstance(node, ast.Name):
                found |= self.types.get(node.id, set())
        return found

    def typed(self, tree: ast.Module) -> Iterator[tuple[ast.AST, Collection[str]]]:
        """Yield the parts of a module that a type or a call explains, each with the words that it may contain."""
        for node in nodes(tree):
            if is_literal_type(node):
                yield node, self.words(node)
            elif isinstance(node, ast.AnnAssign) and node.value:
                yield node.value, self.words(node.annotation)
            elif isinstance(node, ast.Compare):
                yield (
                    node,
                    set().union(*(self.fields.get(last_name(one), ()) for one in (node.left, *node.comparators))),
                )
            elif isinstance(node, ast.FunctionDef):
                words = self.words(node.returns)
                yield from ((inner, words) for inner in ast.walk(node) if words and isinstance(inner, ast.Return))
            elif isinstance(node, ast.Call):
                name = name_of(node.func)
                if name in EXAMPLES:
                    yield node, {inner.value for inner in ast.walk(node) if is_text(inner)}
                elif name in FIELD_NAMES:
                    yield node, self.fields
                given = [*zip(self.records.get(name, ()), node.args, strict=False)]
                given += [(each.arg, each.value) for each in node.keywords if each.arg]
                yield from ((value, self.fields.get(field, ())) for field, value in given if is_text(value))

    def unexplained(self, tree: ast.Module) -> set[str]:
        """Return the texts of a module that no type and no call explains, and that aren't names of roles."""
        explained = {
            id(inner)
            for part, words in self.typed(tree)
            if words
            for inner in ast.walk(part)
            if is_text(inner) and inner.value in words
        }
        return {node.value for node in literals(tree) if id(node) not in explained}


def constants(statement: ast.stmt) -> Iterator[str]:
    """Yield the texts that a statement gives names of their own, one by one."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    values = statement.value.elts if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple) else ()
    for value in values or (statement.value,):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
