"""Generates the tables of docs/scripts.md from the grammars and docstrings of statements.

The text around them is written by hand. A comment before each table names its statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from turnwright.cli.script.grammar import UNTYPED, Group, Keyword, Node, Value, is_bare_text
from turnwright.cli.script.parser import templates
from turnwright.cli.script.values import LISTS

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "scripts.md"
FORMS = {  # by kind of value, if it has several words or another name than its field
    "effect": "*effect* [`on` *who*]",
    "duration": "*moment* [`of` *whose*] [`skipping` *n*]",
    "numbers": "*who* *total* …",
    "path,heights": "*square* …",
    "to,elevation": "*square*",
    "square": "*square*",
    "inside": "*environment*",
    "outside": "*environment*",
    "variant": "*way*",
    "faces": "*face* …",
    "results": "*result* …",
    "exempt": "*who* …",
    "entry,environment": "*environment feature*",
    "pool": "*countdown*",
    "slot": "*who*",
    "rest": "*text*",
    "cost": "*cost*",
    "cubes": "*cube* …",
    "facts": "*fact* …",
    "negative": "*n*",
    "row": "*environment feature*",
    "spell-or-name": '*spell* or "*name*"',
}
_TABLE = re.compile(r"<!-- (\w+(?:\s+\w+)*) -->\n\n(?:\|.*\n)*")


def document(written: str) -> str:
    """Return the text of the document with new tables. Raise ValueError if a statement is missing or named twice."""
    named = [name for match in _TABLE.finditer(written) for name in match[1].split()]
    known = {template.record.__name__ for template in templates()}
    if sorted(named) != sorted(known):
        raise ValueError(
            f"statements in no table, or in several: {', '.join(sorted(known.symmetric_difference(named))) or named}"
        )
    return _TABLE.sub(lambda match: f"<!-- {match[1]} -->\n\n{_table(match[1].split())}", written)


def _table(names: list[str]) -> str:
    rows = []
    for name in names:
        own = [template for template in templates() if template.record.__name__ == name]
        forms = "; ".join(_form((*map(Keyword, template.verb), *template.nodes)) for template in own)
        text = (own[0].record.__doc__ or "").partition("\n")[0]
        rows.append(f"| {forms} | {text} |\n")
    return "| Statement | Effect |\n|---|---|\n" + "".join(rows)


def _form(nodes: Sequence[Node]) -> str:
    """Return the form of a statement: `words` to type, *values* and [optional parts]."""
    parts: list[str] = []
    keyword = ""
    for node in nodes:
        if isinstance(node, Keyword) and keyword:
            parts[-1] = f"`{(keyword := f'{keyword} {node.word}')}`"
            continue
        part = _part(node, keyword)
        keyword = node.word if isinstance(node, Keyword) else ""
        parts += [part] if part else []
    return " ".join(parts)


def _part(node: Node, keyword: str) -> str:
    if isinstance(node, Keyword):
        return f"`{node.word}`"
    if isinstance(node, Group):
        forms = ((_form(branch), is_bare_text(branch)) for branch in node.branches)
        inner = " or ".join(f'"{form}"' if is_text else form for form, is_text in forms)
        return f"[{inner}]" if node.optional else f"({inner})"
    if not isinstance(node, Value) or node.kind in UNTYPED:
        return ""
    if node.options:
        *most, last = (f"`{option}`" for option in node.options)
        return f"{', '.join(most)} or {last}"
    if node.kind in FORMS:
        return FORMS[node.kind]
    label = node.spec.kind.removesuffix("s") if node.label == keyword else node.label
    return f"*{label}*" + (" …" if node.kind in LISTS and node.kind != "dice" else "")


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
