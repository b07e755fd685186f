"""Parses a line of a script into a command or another statement.

docs/scripts.md describes the language. Parsing needs the current encounter, because lines contain names from it.
"""

from functools import cache

import msgspec

from turnwright.cli.script.arguments import alternatives, quoted
from turnwright.cli.script.grammar import Line, Template, compile_templates
from turnwright.cli.script.lexer import ScriptError, Word, WordReader
from turnwright.cli.script.resolve import EDITS, SCRIPTS, NameResolver, Statement
from turnwright.encounter.field_specs import nearest_hint
from turnwright.play.registry import command_types


class ScriptLine(msgspec.Struct, frozen=True):
    """The statement of a line.

    `anyway` overrides rules. `attempt` keeps the rules, but a refusal doesn't stop the script.
    """

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
    """Remove `try` and `!` from the words. Also return whether each was present."""
    attempt = bool(words) and words[0] == Word("try")
    words = words[1:] if attempt else words
    anyway = bool(words) and not words[0].quoted and words[0].text.startswith("!")
    if anyway:
        rest = words[0].text[1:]
        words = [Word(rest), *words[1:]] if rest else words[1:]
    return words, attempt, anyway


def parse(words: list[Word], names: NameResolver) -> ScriptLine:
    """Parse the words of a line. Raise ScriptError if a word is missing, unknown or unexpected."""
    words, attempt, anyway = split_prefixes(words)
    if not words:
        raise ScriptError("expected a command, for example `try end turn`")
    template = _template_for(words)
    length = len(template.verb)
    longer = (other.verb for other in templates() if other.verb[:length] == template.verb)
    also = frozenset(verb[length] for verb in longer if len(verb) > length)
    record = Line(template, WordReader(words[length:]), names, also).record()
    statement: Statement = record.edit(names.encounter) if isinstance(record, EDITS) else record
    return ScriptLine(statement, anyway, attempt)


def _template_for(words: list[Word]) -> Template:
    """Return the template with the longest verb at the start of a line. Raise ScriptError if there is none."""
    bare = tuple(word.text for word in words if not word.quoted)
    matching = [
        one for one in templates() if one.verb == tuple(word.text for word in words[: len(one.verb)] if not word.quoted)
    ]
    if matching:
        return max(matching, key=lambda template: len(template.verb))
    verbs = [template.verb for template in templates()]
    alike = [" ".join(verb) for verb in verbs if bare and verb[0] == words[0].text]
    if alike:
        hint = nearest_hint(" ".join(bare[:2]), alike)
        raise ScriptError(f"expected {alternatives(quoted(alike))}{hint if len(alike) > 1 else ''}")
    known = {verb[0] for verb in verbs} | {" ".join(verb) for verb in verbs} | {"try"}
    raise ScriptError(f"unknown command '{words[0].text}'{nearest_hint(words[0].text, known)}")
