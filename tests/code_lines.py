"""Count lines of code: without blank lines, comments and docstrings."""

import ast
import io
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "desktop" / "turnwright"

_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(source: str) -> int:
    """Count the lines of a module's source that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def room_of(module: Path) -> str:
    """Name the room of a module: its package, and inside `ui` also the package below."""
    parts = module.relative_to(PACKAGE).parts[:-1]
    return "/".join(parts[:2] if parts[:1] == ("ui",) else parts[:1]) or "."


def lines_by_room(package: Path = PACKAGE) -> dict[str, int]:
    """Count the lines of code of each room of the program."""
    counts: dict[str, int] = {}
    for module in sorted(package.rglob("*.py")):
        room = room_of(module)
        counts[room] = counts.get(room, 0) + code_lines(module.read_text(encoding="utf-8"))
    return counts


if __name__ == "__main__":
    ROOMS = lines_by_room()
    for NAME, COUNT in ROOMS.items():
        print(f"{COUNT:7,}  {NAME}")
    print(f"{sum(ROOMS.values()):7,}  in all")
