"""The parser of scripts: a line becomes a command, or one of the few statements that are none.

docs/scripts.md describes it. A line is read against the present encounter, because it names things in it.
"""

from __future__ import annotations

from functools import cache

import msgspec

from turnwright.cli.script.grammar import Line, Template, compile_templates
from turnwright.cli.script.lexer import ScriptError, Word, WordReader
from turnwright.cli.script.resolve import NameResolver
from turnwright.cli.script.statements import EDITS, SCRIPTS, Statement
from turnwright.encounter.suggestions import nearest_hint
from turnwright.play.registry import command_types


class ScriptLine(msgspec.Struct, frozen=True):
    """The statement of a line. `anyway` overrides a rule; `attempt` keeps to the rules, and goes on after a refusal."""

    statement: Statement
    anyway: bool = False
    attempt: bool = False


@cache
def templates() -> tuple[Template, ...]:
    """Return the compiled templates of all commands and other statements."""
    scripts = {kind: kind.__command__.script for kind in command_types().values()} | dict(SCRIPTS)
    return tuple(
        template for record, script in scripts.items() if script for template in compile_templates(record, script)
    )


def split_prefixes(words: list[Word]) -> tuple[list[Word], bool, bool]:
    """Return the words without `try` and `!`, and whether each was there."""
    attempt = bool(words) and words[0] == Word("try")
    words = words[1:] if attempt else words
    anyway = bool(words) and not words[0].quoted and words[0].text.startswith("!")
    if anyway:
        rest = words[0].text[1:]
        words = [Word(rest), *words[1:]] if rest else words[1:]
    return words, attempt, anyway


def parse(words: list[Word], names: NameResolver) -> ScriptLine:
    """Return the statement of a line. ScriptError for unknown words or names."""
    words, attempt, anyway = split_prefixes(words)
    if not words:
        raise ScriptError("a command is missing")
    template = _template_for(words)
    length = len(template.verb)
    longer = (one.verb for one in templates() if one.verb[:length] == template.verb)
    also = frozenset(verb[length] for verb in longer if len(verb) > length)
    record = Line(template, WordReader(words[length:]), names, also).record()
    statement: Statement = record.edit(names.encounter) if isinstance(record, EDITS) else record
    return ScriptLine(statement, anyway, attempt)


def _template_for(words: list[Word]) -> Template:
    """Return the template with the longest verb that a line begins with."""
    said = tuple(word.text for word in words if not word.quoted)
    begun = [one for one in templates() if one.verb == tuple(w.text for w in words[: len(one.verb)] if not w.quoted)]
    if begun:
        return max(begun, key=lambda template: len(template.verb))
    verbs = [one.verb for one in templates()]
    alike = [" ".join(verb) for verb in verbs if said and verb[0] == words[0].text]
    if alike:
        hint = nearest_hint(" ".join(said[:2]), alike)
        raise ScriptError(f"say {' or '.join(alike)}{hint if len(alike) > 1 else ''}")
    known = {verb[0] for verb in verbs} | {" ".join(verb) for verb in verbs} | {"try"}
    raise ScriptError(f"{words[0].text} is no command{nearest_hint(words[0].text, known)}")
