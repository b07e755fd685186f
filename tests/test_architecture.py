"""What holds for the whole tree: which way it imports, that nobody asks which system it is, and what no file says."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "desktop" / "turnwright"
SYSTEMS = frozenset({"a5e", "dnd5e", "action_points", "pf2e"})
MAY_NAME_SYSTEMS = ("rules/systems", "storage/importers")
RULES_ROOMS = ("dice", "encounter", "battlemap", "rules", "play", "forecast")
NOT_IN_RULES_ROOMS = frozenset(
    [
        "PySide6",
        "pyqtgraph",
        "qtawesome",
        "tomlkit",
        "rtoml",
        "tomllib",
        "io",
        "os",
        "pathlib",
        "shutil",
        "sqlite3",
        "tempfile",
    ]
)

# Written in pieces, so that this file passes its own test.
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("crates", "io"),
        ("anaconda", "org"),
    )
)
MACHINE_PATH = re.compile(r"(?<![\w./}$~*-])/(?:" + "work|root|home/[a-z]+|Users/[A-Za-z]+" + r")/\w")
LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Set)
NOT_TEXT = frozenset({".png", ".ico", ".icns", ".ttf", ".otf", ".pdf", ".sqlite", ".whl", ".gz", ".zip"})
NOT_OURS = frozenset({".git", ".venv", "build", "dist", "__pycache__", ".hypothesis"})


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Return every module's name and tree, parsed once."""
    return tuple(
        (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    )


@pytest.fixture(scope="module", autouse=True)
def no_trees_kept() -> Iterator[None]:
    """Let go of the trees: the collector would look through them in every test that follows."""
    yield
    modules.cache_clear()


def texts() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT)
        ours = not any(part in NOT_OURS or part.endswith("_cache") for part in inside.parts)
        if ours and path.is_file() and path.suffix not in NOT_TEXT:
            yield inside.as_posix(), path.read_text(encoding="utf-8", errors="replace")


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the top-level names of the packages that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module.partition(".")[0]


def literals(node: ast.expr) -> set[object]:
    """Return the constants that an operand holds, itself or as members of a display."""
    return {child.value for child in ast.walk(node) if isinstance(child, ast.Constant)}


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that knows only this package and what is installed."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)


def asks_which_system(node: ast.AST) -> bool:
    """Tell whether a node compares with a system's id, or compares an attribute `.system` with anything but a like one."""
    if isinstance(node, ast.MatchValue):
        return bool(literals(node.value) & SYSTEMS)
    if not isinstance(node, ast.Compare):
        return False
    operands = [node.left, *node.comparators]
    if any(literals(operand) & SYSTEMS for operand in operands if isinstance(operand, LITERALS)):
        return True
    systems = [isinstance(operand, ast.Attribute) and operand.attr == "system" for operand in operands]
    return any(systems) and not all(systems)


@pytest.mark.parametrize("room", ["dice", "encounter", "battlemap", "rules", "play", "forecast", "storage"])
def test_a_room_below_the_window_comes_without_qt(room):
    code = (
        f"import sys, turnwright.{room} as room, pkgutil, importlib\n"
        "for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'): importlib.import_module(module.name)\n"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in ('PySide6', 'pyqtgraph', 'shiboken6')))"
    )
    result = python(code)
    assert result.stderr == ""
    assert result.stdout.split() == []


def test_playing_and_reading_leave_heavy_libraries_for_later():
    code = "import sys, turnwright.play.session, turnwright.storage.encounters; print(*sys.modules)"
    result = python(code)
    assert result.stderr == ""
    assert not set(result.stdout.split()) & {"PySide6", "pyqtgraph", "numpy", "numba", "tomlkit"}


def test_rooms_of_rules_and_play_touch_no_files_and_no_toolkit():
    offences = []
    for name, tree in modules():
        if name.partition("/")[0] not in RULES_ROOMS:
            continue
        for node in ast.walk(tree):
            offences += [f"{name}:{node.lineno}: imports {top}" for top in imported(node) if top in NOT_IN_RULES_ROOMS]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
                offences.append(f"{name}:{node.lineno}: opens a file")
    assert offences == []


def test_nobody_outside_the_systems_asks_which_system_it_is():
    offences = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        if not name.startswith(MAY_NAME_SYSTEMS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare | ast.MatchValue) and asks_which_system(node)
    ]
    assert offences == []


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("encounter.system == 'pf2e'", True),
        ("name in ('a5e', 'dnd5e')", True),
        ("rules.system == wanted", True),
        ("'action_points' != name", True),
        ("before.system == after.system", False),
        ("name == 'poisoned'", False),
        ("table['a5e'] == 3", False),
    ],
)
def test_the_scan_knows_the_question_when_it_sees_it(code, asks):
    assert asks_which_system(ast.parse(code, mode="eval").body) is asks


def test_no_file_names_a_registry_or_a_path_of_some_machine():
    offences = []
    for name, text in texts():
        offences += [f"{name}: {host}" for host in REGISTRIES if host in text]
        offences += [f"{name}: {found.group()}" for found in MACHINE_PATH.finditer(text)]
    assert offences == []


def test_every_module_says_what_it_is_for():
    assert [name for name, tree in modules() if not ast.get_docstring(tree)] == []


def test_the_scans_see_the_tree():
    assert {name.partition("/")[0] for name, _ in modules()} >= {"dice", "encounter", "rules", "play", "storage"}
    assert Path("pyproject.toml").name in {name for name, _ in texts()}


def test_only_a_system_s_own_room_names_its_rules() -> None:
    """Engines cite topics; which rule of a game stands behind one, its data say."""
    rule_id = re.compile(rf"({'|'.join(sorted(SYSTEMS))})\.[a-z]")
    for name, tree in modules():
        if name.startswith("rules/systems/"):
            continue
        said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        named = [text for text in said if rule_id.match(text)]
        assert not named, f"{name} names {named}"
