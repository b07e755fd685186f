"""Rules for the whole tree: the direction of imports, no comparison with a system, and forbidden texts."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeGuard

import grimp
import pytest

from tests.conftest import ROOT
from tests.syntax import PACKAGE, modules, nodes, sources
from turnwright.cli.commands import verbs
from turnwright.ui.docks.arrangements import DOCKS
from turnwright.ui.shell.controllers import CONNECTIONS, CONTROLLERS
from turnwright.ui.shell.window_actions import action_rows

SYSTEMS = frozenset({"a5e", "dnd5e", "action_points", "pf2e"})
MAY_NAME_SYSTEMS = ("importers",)
RULES_ROOMS = ("dice", "encounter", "battlemap", "rules", "play", "forecast")
NOT_IN_RULES_ROOMS = frozenset(
    [
        "PySide6",
        "pyqtgraph",
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

LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Set)


# Libraries that load when they are first used: each costs more than the rest of its module.
HEAVY = frozenset(
    {
        "PySide6",
        "concurrent",
        "defusedxml",
        "difflib",
        "html",
        "multiprocessing",
        "numpy",
        "pyjson5",
        "pypdf",
        "pyqtgraph",
        "tomllib",
        "typst",
        "yaml",
    }
)
RUNNING = "an encounter that isn't running does without"
ONE_VERB = "each verb of the command line loads what it alone needs"
PAINT_FIRST = "the window is painted before what fills it is loaded"
# The only modules that import others of the package inside functions, with the reason.
LATE = {
    "bootstrap.py": "a system's data is read when its first encounter is opened",
    "cli/__init__.py": ONE_VERB,
    "cli/commands.py": ONE_VERB,
    "cli/window.py": "missing libraries are named before Qt is loaded",
    "cli/screenshot.py": "Qt's platform is chosen before Qt is loaded",
    "play/session.py": "an encounter opens without its stages; the first command loads them",
    "play/setup/prepared_records.py": RUNNING,
    "play/setup/roster.py": RUNNING,
    "rules/parts/d20_family.py": "preparing an encounter takes none of the rules' functions",
    "storage/editor.py": "loads tomlkit, which opening a file does without",
    "ui/application/app.py": PAINT_FIRST,
    "ui/application/kernel_loader.py": "loaded in a worker, once an encounter has a map",
    "ui/application/startup.py": "only work left by a crash opens the dialog that recovers it",
    "ui/look/style.py": "words are read when the first is asked for",
    "ui/services/encounter_status.py": RUNNING,
    "ui/shell/tool_bar.py": RUNNING,
    "ui/shell/window.py": PAINT_FIRST,
    "ui/shell/window_actions.py": "commands are loaded when the first is carried out",
    "workspace/kernel_library.py": "the forecast's loop loads numpy",
    "workspace/document.py": "a document opens without the engine",
    "workspace/log_format.py": "a document opens without the engine; its log names the events of all of it",
}
MOST_LATE = 37  # imports in these modules


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


def test_a_room_below_the_window_comes_without_qt():
    rooms = ("dice", "encounter", "battlemap", "rules", "play", "forecast", "storage", "importers")
    code = (
        "import sys, pkgutil, importlib\n"
        f"for name in {rooms}:\n"
        "    room = importlib.import_module(f'turnwright.{name}')\n"
        "    for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'): importlib.import_module(module.name)\n"
        "    loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "    if loaded & {'PySide6', 'pyqtgraph', 'shiboken6'}: sys.exit(f'{name} loads Qt')"
    )
    assert python(code).stderr == ""


def test_playing_and_reading_leave_heavy_libraries_for_later():
    code = "import sys, turnwright.play.session, turnwright.storage.encounters; print(*sys.modules)"
    result = python(code)
    assert result.stderr == ""
    assert not set(result.stdout.split()) & {"PySide6", "pyqtgraph", "numpy", "numba", "tomlkit"}


def test_the_window_comes_without_the_engine():
    code = "import sys, turnwright.ui.shell.window_content; print(*sys.modules)"
    result = python(code)
    assert result.stderr == ""
    loaded = set(result.stdout.split())
    assert "turnwright.play.kernel.scheduler" in loaded
    assert not loaded & {
        "turnwright.ui.controllers.palette_controller",
        "turnwright.play.session",
        "turnwright.play.registry",
        "turnwright.play.attacks.attack",
        "turnwright.play.turns.turns",
    }


def test_the_roster_comes_without_importers_and_heavy_libraries():
    code = "import sys, turnwright.ui.shell.window_content, turnwright.ui.docks.roster.dock; print(*sys.modules)"
    result = python(code)
    assert result.stderr == ""
    loaded = set(result.stdout.split())
    assert not loaded & {"numpy", "numba", "segno", "urllib.request", "turnwright.forecast.estimate"}
    assert not loaded & {
        "turnwright.battlemap.paths",
        "turnwright.play.queries.queries",
        "turnwright.rules.parts.conditions.condition_rules",
        "turnwright.rules.parts.stat_block.prose",
        "turnwright.ui.controllers.version_controller",
        "turnwright.ui.dialogs.recover",
        "turnwright.ui.docks.library.actions",
        "turnwright.ui.widgets.text_writer",
    }
    assert not [name for name in loaded if name.startswith("turnwright.importers")]


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


def late_imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a module that stand inside functions."""
    imports = [node for node in nodes(tree) if isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset]
    for node in nodes(tree) if imports else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (one for one in imports if node.lineno < one.lineno <= (node.end_lineno or 0))


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    """Imports for types alone count; what is listed are the modules of circles, and those between two circles."""
    graph = grimp.build_graph("turnwright", cache_dir=None)
    waiting = {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}
    while free := {name for name, needs in waiting.items() if not needs & waiting.keys()}:
        waiting = {name: needs for name, needs in waiting.items() if name not in free}
    while idle := waiting.keys() - {need for needs in waiting.values() for need in needs}:
        waiting = {name: needs for name, needs in waiting.items() if name not in idle}
    assert sorted(waiting) == []


@pytest.mark.parametrize("room", ["ui", "storage", "importers"])
def test_a_folder_holds_at_most_twenty_modules(room):
    folders = [PACKAGE / room, *(path for path in (PACKAGE / room).rglob("*") if path.is_dir())]
    assert [folder.name for folder in folders if len(list(folder.glob("*.py"))) > 20] == []


def public_names(body: list[ast.stmt], *, is_class: bool = False) -> Iterator[str]:
    """Yield the public functions, classes, constants and methods of a body, but not the overrides of Qt's methods."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            overrides_qt = is_class and re.fullmatch(r"[a-z]+([A-Z][a-z]*)+", node.name)
            is_command = isinstance(node, ast.ClassDef) and any(
                ast.unparse(base).endswith("Command") for base in node.bases
            )
            if not (node.name.startswith("_") or overrides_qt or is_command):  # commands are found by the registry
                yield node.name
            if isinstance(node, ast.ClassDef):
                yield from public_names(node.body, is_class=True)
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name) and each.id[0] != "_")


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def used_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module reads, imports under another name, or gives as the text of a class's name."""
    for node in nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield node.name
        elif isinstance(node, ast.Call) and is_name(node.func, "getattr") and is_text(node.args[1]):
            yield node.args[1].value
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\b[A-Z]\w+", node.value)
        elif isinstance(node, ast.ClassDef):  # a decorator names properties, as that of an event's line does
            yield from (each.value for one in node.decorator_list for each in ast.walk(one) if is_text(each))


def paths_of_actions() -> Iterator[str]:
    """Yield the methods and properties that the window's actions name."""
    for row in action_rows().values():
        yield from (row[key] for key in ("does", "when", "checked") if key in row)


def paths_of_connections() -> Iterator[str]:
    """Yield the classes of panels and controllers, the signals of panels, and the methods that they call."""
    yield from (dock.path for dock in DOCKS.values())
    yield from CONTROLLERS.values()
    for table in CONNECTIONS.values():
        yield from (*table, *table.values())


def paths_of_verbs() -> list[str]:
    """The functions that run the verbs of the command line."""
    return [kind.run for verb in verbs().values() for kind in (verb, *verb.kinds.values())]


def paths_of_programs() -> list[str]:
    """The functions that the installed programs start with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["scripts"].values(), *project["gui-scripts"].values()]


def is_read_by_library(module: str, name: str) -> bool:
    """Tell whether a class of a module derives from a library's class whose own module reads the name."""
    classes = [one for one in vars(importlib.import_module(module)).values() if inspect.isclass(one)]
    bases = {base.__module__ for one in classes if name in vars(one) for base in one.__mro__}
    libraries = [sys.modules[base] for base in bases if base != "builtins" and not base.startswith("turnwright")]
    return any(re.search(rf"\b{name}\b", inspect.getsource(library)) for library in libraries)


# Scans of all modules ----------------------------------------------------------------------------------------------


def outside_world(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield where a module of the rules imports a toolkit or opens a file."""
    for node in nodes(tree) if name.partition("/")[0] in RULES_ROOMS else ():
        yield from (f"{node.lineno}: imports {top}" for top in imported(node) if top in NOT_IN_RULES_ROOMS)
        if isinstance(node, ast.Call) and is_name(node.func, "open"):
            yield f"{node.lineno}: opens a file"


def questions_about_systems(name: str, tree: ast.Module) -> Iterator[int]:
    """Yield the lines that ask which system it is."""
    for node in nodes(tree) if not name.startswith(MAY_NAME_SYSTEMS) else ():
        if isinstance(node, ast.Compare | ast.MatchValue) and asks_which_system(node):
            yield node.lineno


def missing_docstring(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield the name of a module that doesn't say what it is for."""
    if not ast.get_docstring(tree):
        yield name


RULE_ID = re.compile(rf"({'|'.join(sorted(SYSTEMS))})\.[a-z]")


def named_rules(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield the texts that name a rule of a game."""
    yield from (node.value for node in nodes(tree) if is_text(node) and RULE_ID.match(node.value))


MOST_PARAMETERS = 10


def many_parameters(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield the functions with many parameters; `self` and `cls` don't count."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            plain = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            if len(plain) - (plain[:1] in (["self"], ["cls"])) > MOST_PARAMETERS:
                yield f"{node.lineno}: {node.name}"


SCANS: dict[str, Callable[[str, ast.Module], Iterable[Any]]] = {
    "outside world": outside_world,
    "questions about systems": questions_about_systems,
    "late imports": lambda name, tree: late_imports(tree),
    "missing docstring": missing_docstring,
    "named rules": named_rules,
    "many parameters": many_parameters,
    "public names": lambda name, tree: set(public_names(tree.body)),
    "used names": lambda name, tree: set(used_names(tree)),
}
Found = dict[str, dict[str, list[Any]]]


@pytest.fixture(scope="module")
def found() -> Found:
    """Return what each scan finds in each module; all in one pass, which keeps one tree at a time."""
    found: Found = {scan: {} for scan in SCANS}
    for name, tree in modules():
        for scan, yield_found in SCANS.items():
            found[scan][name] = list(yield_found(name, tree))
    return found


def places(found: dict[str, list[Any]]) -> list[str]:
    """Return what a scan found, each with its module."""
    return [f"{name}:{one}" for name, listed in found.items() for one in listed]


def test_rooms_of_rules_and_play_touch_no_files_and_no_toolkit(found: Found) -> None:
    assert places(found["outside world"]) == []


def test_nobody_outside_the_systems_asks_which_system_it_is(found: Found) -> None:
    assert places(found["questions about systems"]) == []


def test_functions_import_only_heavy_libraries_and_what_the_first_paint_does_without(found: Found) -> None:
    late = {name: {top for node in listed for top in imported(node)} for name, listed in found["late imports"].items()}
    assert {name: tops - HEAVY - {"turnwright"} for name, tops in late.items() if tops - HEAVY - {"turnwright"}} == {}
    assert {name for name, tops in late.items() if "turnwright" in tops} == set(LATE)
    listed = [node for statements in found["late imports"].values() for node in statements]
    assert len([node for node in listed if "turnwright" in imported(node)]) <= MOST_LATE


def test_every_module_says_what_it_is_for(found: Found) -> None:
    assert places(found["missing docstring"]) == []


def test_the_scans_see_the_tree(found: Found) -> None:
    rooms = {"dice", "encounter", "rules", "play", "storage"}
    assert {name.partition("/")[0] for name in found["used names"]} >= rooms


def test_no_room_names_the_rules_of_a_system(found: Found) -> None:
    """Engines cite topics; which rule of a game stands behind one, its data say."""
    assert places(found["named rules"]) == []


def test_no_function_takes_more_than_ten_parameters(found: Found) -> None:
    """More of them want a record, in compiled loops too."""
    assert places(found["many parameters"]) == []


def test_no_public_name_is_used_by_tests_alone(found: Found) -> None:
    used = {name for listed in found["used names"].values() for name in listed}
    for path in (*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "packaging").glob("*.py")):
        used |= {*used_names(ast.parse(path.read_text(encoding="utf-8")))}
    used |= {
        word
        for path in (*paths_of_actions(), *paths_of_connections(), *paths_of_verbs(), *paths_of_programs())
        for word in re.findall(r"\w+", path)
    }
    paths = {
        (f"turnwright.{module.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}", name)
        for module, listed in found["public names"].items()
        for name in listed
        if name not in used
    }
    assert sorted(path for path in paths if not is_read_by_library(*path)) == []


SHOWS_THE_PLAYER = frozenset(
    {
        "encounter/roles.py",
        "handouts/kinds/encounter_sheet.py",
        "handouts/kinds/initiative_tents.py",
        "handouts/kinds/party_sheet.py",
        "handouts/kinds/tracking_sheets.py",
        "handouts/roster_members.py",
        "importers/exporters/improved_initiative.py",
        "storage/library/parties.py",
        "ui/dialogs/library/party_page.py",
        "ui/dialogs/party_table.py",
        "ui/docks/roster/dock.py",
        "ui/forms/encounter_layouts.py",
        "ui/models/roster.py",
        "workspace/party_table.py",
    }
)
LOOKS_OF_SIDES = frozenset({"encounter/roles.py", "players/map_view.py", "ui/players/map_page.py"})


def test_only_roles_decide_who_is_in_the_party() -> None:
    """A player's name is shown and copied, and the side named party has a look; neither decides anything."""
    read, compared = set(), set()
    for module, text in sources():
        read |= {module} if re.search(r"\.player\b", text) else set()
        compared |= {module} if re.search(r"""(?<!kind )[=!]= "party\"""", text) else set()
    assert read == SHOWS_THE_PLAYER
    assert compared <= LOOKS_OF_SIDES
