"""Words that names and docstrings do without, and one class for one name."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.syntax import modules, no_trees_kept, nodes

__all__ = ["no_trees_kept"]

NEVER = (
    "besides",
    "brought",
    "come about",
    "somebody",
    "anybody",
    "nobody",
    "whoever",
    "whom",
    "deed",
    "blow",
    "told",
    "lacks",
    "hurled",
    "let go",
    "hand on",
    "take in hand",
    "of ours",
    "of one's own",
    "such as is",
    "has need of",
)
ALIKE = {
    "brings about": "come about",
    "comes about": "come about",
    "deeds": "deed",
    "blows": "blow",
    "lets go": "let go",
}
WORDS = re.compile(r"\b(" + "|".join(re.escape(word) for word in (*NEVER, *ALIKE)) + r")\b", re.IGNORECASE)
PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")

# Public class names that stand more than once, each with its reason.
MEANT_TWICE: dict[str, str] = {}


def forbidden_in(text: str) -> list[str]:
    """Return the words in a text that names and docstrings do without."""
    return [found.group() for found in WORDS.finditer(text)]


def spelled(name: str) -> str:
    """Return a name of either spelling as words."""
    return " ".join(PARTS.findall(name)).lower()


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the names of a function's parameters."""
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument is not None:
            yield argument.arg


def public_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every public name that a module gives: functions, parameters, classes, their fields, constants."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield from ((node.lineno, name) for name in (node.name, *parameters(node)))
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.lineno, node.name
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.lineno, field.target.id
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        yield from ((statement.lineno, name.id) for name in targets if isinstance(name, ast.Name))


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the first line of each docstring of a module."""
    for node in nodes(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "lineno", 1), text.splitlines()[0]


def test_public_names_speak_the_words_of_the_rule_books_and_of_software() -> None:
    offences = [
        f"{path}:{line}: {name}"
        for path, tree in modules()
        for line, name in (*public_names(tree), (1, path.removesuffix(".py").rpartition("/")[2]))
        if not name.startswith("_") and forbidden_in(spelled(name))
    ]
    assert offences == []


def test_docstrings_begin_in_plain_words() -> None:
    offences = [
        f"{path}:{line}: {text}" for path, tree in modules() for line, text in docstrings(tree) if forbidden_in(text)
    ]
    assert offences == []


def test_one_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    twice = {name: found for name, found in places.items() if len(found) > 1 and name not in MEANT_TWICE}
    assert twice == {}
    assert {name for name in MEANT_TWICE if len(places[name]) < 2} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("begin deed", ["deed"]),
        ("indeed", []),
        ("The Blows of a round", ["Blows"]),
        (spelled("letGoOf"), ["let go"]),
        (spelled("TOLD_TWICE"), ["told"]),
        ("Return the target of an attack", []),
    ],
)
def test_the_scan_knows_the_words(text: str, found: list[str]) -> None:
    assert forbidden_in(text) == found
