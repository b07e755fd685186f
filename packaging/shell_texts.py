"""Generates the man page, and the completions for bash, zsh and fish, from the argument parsers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from turnwright import __version__
from turnwright.cli import window_command
from turnwright.cli.commands import SUBCOMMANDS, OutputFile

NAME = "turnwright"
_COUNTS = ("*", "+", argparse.REMAINDER)


@dataclass(frozen=True)
class Argument:
    """An option, or a positional argument if `flags` is empty.

    `takes` is the kind of its value: `file`, `folder`, `word` or empty.
    """

    flags: tuple[str, ...]
    metavar: str
    help: str
    takes: str
    choices: tuple[str, ...] = ()
    repeats: bool = False
    required: bool = False


@dataclass(frozen=True)
class Verb:
    """A verb with its arguments. `words` is empty for the window.

    `inner` are the kinds of the verb, one of which is required.
    """

    words: tuple[str, ...]
    description: str
    arguments: tuple[Argument, ...]
    inner: tuple[str, ...] = ()

    @property
    def options(self) -> list[Argument]:
        """The arguments with flags."""
        return [argument for argument in self.arguments if argument.flags]

    @property
    def places(self) -> list[Argument]:
        """The positional arguments."""
        return [argument for argument in self.arguments if not argument.flags]


def verbs() -> list[Verb]:
    """Return the window's own call and all verbs, each followed by its kinds."""
    all_verbs = [_verb((), window_command()[0])]
    for name, make in SUBCOMMANDS.items():
        parser = make()[0]
        all_verbs.append(_verb((name,), parser))
        all_verbs += [_verb((name, word), inner) for word, inner in _inner(parser)]
    return all_verbs


def _verb(words: tuple[str, ...], parser: argparse.ArgumentParser) -> Verb:
    arguments = [
        _argument(action, parser)
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and action.help != argparse.SUPPRESS
    ]
    inner = tuple(word for word, _ in _inner(parser))
    return Verb(words, parser.description or "", tuple(arguments), inner)


def _inner(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _argument(action: argparse.Action, parser: argparse.ArgumentParser) -> Argument:
    takes = ""
    if action.nargs != 0:
        is_path = action.type is Path or isinstance(action.type, OutputFile)
        takes = "word" if not is_path else "folder" if action.metavar == "DIR" else "file"
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


# Man page --------------------------------------------------------------------------------------------------------


def man_page(epoch: int) -> str:
    """Return the man page. Its date is given in seconds since 1970."""
    window, *others = verbs()
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    lines = [
        f'.TH TURNWRIGHT 1 "{day}" "Turnwright {__version__}" "User Commands"',
        ".nh",
        ".ad l",
        ".SH NAME",
        "turnwright \\- encounter builder and combat tracker for game masters",
        ".SH SYNOPSIS",
        *(line for verb in (window, *others) if not verb.inner for line in _synopsis(verb)),
        ".SH DESCRIPTION",
        "Turnwright is a combat tracker and encounter builder for game masters of tabletop role-playing games. Without a",
        "verb, the window opens. Verbs work without a window. All your files are plain TOML.",
        ".SH OPTIONS",
        *_described(window),
        ".SH VERBS",
    ]
    for verb in others:
        lines += [f".SS {NAME} {' '.join(verb.words)}", _roff(verb.description), *_described(verb)]
    lines += [
        ".SH EXIT STATUS",
        "0 if all went well, 1 if something is wrong with a file or its content, 2 for wrong usage, 130 if interrupted.",
        ".SH ENVIRONMENT",
        ".TP",
        ".B TURNWRIGHT_HOME",
        "A folder to use for settings, library and saved state, instead of the usual folders.",
        ".SH FILES",
        ".TP",
        ".I NAME.toml",
        "A prepared encounter.",
        ".TP",
        ".I NAME.fight.toml",
        "The saved fight, next to its encounter.",
        ".TP",
        '.IR ~/.local/share/turnwright ", " ~/.config/turnwright ", " ~/.local/state/turnwright',
        "Your library, your settings, and the data for restoring a fight after a crash.",
    ]
    return "\n".join(lines) + "\n"


def _synopsis(verb: Verb) -> Iterator[str]:
    yield f".B {' '.join((NAME, *verb.words))}"
    for argument in verb.options:
        if "--help" not in argument.flags:
            text = f"\\fB{_roff(argument.flags[-1])}\\fR" + (
                f" \\fI{_roff(argument.metavar)}\\fR" if argument.takes else ""
            )
            yield text if argument.required else f"[{text}]"
    for argument in verb.places:
        dots = " ..." if argument.repeats else ""
        yield f"[\\fI{argument.metavar}\\fR]" if not argument.required else f"\\fI{_roff(argument.metavar)}\\fR{dots}"
    yield ".br"


def _described(verb: Verb) -> Iterator[str]:
    for argument in verb.arguments:
        yield ".TP"
        if argument.flags:
            flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in argument.flags)
            yield flags + (f" \\fI{_roff(argument.metavar)}\\fR" if argument.takes else "")
        else:
            yield f"\\fI{_roff(argument.metavar)}\\fR"
        choices = f"One of: {', '.join(argument.choices)}." if argument.choices else ""
        yield _roff(". ".join(filter(None, (argument.help, choices)))) or "\\&"


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{text}" if text.startswith((".", "'")) else text


# Completions -----------------------------------------------------------------------------------------------------


def bash_completion() -> str:
    """Return the completions for bash: the options of each verb, and the values of each option."""
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
        for argument in verb.options:
            if argument.takes:
                patterns = "|".join(f'"{" ".join(verb.words)} {flag}"' for flag in argument.flags)
                lines.append(f"    {patterns}) {_bash_values(argument)}; return ;;")
    lines += ["    esac", '    case "$verb" in']
    for verb in every:
        flags = " ".join(flag for argument in verb.options for flag in argument.flags)
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


def _bash_values(argument: Argument) -> str:
    if argument.choices:
        return f"mapfile -t COMPREPLY < <(compgen -W '{' '.join(argument.choices)}' -- \"$word\")"
    kinds = {"file": "-f", "folder": "-d"}
    return f'mapfile -t COMPREPLY < <(compgen {kinds[argument.takes]} -- "$word")' if argument.takes in kinds else ":"


def zsh_completion() -> str:
    """Return the completions for zsh: one function for the program and one for each verb."""
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
    kinds = [kind for kind in every if kind.words[:-1] == verb.words and kind.words != verb.words]
    return [
        "    local -a kinds",
        f"    kinds=({' '.join(_quoted(f'{kind.words[-1]}:{kind.description}') for kind in kinds)})",
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
    specs = [_zsh_spec(argument, flag) for argument in verb.options for flag in argument.flags]
    specs += [_zsh_spec(argument) for argument in verb.places]
    return [f"    _arguments {' '.join(specs)}"]


def _zsh_spec(argument: Argument, flag: str = "") -> str:
    explained = f"{flag}[{_zsh_text(argument.help or argument.metavar)}]" if flag else ""
    value = f":{argument.metavar}:{_zsh_values(argument)}" if argument.takes else ""
    return _quoted(f"{'*' if argument.repeats else ''}{explained}{value}")


def _zsh_values(argument: Argument) -> str:
    return (
        f"({' '.join(argument.choices)})"
        if argument.choices
        else {"file": "_files", "folder": "_files -/"}.get(argument.takes, "")
    )


def _zsh_text(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def fish_completion() -> str:
    """Return the completions for fish: one line for each verb and each option."""
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
        for argument in verb.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in argument.flags)
            value = (
                f" -x -a {_quoted(' '.join(argument.choices))}" if argument.choices else _FISH_VALUES[argument.takes]
            )
            lines.append(f"complete -c {NAME} -n {_quoted(where)} {flags}{value} -d {_quoted(argument.help)}")
    return "\n".join(lines) + "\n"


_FISH_VALUES = {"file": " -r -F", "folder": " -x -a '(__fish_complete_directories)'", "word": " -x", "": ""}


def _fish_where(words: tuple[str, ...], every: Iterable[Verb]) -> str:
    if not words:
        return "__fish_use_subcommand"
    kinds = next(verb.inner for verb in every if verb.words == words)
    return f"__fish_seen_subcommand_from {words[-1]}; and not __fish_seen_subcommand_from {' '.join(kinds)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "’") + "'"


FILES: dict[str, Callable[[], str]] = {
    "share/bash-completion/completions/turnwright": bash_completion,
    "share/zsh/vendor-completions/_turnwright": zsh_completion,
    "share/fish/vendor_completions.d/turnwright.fish": fish_completion,
}
