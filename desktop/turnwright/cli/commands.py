"""The verbs of the command line, whose arguments are declared in `resources/command_line.toml`.

The module that runs a verb is imported when the verb is used.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import rtoml

from turnwright.cli.terminal import Failed
from turnwright.encounter.prepared import DEFAULT_SYSTEM
from turnwright.storage.resources import read_text

if TYPE_CHECKING:
    from turnwright.forecast.sheet import Policy

Arguments = argparse.Namespace
Subcommand = tuple[argparse.ArgumentParser, Callable[[Arguments], int]]
_MOST_BLEED = 20  # millimetres
_SIDES = (100, 10_000)
_MOST_CHARACTERS, _MOST_FOES = 12, 30


class VerbArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An argument of a verb, with the names of `argparse`. An argument without `help` is an old name.

    `dest` is the parameter of the verb's function, if it isn't the argument's name. Arguments with the same `group`
    exclude each other; one of them is required if the group begins with `required`. `endings` are those allowed for an
    output file; the ending can be left out unless `ending_required`.
    """

    help: str = ""
    short: str = ""
    dest: str = ""
    action: Literal["", "store_true", "append", "whether"] = ""
    nargs: str = ""
    type: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    ending_required: bool = False
    required: bool = False
    default: str | int | float | None = None
    group: str = ""


class Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verb, or one of the `kinds` of a verb, with its arguments by name. `run` is a function in `turnwright.cli`."""

    description: str = ""
    help: str = ""
    run: str = ""
    arguments: Mapping[str, VerbArgument] = {}
    kinds: Mapping[str, Verb] = {}


@cache
def verbs() -> Mapping[str, Verb]:
    """Return the verbs of `resources/command_line.toml` by name."""
    return msgspec.convert(rtoml.loads(read_text("command_line.toml")), dict[str, Verb])


def _subcommand(name: str) -> Subcommand:
    """Return the parser of a verb, and the function that runs it."""
    verb = verbs()[name]
    parser = argparse.ArgumentParser(prog=f"turnwright {name}", description=verb.description)
    _fill(parser, verb)
    if verb.kinds:
        kinds = parser.add_subparsers(dest="kind", required=True)
        for word, kind in verb.kinds.items():
            _fill(kinds.add_parser(word, help=kind.help, description=f"{kind.help[0].upper()}{kind.help[1:]}."), kind)
    return parser, partial(_run, verb)


def _run(verb: Verb, arguments: Arguments) -> int:
    """Call the function of a verb with its arguments by name."""
    values = dict(vars(arguments))
    if verb.kinds:
        verb = verb.kinds[values.pop("kind")]
    module, _, function = verb.run.partition(".")
    try:
        code: int = getattr(import_module(f"turnwright.cli.{module}"), function)(**values)
    except Failed as failure:
        print(failure, file=sys.stderr)
        return failure.code
    return code


def _fill(parser: argparse.ArgumentParser, verb: Verb) -> None:
    groups: dict[str, argparse._MutuallyExclusiveGroup] = {}
    for name, argument in verb.arguments.items():
        place: Any = parser
        if argument.group:
            if argument.group not in groups:
                required = argument.group.startswith("required")
                groups[argument.group] = parser.add_mutually_exclusive_group(required=required)
            place = groups[argument.group]
        _add(place, name, argument)


def _add(place: Any, name: str, argument: VerbArgument) -> None:
    """Add an argument to a parser or a group."""
    options: dict[str, Any] = {
        option: getattr(argument, option)
        for option in ("dest", "action", "nargs", "metavar", "required")
        if getattr(argument, option)
    }
    options["help"] = argument.help or argparse.SUPPRESS
    if not argument.help:
        options["default"] = argparse.SUPPRESS
    if argument.action == "whether":
        options |= {"action": argparse.BooleanOptionalAction, "default": True}
    elif argument.action == "append":
        options["default"] = []
    elif argument.default is not None:
        options["default"] = DEFAULT_SYSTEM if argument.default == "{default_system}" else argument.default
    if argument.endings:
        options["type"] = OutputFile(argument.endings, required=argument.ending_required)
    elif argument.type:
        options["type"] = TYPES[argument.type]
    if argument.choices:
        options["choices"] = argument.choices
    place.add_argument(*filter(None, (argument.short, name)), **options)


class OutputFile:
    """An argument type: the path of an output file with an allowed ending.

    Unless `required` is set, the path can have no ending.
    """

    def __init__(self, endings: Sequence[str], *, required: bool = False) -> None:
        self._endings, self._required = endings, required

    def __call__(self, text: str) -> Path:
        """Return the path. Raise ArgumentTypeError if its ending isn't allowed."""
        path = Path(text)
        problem = ending_problem(path, self._endings, required=self._required)
        if problem:
            raise argparse.ArgumentTypeError(problem)
        return path


def ending_problem(path: Path, endings: Sequence[str], *, required: bool = False) -> str:
    """Return an error message if the ending of a file name isn't allowed, or an empty string."""
    if path.suffix.lower() in endings or not (path.suffix or required):
        return ""
    *most, last = endings
    expected = f"{', '.join(most)} or {last}" if most else last
    problem = f"unknown ending '{path.suffix}'" if path.suffix else "the ending is missing"
    return f"{path}: {problem}; expected {expected}"


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(_SIDES[0] <= side <= _SIDES[1] for side in size):
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT with numbers from 100 to 10000, such as 1280x800; found '{text}'"
        )
    return size


def _above_zero(text: str) -> float:
    if not re.fullmatch(r"\d{1,5}(\.\d{1,4})?", text) or not float(text):
        raise argparse.ArgumentTypeError(f"expected a number above 0; found '{text}'")
    return float(text)


def _offset(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,4})?),(\d{1,5}(?:\.\d{1,4})?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"expected pixels as X,Y, such as 12,30.5; found '{text}'")
    return float(match[1]), float(match[2])


def _bleed(text: str) -> float:
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text) or float(text) > _MOST_BLEED:
        raise argparse.ArgumentTypeError(f"expected millimetres from 0 to {_MOST_BLEED}; found '{text}'")
    return float(text)


def _number(text: str, unit: str, most: int) -> int:
    """Return a number from 1 to `most`. Raise ArgumentTypeError if the text isn't one."""
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"expected a number of {unit} from 1 to {most}; found '{text}'")
    return int(text)


def _levels(text: str) -> list[int]:
    """Return the levels of a party, such as `3x6,1x7`. Raise ArgumentTypeError if the text isn't one."""
    parts = [re.fullmatch(r"(?:(\d{1,2})x)?(\d{1,2})", part.strip()) for part in text.split(",")]
    levels = [int(part[2]) for part in parts if part for _ in range(int(part[1] or 1))]
    if None in parts or not levels or 0 in levels or len(levels) > _MOST_CHARACTERS:
        raise argparse.ArgumentTypeError(f"expected characters and levels, such as 4x5 or 3x6,1x7; found '{text}'")
    return levels


def _range(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text)
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= least <= most <= _MOST_FOES:
        raise argparse.ArgumentTypeError(f"expected numbers from 1 to {_MOST_FOES}, such as 2-8; found '{text}'")
    return least, most


def _policy(text: str) -> Policy:
    from turnwright.forecast.sheet import policy_of_text

    try:
        return policy_of_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected a whole number of at most 18 digits; found '{text}'")
    return int(text)


TYPES: Mapping[str, Callable[[str], object]] = {
    "path": Path,
    "int": int,
    "size": _size,
    "above-zero": _above_zero,
    "offset": _offset,
    "millimetres": _bleed,
    "rounds": partial(_number, unit="rounds", most=10_000),
    "fights": partial(_number, unit="fights", most=100_000_000),
    "processes": partial(_number, unit="processes", most=256),
    "levels": _levels,
    "range": _range,
    "policy": _policy,
    "seed": _seed,
    "edition": lambda text: "game-master" if text == "narrator" else text,  # an old name
}
SUBCOMMANDS: Mapping[str, Callable[[], Subcommand]] = {name: partial(_subcommand, name) for name in verbs()}
# Old names of verbs. They still work.
ALIASES: Mapping[str, str] = {"take-back": "undo-import"}
