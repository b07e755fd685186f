"""The names of arguments in messages, each with an example."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import rtoml

from turnwright.storage.resources import read_text

_ARTICLE = re.compile(r"^(an?|the) ")


class Argument(NamedTuple):
    """An argument: its name with an article, and an example.

    `line` is an example of a whole line, if that is clearer.
    """

    name: str
    example: str
    line: str = ""

    @property
    def noun(self) -> str:
        """The name without an article."""
        return _ARTICLE.sub("", self.name)


_NAMED = msgspec.convert(rtoml.loads(read_text("script_arguments.toml")), dict[str, dict[str, Argument]])
BY_STATEMENT, BY_KIND, BY_FIELD = _NAMED["statement"], _NAMED["kind"], _NAMED["field"]
COMBATANT, ENVIRONMENT, EFFECT = BY_KIND["combatant"], BY_KIND["environment"], BY_KIND["effect"]
SKIPPED = Argument("a number of moments to skip", "1")


def argument_of(statement: str, field: str, kind: str) -> Argument:
    """Return the name and the example of an argument. Arguments that aren't listed are named after their field."""
    for known, key in ((BY_STATEMENT, f"{statement}.{field}"), (BY_KIND, kind), (BY_FIELD, field)):
        if key in known:
            return known[key]
    return Argument(field.replace("_", " "), field.replace("_", "-"))


def alternatives(words: Iterable[str]) -> str:
    """Join words to a list: `a`, `a or b`, `a, b or c`."""
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} or {last}" if most else last


def quoted(words: Iterable[str]) -> Sequence[str]:
    """Return words in quotes, to show that they are typed as they are."""
    return [f"'{word}'" for word in words]
