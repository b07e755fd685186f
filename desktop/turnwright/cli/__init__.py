"""The command line. It opens the window, or runs a verb without a window.

Verbs without a window don't import Qt, and few modules are imported before the verb is known.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.cli.commands import ALIASES, SUBCOMMANDS, Arguments, Subcommand
from turnwright.cli.terminal import FINDING, INTERRUPTED, USAGE, escaped_output
from turnwright.encounter.field_specs import nearest_hint
from turnwright.storage.resources import read_text


def main(argv: Sequence[str] | None = None, systems: RuleSystems | None = None) -> int:
    """Run the command line. Return 0 for success, 1 for a problem with a file, or 2 for wrong usage.

    `systems` are the available rule systems (default: the shipped ones).
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--typeset-pages"]:  # the program started itself
        from turnwright.handouts.typesetter import serve

        return serve(Path(words[1]), float(words[2]), int(words[3]), *map(Path, words[4:]))
    verb = SUBCOMMANDS.get(ALIASES.get(words[0], words[0])) if words else None
    if not verb and (problem := _unknown_word(words)):
        print(f"turnwright: {problem}", file=sys.stderr)
        return USAGE
    parser, run = verb() if verb else window_command()

    try:
        arguments = parser.parse_args(words[1:] if verb else words, Arguments(systems=systems or RuleSystems()))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        with escaped_output():
            code = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up_output()  # the reader closed the pipe
        return FINDING
    except OSError as error:  # verbs report errors of their files; this is an error of the output, such as a full disk
        _give_up_output()
        print(f"turnwright: {error.strerror or error}", file=sys.stderr)
        return FINDING
    except ValueError as error:
        from turnwright.storage.system_data import SystemDataError

        if not isinstance(error, SystemDataError):
            raise
        print(error, file=sys.stderr)
        return FINDING
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _unknown_word(words: Sequence[str]) -> str:
    """Return an error message if the first word without a dash is neither a verb nor a file, or an empty string."""
    word = next((word for word in words if not word.startswith("-")), "")
    if not word or word.lower().endswith(".toml") or Path(word).exists():
        return ""

    hint = nearest_hint(word, SUBCOMMANDS)
    return f"'{word}' isn't a verb or a file{hint or '; `turnwright --help` lists the verbs'}"


def _give_up_output() -> None:
    """Discard further output, so that the interpreter exits without an error."""
    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def window_main() -> int:
    """Open the window. This is the entry point on systems on which a window has no console."""
    return main()


def window_command() -> Subcommand:
    """Return the parser for a call without a verb, and the function that opens the window."""
    parser = argparse.ArgumentParser(
        prog="turnwright",
        description="Prepare and run encounters of tabletop role-playing games. Without a verb, the window opens.",
        epilog=read_text("verbs.txt"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="an encounter to open in its own window")
    parser.add_argument(
        "--quit-when-shown", action="store_true", help="close the window as soon as it is shown, to measure the start"
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="print versions and the folders of your files, and exit"
    )
    return parser, _open_window


class _Version(argparse.Action):
    """Prints the versions of the program and its environment, and the folders of its files."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from turnwright.workspace.settings import folders
        from turnwright.workspace.versions import places, versions

        lines = [f"{name} {version}" for name, version in versions().items()]
        lines += [f"{name}: {place}" for name, place in places(folders()).items()]
        print("\n".join(lines))
        parser.exit()


def _open_window(arguments: Arguments) -> int:
    from turnwright.cli.window import open_window

    return open_window(
        arguments.files, read_text("verbs.txt"), arguments.systems, quit_when_shown=arguments.quit_when_shown
    )
