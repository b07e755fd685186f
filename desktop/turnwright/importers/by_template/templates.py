"""Fills in templates: nested tables and lists of texts with `$name` for values, as in `resources/exports/`.

A text that is only a `$name` becomes the value itself, and `$$name` its text. Tables may contain these keys instead of other content:

- `$each`: the name of a list. `$as` is filled in for each of its entries; with `$key`, the results
  are a table, and with `$join`, one text, with the text of `$before` unless it is empty. `nth` is the number of the entry.
- `$list`: a list of texts, which are put together.
- `$if`: the name of a value. `$then` is used if there is one, otherwise `$else`.
- `$of`: the name of a value, which `$map` translates, or only lets through if it is a list; `$default` is used for
  others. With `$except`, the value is left out if this list contains it.

A key that ends with `?` is left out if its value is empty, zero or false. The table at `$merge` becomes part of the table
around it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_VALUE: Final = re.compile(r"\$\$?([A-Za-z_]\w*(?:\.\w+)*)")
_OMITTED: Final = object()
Scope = Mapping[str, Any]


def value_in(scope: Scope, path: str) -> Any:
    """Return the value at a path of names that dots separate, or None if there is none."""
    value: Any = scope
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def filled(template: Any, scope: Scope) -> Any:
    """Return a template with the values of a scope."""
    value = _filled(template, scope)
    return None if value is _OMITTED else value


def _filled(template: Any, scope: Scope) -> Any:
    if isinstance(template, str):
        whole = _VALUE.fullmatch(template)
        if whole and template[1] != "$":
            return value_in(scope, whole[1])
        return _VALUE.sub(lambda name: _text(value_in(scope, name[1])), template)
    if isinstance(template, list):
        return [entry for part in template for entry in _entries(part, scope)]
    if not isinstance(template, dict):
        return template
    if "$if" in template:
        chosen = "$then" if value_in(scope, template["$if"]) else "$else"
        return _filled(template[chosen], scope) if chosen in template else _OMITTED
    if "$of" in template:
        value = value_in(scope, template["$of"])
        choices, text = template.get("$map", {}), _text(value)
        if "$except" in template:
            return _OMITTED if text in template["$except"] else value
        known = dict(zip(choices, choices, strict=True)) if isinstance(choices, list) else choices
        return _filled(known.get(text, template.get("$default", _OMITTED)), scope)
    if "$list" in template:
        return "".join(map(_text, _filled(template["$list"], scope)))
    if "$each" in template:
        if "$key" not in template:
            parts = [entry for inner in _inner(template, scope) for entry in _entries(template["$as"], inner)]
            if "$join" not in template:
                return parts
            return f"{template.get('$before', '')}{template['$join'].join(map(_text, parts))}" if parts else ""
        keyed = ((_filled(template["$key"], one), _filled(template["$as"], one)) for one in _inner(template, scope))
        return {_text(key): value for key, value in keyed if value is not _OMITTED}
    table: dict[str, Any] = {}
    for key, part in template.items():
        value = _filled(part, scope)
        if key == "$merge":
            table |= value
        elif value is not _OMITTED and (value or not key.endswith("?")):
            table[_text(_filled(key.removesuffix("?"), scope))] = value
    return table


def _entries(part: Any, scope: Scope) -> Iterator[Any]:
    """Yield the entries for a part of a list: none, one or several."""
    if not (isinstance(part, dict) and "$each" in part and not part.keys() & {"$key", "$join"}):
        value = _filled(part, scope)
        spread = isinstance(part, dict) and "$if" in part and isinstance(value, list)
        yield from value if spread else [] if value is _OMITTED else [value]
        return
    for inner in _inner(part, scope):
        yield from _entries(part["$as"], inner)


def _inner(template: Mapping[str, Any], scope: Scope) -> Iterator[Scope]:
    for number, entry in enumerate(value_in(scope, template["$each"]) or (), 1):
        yield {**scope, "nth": f"{number:02}", **(entry if isinstance(entry, dict) else {"it": entry})}


def _text(value: Any) -> str:
    return "" if value is None else str(value)
