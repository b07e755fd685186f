"""The verbs of the command line, with their arguments. The modules that run them are only imported when needed."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from turnwright.cli.exit_codes import USAGE
from turnwright.encounter.prepared import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from turnwright.forecast.policy_figures import Policy

Arguments = argparse.Namespace
Subcommand = tuple[argparse.ArgumentParser, Callable[[Arguments], int]]
GAME_MASTER = "game-master"
_MOST_BLEED = 20  # millimetres
_SIDES = (100, 10_000)


def _check() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright check", description="Check encounter and library files, and list the problems found."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="an encounter or library file")
    parser.add_argument("--json", action="store_true", help="print the problems as a JSON list")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.check import check

        return check(arguments.files, as_json=arguments.json, systems=arguments.systems)

    return parser, run


def _odds() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright odds", description="Print the exact odds of a countdown or a roll."
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    pool = _add_kind(kinds, "countdown", "print the odds that a countdown runs out, by round")
    pool.add_argument("--dice", type=int, required=True, help="the number of dice in the pool")
    removal = pool.add_mutually_exclusive_group()
    removal.add_argument(
        "--speed", default="medium", help="how fast dice are removed: slow, medium or fast (default: medium)"
    )
    removal.add_argument(
        "--face", type=int, metavar="N", help="remove dice that show N or more, instead of setting a speed"
    )
    pool.add_argument(
        "--system", default=DEFAULT_SYSTEM, help="the rule system that defines the speeds (default: %(default)s)"
    )
    roll = _add_kind(kinds, "roll", "print the odds of each total of a roll")
    roll.add_argument("expression", help="the roll, such as 2d6+3, 4d6kh3 or '1d20+5 adv'")
    for kind in (pool, roll):
        kind.add_argument("--json", action="store_true", help="print a JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.cli import odds

        if arguments.kind == "roll":
            return odds.roll(arguments.expression, as_json=arguments.json)
        return odds.countdown(
            arguments.dice,
            arguments.speed,
            arguments.face,
            arguments.system,
            as_json=arguments.json,
            systems=arguments.systems,
        )

    return parser, run


def _play() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright play", description="Run a script (docs/scripts.md) on an encounter and print the journal."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--script", type=Path, help="the script to run; - reads standard input")
    mode.add_argument(
        "--random", type=_rounds, metavar="N", help="play N rounds at random and check the fight after each step"
    )
    parser.add_argument("--seed", type=_seed, help="the seed of the dice; the same seed gives the same fight")
    parser.add_argument("--resume", action="store_true", help="continue the saved fight instead of starting a new one")
    parser.add_argument(
        "--json", action="store_true", help="print events instead of the journal, one JSON object per line"
    )
    parser.add_argument("--all", action="store_true", help="print the whole journal, including bookkeeping")

    def run(arguments: Arguments) -> int:
        if arguments.random:
            from turnwright.cli.random_play import play_randomly

            return play_randomly(
                arguments.file,
                arguments.random,
                seed=arguments.seed or 0,
                with_bookkeeping=arguments.all,
                systems=arguments.systems,
            )

        from turnwright.cli.play import play

        return play(
            arguments.file,
            arguments.script,
            seed=arguments.seed,
            resume=arguments.resume,
            as_json=arguments.json,
            with_bookkeeping=arguments.all,
            systems=arguments.systems,
        )

    return parser, run


def _import() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright import",
        description="Import creatures and encounters from files of other programs, as a folder of TOML files.",
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="a file or a folder; the format is recognised"
    )
    parser.add_argument(
        "--into", type=Path, required=True, metavar="DIR", help="the library in which to create the folder"
    )
    parser.add_argument("--system", default="", help="the rule system, if the files don't define it")
    parser.add_argument(
        "--again",
        choices=("skip", "update", "both"),
        default="skip",
        help="for records that you imported before: skip adds only new records (default), update also overwrites "
        "changed records except those you edited or removed, both imports everything into another folder",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.bootstrap import RuleSystems
        from turnwright.cli.import_files import import_files

        known = arguments.systems or RuleSystems()
        try:
            known.get(arguments.system or DEFAULT_SYSTEM)
        except LookupError:
            expected = ", ".join(known.ids)
            print(
                f"turnwright import: unknown rule system '{arguments.system}'; expected one of {expected}",
                file=sys.stderr,
            )
            return USAGE
        return import_files(
            arguments.paths,
            arguments.into,
            system=arguments.system,
            again=arguments.again,
            as_json=arguments.json,
        )

    return parser, run


def _undo_import() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright undo-import",
        description="Undo an import: move its files to the backups, except files that you edited.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder that the import created")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.import_files import undo_import

        return undo_import(arguments.folder)

    return parser, run


def _understand() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright understand",
        description="Recognise the wording of traits in a folder of creatures, and save the result in their files.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of creatures, such as an import")
    parser.add_argument(
        "--check", action="store_true", help="only show the changes; the exit code is 1 if there are any"
    )

    def run(arguments: Arguments) -> int:
        from turnwright.cli.understand import understand

        return understand(arguments.folder, check=arguments.check)

    return parser, run


def _forecast() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright forecast", description="Simulate an encounter, and print the party's chances."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    parser.add_argument(
        "--fights", type=_fights, default=10_000, metavar="N", help="the number of simulated fights (default: 10000)"
    )
    parser.add_argument("--seed", type=_seed, default=1, help="the same seed gives the same result (default: 1)")
    parser.add_argument(
        "--engine", type=_fights, default=0, metavar="N", help="also play N fights by the full rules, to compare"
    )
    parser.add_argument("--processes", type=_processes, default=1, metavar="N", help="simulate in N processes")
    for option, side in (("party", "the party fights"), ("enemies", "the enemies fight")):
        parser.add_argument(
            f"--{option}",
            type=_policy,
            default="",
            metavar="POLICY",
            help=f"how {side}: target, finishes, spends, heals-at, flees-at and moves-up, "
            "for example target=nearest,flees-at=50",
        )
    _add_old_name(parser, "--foes", "enemies", _policy)
    parser.add_argument("--changes", action="store_true", help="show which single changes would change the odds")
    parser.add_argument(
        "--tune",
        metavar="AIM",
        help="look for changes that reach an aim in percent, for example won=65 or won=65,falls=40",
    )
    parser.add_argument(
        "--may",
        action="append",
        default=[],
        metavar="CHANGE",
        help="allow --tune only this change, for example hp or count:captain=0..2; can be repeated (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.forecast import PlanSearch, forecast

        return forecast(
            arguments.file,
            arguments.fights,
            seed=arguments.seed,
            processes=arguments.processes,
            in_engine=arguments.engine,
            policies=(arguments.party, arguments.enemies),
            with_changes=arguments.changes,
            search=None if arguments.tune is None else PlanSearch(arguments.tune, arguments.may),
            as_json=arguments.json,
            systems=arguments.systems,
        )

    return parser, run


def _report() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright report", description="Report on the saved fight of an encounter, as Markdown."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    parser.add_argument("--players", action="store_true", help="hide everything that players may not know")
    parser.add_argument("--json", action="store_true", help="print a JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.report import report

        return report(arguments.file, for_players=arguments.players, as_json=arguments.json, systems=arguments.systems)

    return parser, run


def _export() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright export",
        description="Export an encounter, or creatures of a library, for another program or as library files.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="an encounter, or creatures of a library")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT",
        help="the .json file to write; for toml, the folder in which to create the new folder",
    )
    parser.add_argument(
        "--format",
        choices=("improved-initiative", "toml"),
        default="improved-initiative",
        help="improved-initiative (default): one file for that program; toml: a folder of library files",
    )

    def run(arguments: Arguments) -> int:
        from turnwright.bootstrap import RuleSystems
        from turnwright.cli.export_files import export_files

        systems = arguments.systems or RuleSystems()
        problem = ending_problem(arguments.output, (".json",)) if arguments.format != "toml" else ""
        if problem:
            print(f"turnwright export: {problem}", file=sys.stderr)
            return USAGE
        return export_files(arguments.files, arguments.output, arguments.format, systems)

    return parser, run


def _map() -> Subcommand:
    from turnwright.importers.universal_vtt import MAP_PARTS

    parser = argparse.ArgumentParser(
        prog="turnwright map", description="Import a map or a picture into an encounter, or export its map."
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    importing = _add_kind(kinds, "import", "import a Universal VTT map (.dd2vtt, .uvtt, .df2vtt, .json)")
    plain = _add_kind(kinds, "picture", "place a plain picture under the grid")
    write = _add_kind(kinds, "export", "export the encounter's map as a Universal VTT file")
    importing.add_argument("file", type=Path, metavar="MAP", help="the Universal VTT file")
    plain.add_argument("file", type=Path, metavar="MAP", help="the picture: PNG, JPEG or WebP")
    for kind in (importing, plain):
        kind.add_argument("--into", type=Path, required=True, metavar="FILE", help="the encounter")
    importing.add_argument(
        "--without",
        action="append",
        default=[],
        choices=MAP_PARTS,
        help="a part not to import; can be repeated",
    )
    importing.add_argument("--dark", action="store_true", help="make the encounter dark if the map has lights")
    importing.add_argument("--json", action="store_true", help="print a JSON object")
    fit = plain.add_mutually_exclusive_group(required=True)
    fit.add_argument(
        "--squares", type=_above_zero, default=0.0, metavar="N", help="the width of the picture in squares"
    )
    fit.add_argument("--pixels", type=_above_zero, default=0.0, metavar="N", help="the width of a square in pixels")
    plain.add_argument(
        "--offset",
        type=_offset,
        default=(0.0, 0.0),
        metavar="X,Y",
        help="the first corner of the grid, in pixels (default: 0,0)",
    )
    write.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    write.add_argument(
        "-o",
        "--output",
        type=OutputFile((".dd2vtt", ".uvtt", ".df2vtt", ".json")),
        required=True,
        metavar="OUT.dd2vtt",
        help="the file to write: .dd2vtt, .uvtt, .df2vtt or .json",
    )

    def run(arguments: Arguments) -> int:
        from turnwright.bootstrap import RuleSystems
        from turnwright.cli import maps

        systems = arguments.systems or RuleSystems()
        if arguments.kind == "import":
            parts = [part for part in MAP_PARTS if part not in arguments.without]
            return maps.import_map(
                arguments.file, arguments.into, parts, systems, dark=arguments.dark, as_json=arguments.json
            )
        if arguments.kind == "export":
            return maps.export_map(arguments.file, arguments.output, systems)
        return maps.place_map_picture(
            arguments.file,
            arguments.into,
            systems,
            squares=arguments.squares,
            pixels=arguments.pixels,
            offset=arguments.offset,
        )

    return parser, run


def _backup() -> Subcommand:
    parser = argparse.ArgumentParser(prog="turnwright backup", description="Save your whole library as one file.")
    parser.add_argument("output", type=OutputFile((".zip",)), metavar="OUT.zip", help="the .zip file to write")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.backup import back_up

        return back_up(arguments.output)

    return parser, run


def _restore() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright restore",
        description="Replace your library with a backup. The present library is kept in a folder next to it.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.zip", help="the backup")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.backup import restore

        return restore(arguments.file)

    return parser, run


def _handout() -> Subcommand:
    from turnwright.handouts.kinds import MODULES
    from turnwright.handouts.map_tiles import ASK_ABOVE, MAX_TILES

    parser = argparse.ArgumentParser(
        prog="turnwright handout",
        description="Print handouts of an encounter, or of a creature of a library, as PDF or pictures.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="an encounter, or a creature of a library")
    parser.add_argument(
        "-o",
        "--output",
        type=OutputFile((".pdf", ".png", ".svg")),
        required=True,
        metavar="OUT.pdf",
        help="the file to write: .pdf, .png or .svg; there is one picture per page (OUT-01.png, …)",
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=[name.replace("_", "-") for name in MODULES],
        help="a kind of page; can be repeated (default: all kinds with content, except the battle mat and the fight report)",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the paper size (default: a4)")
    parser.add_argument(
        "--edition",
        type=_edition,
        choices=(GAME_MASTER, "players"),
        default=GAME_MASTER,
        help="players hides everything that players may not know (default: game-master)",
    )
    parser.add_argument(
        "--ink", choices=("colour", "saving"), default="colour", help="saving prints no filled areas (default: colour)"
    )
    parser.add_argument(
        "--sides",
        choices=("one", "two"),
        default="one",
        help="two is for printing on both sides: anything to cut out starts on the front of a sheet (default: one)",
    )
    parser.add_argument(
        "--card", choices=("poker", "tarot"), default="poker", help="the size of creature cards (default: poker)"
    )
    parser.add_argument(
        "--map",
        choices=("tiled", "one-page"),
        default="tiled",
        help="tiled prints the map at one inch per square over several sheets (default: tiled)",
    )
    parser.add_argument(
        "--map-part",
        default="",
        metavar="3-5,9",
        help=f"print only these tiles; 3:15 is the rectangle between two tiles (required above {ASK_ABOVE} tiles, "
        f"at most {MAX_TILES})",
    )
    for name, part in (
        ("tokens", "the combatants on the map"),
        ("grid", "the grid of the map"),
        ("keys", "names and numbers on the map"),
        ("ground", "colours and patterns of the map's ground"),
    ):
        parser.add_argument(
            f"--map-{name}",
            action=argparse.BooleanOptionalAction,
            default=True,
            help=f"whether to print {part}",
        )
    parser.add_argument(
        "--mat",
        default="",
        metavar="24x18",
        help="print a blank battle mat of this size in squares (default for --kind battle-mat: the size of the map)",
    )
    parser.add_argument(
        "--bleed",
        type=_bleed,
        default=0.0,
        metavar="MM",
        help="extra paper on each side, to be cut off (at most 20 mm; default: 0)",
    )
    parser.add_argument(
        "--creature",
        action="append",
        default=[],
        dest="creatures",
        metavar="ID",
        help="print stat blocks, cards and tracking sheets only of this creature; can be repeated (default: all but the party)",
    )
    parser.add_argument(
        "--players-map", action="store_true", help="print the map as the players know it, among pages for you"
    )
    parser.add_argument(
        "--party", action="store_true", help="also print stat blocks, cards and tracking sheets of the party"
    )
    parser.add_argument("--forecast", action="store_true", help="add the forecast to the encounter sheet")
    parser.add_argument(
        "--format", choices=("pdf", "png", "svg"), help="the output format (default: by the ending of OUT, or pdf)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.handout import handout
        from turnwright.handouts.page_input import PrintOptions

        ending = arguments.output.suffix.lower().removeprefix(".")
        arguments.format = arguments.format or ending or "pdf"
        arguments.edition = "narrator" if arguments.edition == GAME_MASTER else arguments.edition
        options = msgspec.convert(arguments, PrintOptions, from_attributes=True)
        return handout(
            arguments.file,
            arguments.output,
            arguments.kind,
            options,
            arguments.format,
            as_json=arguments.json,
            systems=arguments.systems,
        )

    return parser, run


def _screenshot() -> Subcommand:
    parser = argparse.ArgumentParser(prog="turnwright screenshot", description="Take a picture of the window.")
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter to show")
    parser.add_argument(
        "-o",
        "--output",
        type=OutputFile((".png", ".jpg", ".jpeg", ".webp"), required=True),
        required=True,
        metavar="OUT.png",
        help="the picture to write: .png, .jpg or .webp",
    )
    parser.add_argument(
        "--arrangement",
        choices=("prepare", "run"),
        default="prepare",
        help="the arrangement of panels (default: prepare)",
    )
    parser.add_argument("--panel", default="", metavar="NAME", help="the panel to bring to the front, such as map")
    _add_old_name(parser, "--dock", "panel", str)
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="the theme (default: light)")
    parser.add_argument(
        "--size",
        type=_size,
        default=(1280, 800),
        metavar="WIDTHxHEIGHT",
        help="the size of the window in pixels (default: 1280x800)",
    )
    parser.add_argument("--script", type=Path, help="a script to run first")
    parser.add_argument("--seed", type=_seed, help="the seed of the script's dice")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.screenshot import screenshot

        return screenshot(
            arguments.file,
            arguments.output,
            arrangement=arguments.arrangement,
            dock=arguments.panel,
            theme=arguments.theme,
            size=arguments.size,
            script=arguments.script,
            seed=arguments.seed,
            systems=arguments.systems,
        )

    return parser, run


def _add_kind(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    """Add and return the parser for a subcommand of a verb. `text` is its help."""
    return kinds.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")


def _add_old_name(parser: argparse.ArgumentParser, flag: str, dest: str, type: Callable[[str], object]) -> None:
    """Add an old name of an option. It still works, but the help doesn't list it."""
    parser.add_argument(flag, dest=dest, type=type, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


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


def _edition(text: str) -> str:
    """Return the name of an edition. `narrator` is an old name for `game-master`."""
    return GAME_MASTER if text == "narrator" else text


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


def _rounds(text: str) -> int:
    return _number(text, "rounds", 10_000)


def _fights(text: str) -> int:
    return _number(text, "fights", 100_000_000)


def _processes(text: str) -> int:
    return _number(text, "processes", 256)


def _number(text: str, unit: str, most: int) -> int:
    """Return a number from 1 to `most`. Raise ArgumentTypeError if the text isn't one."""
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"expected a number of {unit} from 1 to {most}; found '{text}'")
    return int(text)


def _policy(text: str) -> Policy:
    from turnwright.forecast.policy_figures import policy_of_text

    try:
        return policy_of_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected a whole number of at most 18 digits; found '{text}'")
    return int(text)


SUBCOMMANDS: Mapping[str, Callable[[], Subcommand]] = MappingProxyType(
    {
        "check": _check,
        "odds": _odds,
        "play": _play,
        "import": _import,
        "undo-import": _undo_import,
        "understand": _understand,
        "forecast": _forecast,
        "report": _report,
        "export": _export,
        "map": _map,
        "backup": _backup,
        "restore": _restore,
        "handout": _handout,
        "screenshot": _screenshot,
    }
)
# Old names of verbs. They still work.
ALIASES: Mapping[str, str] = MappingProxyType({"take-back": "undo-import"})
