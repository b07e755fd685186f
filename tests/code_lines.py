"""Count lines of code: without blank lines, comments and docstrings.

`python -m tests.code_lines` prints the count of each room. With `--write`, it lowers the numbers in `code_lines.toml` to
the counts, adds new rooms and removes those that are gone. It never raises a number: that is for a person with a reason.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.syntax import without_comments

PACKAGE = Path(__file__).parents[1] / "desktop" / "turnwright"
NUMBERS = Path(__file__).with_name("code_lines.toml")


def code_lines(source: str) -> int:
    """Count the lines of a module's source that hold code."""
    lines = {number for number, line in enumerate(without_comments(source).split("\n"), 1) if line.strip()}
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a module or a compound statement, and those inside them."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for part in getattr(node, field, ()):
            if isinstance(part, ast.stmt):
                yield part
            yield from statements(part)


def room_of(module: Path, package: Path = PACKAGE) -> str:
    """Name the room of a module: its package, and inside `ui` also the package below."""
    parts = module.relative_to(package).parts[:-1]
    return "/".join(parts[:2] if parts[:1] == ("ui",) else parts[:1]) or "."


def lines_by_room(package: Path = PACKAGE) -> dict[str, int]:
    """Count the lines of code of each room of the program."""
    counts: dict[str, int] = {}
    for module in sorted(package.rglob("*.py")):
        room = room_of(module, package)
        counts[room] = counts.get(room, 0) + code_lines(module.read_text(encoding="utf-8"))
    return counts


def numbers() -> dict[str, int]:
    """Return the most lines that each room may have."""
    return tomllib.loads(NUMBERS.read_text(encoding="utf-8"))


def with_lower_numbers(text: str, counts: dict[str, int]) -> str:
    """Return the text of `code_lines.toml` with numbers lowered to the counts, and the comments kept."""
    missing, lines = dict(counts), []
    for line in text.splitlines():
        found = re.match(r'"(.+?)" = (\d+)', line)
        if found is None:
            lines.append(line)
        elif found[1] in counts:
            lowest = min(int(found[2]), missing.pop(found[1]))
            lines.append(f'"{found[1]}" = {lowest}{line[found.end() :]}')
    lines += [f'"{room}" = {count}' for room, count in missing.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    ROOMS = lines_by_room()
    for NAME, COUNT in ROOMS.items():
        print(f"{COUNT:7,}  {NAME}")
    print(f"{sum(ROOMS.values()):7,}  in all")
    if "--write" in sys.argv:
        NUMBERS.write_text(with_lower_numbers(NUMBERS.read_text(encoding="utf-8"), ROOMS), encoding="utf-8")
