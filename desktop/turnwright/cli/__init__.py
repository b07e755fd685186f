"""The command line: arguments lead to the window, or to a verb that does its work without one.

Nothing of Qt is imported for the headless verbs, and little of anything before the verb is known.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.cli.commands import SUBCOMMANDS, Arguments, Subcommand
from turnwright.cli.display import has_display
from turnwright.cli.exit_codes import FINDING, INTERRUPTED, USAGE
from turnwright.cli.terminal import escaped_output

if TYPE_CHECKING:
    from turnwright.bootstrap import RuleSystems

_EPILOG = """\
without a window:
  turnwright check FILE...                    say what is wrong with files
  turnwright odds countdown|roll ...          exact odds
  turnwright forecast FILE                    how an encounter will probably go
  turnwright report FILE                      how its fight went, as Markdown
  turnwright play FILE --script SCRIPT        carry out a script and print the journal
  turnwright play FILE --random N             play N rounds at random and check that all is well
  turnwright import PATH... --into DIR        other programs' creatures as files of one's own
  turnwright export FILE... -o OUT            creatures or an encounter for another program
  turnwright backup OUT.zip                   the whole library as one file
  turnwright restore FILE.zip                 that file in the place of the library
  turnwright handout FILE -o OUT.pdf          pages to print, for the table and for the players
  turnwright screenshot FILE -o OUT.png       a picture of the window

`turnwright VERB --help` says more.
"""


def main(argv: Sequence[str] | None = None, systems: RuleSystems | None = None) -> int:
    """Run the command of the arguments; return 0 for success, 1 for a finding, 2 for bad usage.

    `systems` are the games to play by, the shipped games by default.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--typeset-pages"]:  # the program has called itself
        from turnwright.handouts.template_process import serve

        return serve(Path(words[1]), float(words[2]), int(words[3]), *map(Path, words[4:]))
    if words == ["--compile-fights"]:
        from turnwright.workspace.loop_compilation import fill_cache

        return fill_cache()
    verb = SUBCOMMANDS.get(words[0]) if words else None
    parser, run = verb() if verb else window_command()
    try:
        arguments = parser.parse_args(words[1:] if verb else words, Arguments(systems=systems))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        with escaped_output():
            code = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up_output()  # the reader has closed the pipe
        return FINDING
    except OSError as error:  # the verbs report errors of files; this is the output itself, on a full disk
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


def _give_up_output() -> None:
    """Discard further output, so that the interpreter ends without an error."""
    if isinstance(sys.stdout, TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def window_main() -> int:
    """Open the window; the entry point of systems that give a window no console."""
    return main()


def window_command() -> Subcommand:
    """Return the parser of a call without a verb, and what opens the window."""
    parser = argparse.ArgumentParser(
        prog="turnwright",
        description="Prepare and run tabletop encounters. Without a verb, the window opens.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="encounters to open, each in a window of its own"
    )
    parser.add_argument("--quit-when-shown", action="store_true", help="close the window after its first paint")
    parser.add_argument("--version", action=_Version, nargs=0, help="show versions and where files are kept, and exit")
    return parser, _open_window


class _Version(argparse.Action):
    """Prints the versions of the program and of what it runs on, and the places of its files."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from turnwright.workspace.folders import folders
        from turnwright.workspace.versions import places, versions

        lines = [f"{name} {version}" for name, version in versions().items()]
        lines += [f"{name}: {place}" for name, place in places(folders()).items()]
        print("\n".join(lines))
        parser.exit()


def _open_window(arguments: Arguments) -> int:
    if not has_display():
        print(f"turnwright: there is no display here, so no window can open\n{_EPILOG}", end="", file=sys.stderr)
        return USAGE
    from turnwright.workspace.folders import folders
    from turnwright.workspace.window_requests import ask_window

    state = folders().state
    closed = [path for path in arguments.files if not ask_window(state, path)]
    if arguments.files and not closed:
        return 0  # they are open, and their windows have come to the front
    gc.disable()  # nothing that starting makes is garbage; the window turns it on again once it is furnished
    from turnwright.bootstrap import RuleSystems
    from turnwright.ui.app import run

    systems = arguments.systems or RuleSystems()
    return run(closed, systems=systems, quit_when_shown=arguments.quit_when_shown)
