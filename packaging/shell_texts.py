"""Makes what a shell knows of the program from its argument parsers: the man page, and completions for bash, zsh and fish."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from turnwright import __version__
from turnwright.cli import window_command
from turnwright.cli.commands import SUBCOMMANDS

NAME = "turnwright"
_COUNTS = ("*", "+", argparse.REMAINDER)


@dataclass(frozen=True)
class Argument:
    """An option, or where `flags` is empty what stands at its place. `takes` is its value: `file`, `folder`, `word` or nothing."""

    flags: tuple[str, ...]
    metavar: str
    help: str
    takes: str
    choices: tuple[str, ...] = ()
    repeats: bool = False
    required: bool = False


@dataclass(frozen=True)
class Verb:
    """The words that lead to a parser, none for the window's; `inner` are words that must follow."""

    words: tuple[str, ...]
    description: str
    arguments: tuple[Argument, ...]
    inner: tuple[str, ...] = ()

    @property
    def options(self) -> list[Argument]:
        """The arguments that have flags."""
        return [one for one in self.arguments if one.flags]

    @property
    def places(self) -> list[Argument]:
        """The arguments that go by their place."""
        return [one for one in self.arguments if not one.flags]


def verbs() -> list[Verb]:
    """Return the window's own call and all verbs, a verb before those inside it."""
    found = [_verb((), window_command()[0])]
    for name, make in SUBCOMMANDS.items():
        parser = make()[0]
        found.append(_verb((name,), parser))
        found += [_verb((name, word), inner, text) for word, inner, text in _inner(parser)]
    return found


def _verb(words: tuple[str, ...], parser: argparse.ArgumentParser, text: str = "") -> Verb:
    arguments = [_argument(one, parser) for one in parser._actions if not isinstance(one, argparse._SubParsersAction)]
    inner = tuple(word for word, _, _ in _inner(parser))
    return Verb(words, parser.description or f"Print {text}.", tuple(arguments), inner)


def _inner(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for word, inner in action.choices.items():
                yield word, inner, helps[word]


def _argument(action: argparse.Action, parser: argparse.ArgumentParser) -> Argument:
    takes = ""
    if action.nargs != 0:
        takes = "word" if action.type is not Path else "folder" if action.metavar == "DIR" else "file"
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    choices = tuple(map(str, action.choices or ()))
    return Argument(
        tuple(action.option_strings),
        metavar,
        text,
        takes,
        choices,
        action.nargs in _COUNTS,
        action.required,
    )


# The man page ----------------------------------------------------------------------------------------------------


def man_page(epoch: int) -> str:
    """Return the man page, dated by seconds since 1970."""
    window, *others = verbs()
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    lines = [
        f'.TH TURNWRIGHT 1 "{day}" "Turnwright {__version__}" "User Commands"',
        ".nh",
        ".ad l",
        ".SH NAME",
        "turnwright \\- prepare, run, forecast and print tabletop encounters",
        ".SH SYNOPSIS",
        *(line for verb in (window, *others) if not verb.inner for line in _synopsis(verb)),
        ".SH DESCRIPTION",
        "Turnwright is a desktop program for the person who runs a tabletop game. Without a verb the window opens;",
        "each verb does its work without one. Everything that you make is a plain TOML file.",
        ".SH OPTIONS",
        *_described(window),
        ".SH VERBS",
    ]
    for verb in others:
        lines += [f".SS {NAME} {' '.join(verb.words)}", _roff(verb.description), *_described(verb)]
    lines += [
        ".SH EXIT STATUS",
        "0 for success, 1 where something was found wrong, 2 for a call that can't be understood.",
        ".SH ENVIRONMENT",
        ".TP",
        ".B TURNWRIGHT_HOME",
        "A folder that holds settings, library and saved state, in the place of those of the desktop.",
        ".SH FILES",
        ".TP",
        ".I NAME.toml",
        "An encounter as it was prepared.",
        ".TP",
        ".I NAME.fight.toml",
        "The fight that runs, beside its encounter.",
        ".TP",
        '.IR ~/.local/share/turnwright ", " ~/.config/turnwright ", " ~/.local/state/turnwright',
        "Your library, your settings, and what saves a fight from a crash.",
    ]
    return "\n".join(lines) + "\n"


def _synopsis(verb: Verb) -> Iterator[str]:
    yield f".B {' '.join((NAME, *verb.words))}"
    for one in verb.options:
        if "--help" not in one.flags:
            text = f"\\fB{_roff(one.flags[-1])}\\fR" + (f" \\fI{_roff(one.metavar)}\\fR" if one.takes else "")
            yield text if one.required else f"[{text}]"
    for one in verb.places:
        dots = " ..." if one.repeats else ""
        yield f"[\\fI{one.metavar}\\fR]" if not one.required else f"\\fI{_roff(one.metavar)}\\fR{dots}"
    yield ".br"


def _described(verb: Verb) -> Iterator[str]:
    for one in verb.arguments:
        yield ".TP"
        if one.flags:
            flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in one.flags)
            yield flags + (f" \\fI{_roff(one.metavar)}\\fR" if one.takes else "")
        else:
            yield f"\\fI{_roff(one.metavar)}\\fR"
        choices = f"One of: {', '.join(one.choices)}." if one.choices else ""
        yield _roff(". ".join(filter(None, (one.help, choices)))) or "\\&"


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{text}" if text.startswith((".", "'")) else text


# Completions -----------------------------------------------------------------------------------------------------


def bash_completion() -> str:
    """Return the completions for bash: by verb its flags, and by flag its values."""
    every = verbs()
    outer = [verb.words[0] for verb in every if len(verb.words) == 1]
    inner = {verb.words[0]: verb.inner for verb in every if verb.inner}
    lines = [
        f"# Completions of {NAME} for bash.",
        f"_{NAME}() {{",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} flags= words=",
        "    COMPREPLY=()",
        '    [ "$COMP_CWORD" -gt 1 ] || verb=',
        '    case "$verb" in',
        *(
            f'    {name}) [ "$COMP_CWORD" -eq 2 ] && words="{" ".join(kinds)}" || verb="$verb ${{COMP_WORDS[2]}}" ;;'
            for name, kinds in inner.items()
        ),
        "    esac",
        '    case "$verb $before" in',
    ]
    for verb in every:
        for one in verb.options:
            if one.takes:
                patterns = "|".join(f'"{" ".join(verb.words)} {flag}"' for flag in one.flags)
                lines.append(f"    {patterns}) {_bash_values(one)}; return ;;")
    lines += ["    esac", '    case "$verb" in']
    for verb in every:
        flags = " ".join(flag for one in verb.options for flag in one.flags)
        more = f" words='{' '.join(outer)}'" if not verb.words else ""
        if not verb.inner:
            lines.append(f"    '{' '.join(verb.words)}') flags='{flags}'{more} ;;")
    lines += [
        "    esac",
        '    case "$word" in',
        '    -*) mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word") ;;',
        '    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"',
        '           [ "$words" ] && [ "$verb" ] || compgen -f -- "$word") ;;',
        "    esac",
        "}",
        f"complete -o filenames -F _{NAME} {NAME}",
    ]
    return "\n".join(lines) + "\n"


def _bash_values(one: Argument) -> str:
    if one.choices:
        return f"mapfile -t COMPREPLY < <(compgen -W '{' '.join(one.choices)}' -- \"$word\")"
    kinds = {"file": "-f", "folder": "-d"}
    return f'mapfile -t COMPREPLY < <(compgen {kinds[one.takes]} -- "$word")' if one.takes in kinds else ":"


def zsh_completion() -> str:
    """Return the completions for zsh: a function for the program and one for each verb."""
    every = verbs()
    window, *others = every
    lines = [f"#compdef {NAME}", f"# Completions of {NAME} for zsh.", ""]
    for verb in others:
        lines += [f"_{NAME}_{'_'.join(verb.words)}() {{", *_zsh_body(verb, every), "}", ""]
    lines += [
        f"_{NAME}() {{",
        "    local -a verbs",
        "    verbs=(",
        *(f"        {_quoted(f'{verb.words[0]}:{verb.description}')}" for verb in others if len(verb.words) == 1),
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe verb verbs",
        *(f"        {line.strip()}" for line in _zsh_arguments(window)),
        "        return",
        "    fi",
        f"    if (( $+functions[_{NAME}_$words[2]] )); then",
        "        local verb=$words[2]",
        "        shift words; (( CURRENT-- ))",
        f"        _{NAME}_$verb",
        "    else",
        "        _files",
        "    fi",
        "}",
        "",
        f'_{NAME} "$@"',
    ]
    return "\n".join(lines) + "\n"


def _zsh_body(verb: Verb, every: Iterable[Verb]) -> list[str]:
    if not verb.inner:
        return _zsh_arguments(verb)
    kinds = [one for one in every if one.words[:-1] == verb.words and one.words != verb.words]
    return [
        "    local -a kinds",
        f"    kinds=({' '.join(_quoted(f'{one.words[-1]}:{one.description}') for one in kinds)})",
        "    if (( CURRENT == 2 )); then",
        "        _describe kind kinds",
        *(f"        {line.strip()}" for line in _zsh_arguments(verb)),
        "    else",
        "        local kind=$words[2]",
        "        shift words; (( CURRENT-- ))",
        f"        (( $+functions[_{'_'.join((NAME, *verb.words))}_$kind] )) && _{'_'.join((NAME, *verb.words))}_$kind",
        "    fi",
    ]


def _zsh_arguments(verb: Verb) -> list[str]:
    specs = [_zsh_spec(one, flag) for one in verb.options for flag in one.flags]
    specs += [_zsh_spec(one) for one in verb.places]
    return [f"    _arguments {' '.join(specs)}"]


def _zsh_spec(one: Argument, flag: str = "") -> str:
    explained = f"{flag}[{_zsh_text(one.help or one.metavar)}]" if flag else ""
    value = f":{one.metavar}:{_zsh_values(one)}" if one.takes else ""
    return _quoted(f"{'*' if one.repeats else ''}{explained}{value}")


def _zsh_values(one: Argument) -> str:
    return f"({' '.join(one.choices)})" if one.choices else {"file": "_files", "folder": "_files -/"}.get(one.takes, "")


def _zsh_text(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def fish_completion() -> str:
    """Return the completions for fish: a line for each verb and each flag."""
    every = verbs()
    lines = [f"# Completions of {NAME} for fish."]
    for verb in every:
        where = "__fish_use_subcommand"
        if verb.words:
            where = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in verb.words)
            outer = _fish_where(verb.words[:-1], every)
            lines.append(
                f"complete -c {NAME} -n {_quoted(outer)} -a {verb.words[-1]} -d {_quoted(verb.description)}"
                + (" -f" if len(verb.words) > 1 else "")
            )
        for one in verb.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in one.flags)
            value = f" -x -a {_quoted(' '.join(one.choices))}" if one.choices else _FISH_VALUES[one.takes]
            lines.append(f"complete -c {NAME} -n {_quoted(where)} {flags}{value} -d {_quoted(one.help)}")
    return "\n".join(lines) + "\n"


_FISH_VALUES = {"file": " -r -F", "folder": " -x -a '(__fish_complete_directories)'", "word": " -x", "": ""}


def _fish_where(words: tuple[str, ...], every: Iterable[Verb]) -> str:
    if not words:
        return "__fish_use_subcommand"
    kinds = next(one.inner for one in every if one.words == words)
    return f"__fish_seen_subcommand_from {words[-1]}; and not __fish_seen_subcommand_from {' '.join(kinds)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "’") + "'"


FILES: dict[str, Callable[[], str]] = {
    "share/bash-completion/completions/turnwright": bash_completion,
    "share/zsh/vendor-completions/_turnwright": zsh_completion,
    "share/fish/vendor_completions.d/turnwright.fish": fish_completion,
}
