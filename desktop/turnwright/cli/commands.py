"""The verbs without a window: each verb's arguments, and the module that does its work, imported when needed."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
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
_MOST_BLEED = 20  # millimetres
_SIDES = (100, 10_000)


def _check() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright check", description="Say what is wrong with encounter and library files."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON list")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.check import check

        return check(arguments.files, as_json=arguments.json, systems=arguments.systems)

    return parser, run


def _odds() -> Subcommand:
    parser = argparse.ArgumentParser(prog="turnwright odds", description="Print exact odds.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    pool = kinds.add_parser("countdown", help="in which round a pool of dice runs out")
    pool.add_argument("--dice", type=int, required=True, help="how many dice the pool has")
    leaves = pool.add_mutually_exclusive_group()
    leaves.add_argument("--speed", default="medium", help="slow, medium or fast (the default is medium)")
    leaves.add_argument("--face", type=int, help="the lowest face that takes a die out, instead of a speed")
    pool.add_argument(
        "--system", default=DEFAULT_SYSTEM, help="the rule system whose speeds these are (the default is %(default)s)"
    )
    roll = kinds.add_parser("roll", help="what a roll comes to")
    roll.add_argument("expression", help="such as 2d6+3, 4d6kh3 or '1d20+5 adv'")
    for kind in (pool, roll):
        kind.add_argument("--json", action="store_true", help="print one JSON object")

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
        prog="turnwright play", description="Carry out a script (docs/scripts.md) and print the journal."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--script", type=Path, help="the script; - reads standard input")
    how.add_argument("--random", type=_rounds, metavar="N", help="play N rounds at random and check that all is well")
    parser.add_argument("--seed", type=_seed, help="the seed of the dice; the same seed gives the same fight")
    parser.add_argument("--resume", action="store_true", help="go on with the fight that is saved beside the file")
    parser.add_argument("--json", action="store_true", help="print the events, one JSON object a line")
    parser.add_argument(
        "--all", action="store_true", help="print bookkeeping too: what lapses, comes back, is left out"
    )

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
        description="Read other programs' files, whatever their format, and write a folder of TOML files.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder of files")
    parser.add_argument(
        "--into", type=Path, required=True, metavar="DIR", help="the library, where the new folder goes"
    )
    parser.add_argument("--system", default="", help="the rule system to read them for, where the files leave it open")
    parser.add_argument(
        "--again",
        choices=("skip", "update", "both"),
        default="skip",
        help="what becomes of records that were imported there before: skip (the default) leaves them and adds the new "
        "ones, update also writes what has changed over them, except what you edited or removed; both puts everything "
        "into another folder",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.bootstrap import RuleSystems
        from turnwright.cli.import_files import import_files

        known = arguments.systems or RuleSystems()
        try:
            known.get(arguments.system or DEFAULT_SYSTEM)
        except LookupError:
            print(f"turnwright import: no rule system {arguments.system}: {', '.join(known.ids)}", file=sys.stderr)
            return USAGE
        return import_files(
            arguments.paths,
            arguments.into,
            system=arguments.system,
            again=arguments.again,
            as_json=arguments.json,
        )

    return parser, run


def _take_back() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright take-back",
        description="Move what an import brought into your library to the backups, except what you edited since.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder that the import made")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.import_files import take_back_import

        return take_back_import(arguments.folder)

    return parser, run


def _understand() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright understand",
        description="Read what the sentences of stat blocks mean into the creatures of a folder, by the catalogue of traits.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of creatures, of an import say")
    parser.add_argument("--check", action="store_true", help="only say what would change; 1 where anything would")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.understand import understand

        return understand(arguments.folder, check=arguments.check)

    return parser, run


def _forecast() -> Subcommand:
    parser = argparse.ArgumentParser(prog="turnwright forecast", description="Say how an encounter will probably go.")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--fights", type=_fights, default=10_000, metavar="N")
    parser.add_argument("--seed", type=_seed, default=1, help="the same seed gives the same figures")
    parser.add_argument("--engine", type=_fights, default=0, metavar="N", help="play N fights in the engine as well")
    parser.add_argument(
        "--processes", type=_processes, default=1, metavar="N", help="how many processes play the fights"
    )
    for side in ("party", "foes"):
        parser.add_argument(
            f"--{side}",
            type=_policy,
            default="",
            metavar="POLICY",
            help="how they fight: target, finishes, spends, heals-at, flees-at, moves-up, as in target=nearest,flees-at=50",
        )
    parser.add_argument("--changes", action="store_true", help="say what would change it, and by how much")
    parser.add_argument(
        "--tune", metavar="AIM", help="look for changes that bring it to an aim, as in won=65 or won=65,falls=40"
    )
    parser.add_argument(
        "--may",
        action="append",
        default=[],
        metavar="WHAT",
        help="what may change for that, as in hp or count:captain=0..2; all that can where this is not given",
    )
    parser.add_argument("--json", action="store_true")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.forecast import forecast

        return forecast(
            arguments.file,
            arguments.fights,
            seed=arguments.seed,
            processes=arguments.processes,
            in_engine=arguments.engine,
            policies=(arguments.party, arguments.foes),
            with_changes=arguments.changes,
            aim=arguments.tune,
            bounds=arguments.may,
            as_json=arguments.json,
            systems=arguments.systems,
        )

    return parser, run


def _report() -> Subcommand:
    parser = argparse.ArgumentParser(prog="turnwright report", description="Say how a fight went, as Markdown.")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--players", action="store_true", help="without what players may not know")
    parser.add_argument("--json", action="store_true")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.report import report

        return report(arguments.file, for_players=arguments.players, as_json=arguments.json, systems=arguments.systems)

    return parser, run


def _export() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright export",
        description="Write an encounter, or creatures of a library, as a file of another program, or as library files.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="an encounter, or creatures of a library")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT",
        help="the file to write; for toml where the new folder goes",
    )
    parser.add_argument("--format", choices=("improved-initiative", "toml"), default="improved-initiative")

    def run(arguments: Arguments) -> int:
        from turnwright.bootstrap import RuleSystems
        from turnwright.cli.export_files import export_files

        systems = arguments.systems or RuleSystems()
        return export_files(arguments.files, arguments.output, arguments.format, systems)

    return parser, run


def _map() -> Subcommand:
    from turnwright.storage.importers.universal_vtt import MAP_PARTS

    parser = argparse.ArgumentParser(
        prog="turnwright map", description="Bring a map into an encounter, or write it out."
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    bring = kinds.add_parser("import", help="a Universal VTT map (.dd2vtt, .uvtt, .df2vtt, .json)")
    plain = kinds.add_parser("picture", help="a plain picture, fitted to the grid")
    write = kinds.add_parser("export", help="the encounter's map as a Universal VTT file")
    for kind in (bring, plain):
        kind.add_argument("file", type=Path, metavar="MAP")
        kind.add_argument("--into", type=Path, required=True, metavar="FILE", help="the encounter")
    bring.add_argument(
        "--without",
        action="append",
        default=[],
        choices=MAP_PARTS,
        help="a part to leave as it is, perhaps several times",
    )
    bring.add_argument("--dark", action="store_true", help="make the encounter dark where the map has lights")
    bring.add_argument("--json", action="store_true", help="print one JSON object")
    fit = plain.add_mutually_exclusive_group(required=True)
    fit.add_argument(
        "--squares", type=_above_zero, default=0.0, metavar="N", help="how many squares the picture is wide"
    )
    fit.add_argument("--pixels", type=_above_zero, default=0.0, metavar="N", help="how many pixels a square is wide")
    plain.add_argument(
        "--offset", type=_offset, default=(0.0, 0.0), metavar="X,Y", help="the grid's first corner, in pixels"
    )
    write.add_argument("file", type=Path, metavar="FILE", help="the encounter")
    write.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.dd2vtt")

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
    parser = argparse.ArgumentParser(prog="turnwright backup", description="Write your whole library into one file.")
    parser.add_argument("output", type=Path, metavar="OUT.zip")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.backup import back_up

        return back_up(arguments.output)

    return parser, run


def _restore() -> Subcommand:
    parser = argparse.ArgumentParser(
        prog="turnwright restore",
        description="Put what a backup holds in the place of your library; the one you have now is kept beside it.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.zip")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.backup import restore

        return restore(arguments.file)

    return parser, run


def _handout() -> Subcommand:
    from turnwright.handouts.kinds import MODULES
    from turnwright.handouts.map_tiles import ASK_ABOVE, MAX_TILES

    parser = argparse.ArgumentParser(
        prog="turnwright handout",
        description="Print an encounter, or a creature of a library, on paper that cuts well.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="an encounter, or a creature of a library")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT.pdf",
        help="the file to write; pictures are OUT-01.png …",
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=[name.replace("_", "-") for name in MODULES],
        help="a kind of page, perhaps several times (the default is all that have something to show; a blank mat only by its name or with --mat)",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")
    parser.add_argument("--edition", choices=("narrator", "players"), default="narrator")
    parser.add_argument("--ink", choices=("colour", "saving"), default="colour")
    parser.add_argument(
        "--sides", choices=("one", "two"), default="one", help="how it is printed: what is cut out begins on a front"
    )
    parser.add_argument("--card", choices=("poker", "tarot"), default="poker", help="the size of creature cards")
    parser.add_argument("--map", choices=("tiled", "one-page"), default="tiled", help="how a map is laid out")
    parser.add_argument(
        "--map-part",
        default="",
        metavar="3-5,9",
        help=f"the tiles to print by their numbers, 3:15 for a rectangle of them (needed above {ASK_ABOVE}, at most {MAX_TILES})",
    )
    for name, what in (
        ("tokens", "who stands on the map"),
        ("grid", "the map's grid"),
        ("keys", "names and figures on the map"),
        ("ground", "colours and patterns of the map's ground"),
    ):
        parser.add_argument(f"--map-{name}", action=argparse.BooleanOptionalAction, default=True, help=what)
    parser.add_argument(
        "--mat",
        default="",
        metavar="24x18",
        help="the size of a blank battle mat in squares (the default is the map's)",
    )
    parser.add_argument("--bleed", type=_bleed, default=0.0, metavar="MM", help="paper to cut off on each side")
    parser.add_argument(
        "--creature",
        action="append",
        default=[],
        dest="creatures",
        metavar="ID",
        help="a creature to print blocks, cards and tracking of, perhaps several times (the default is all but the party's)",
    )
    parser.add_argument("--players-map", action="store_true", help="the map as players know it, among pages for you")
    parser.add_argument("--party", action="store_true", help="blocks, cards and tracking of the party as well")
    parser.add_argument("--forecast", action="store_true", help="say on the encounter sheet how it will probably go")
    parser.add_argument("--format", choices=("pdf", "png", "svg"), help="as OUT ends, where nobody says")
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.handout import handout
        from turnwright.handouts.page_input import PrintOptions

        ending = arguments.output.suffix.lower().removeprefix(".")
        arguments.format = arguments.format or (ending if ending in ("png", "svg") else "pdf")
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
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png")
    parser.add_argument("--arrangement", choices=("prepare", "run"), default="prepare")
    parser.add_argument(
        "--dock", default="", metavar="NAME", help="the part of the window to bring to the front: map, ..."
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", type=_size, default=(1280, 800), metavar="WIDTHxHEIGHT")
    parser.add_argument("--script", type=Path, help="a script to carry out first")
    parser.add_argument("--seed", type=_seed, help="the seed of the script's dice")

    def run(arguments: Arguments) -> int:
        from turnwright.cli.screenshot import screenshot

        return screenshot(
            arguments.file,
            arguments.output,
            arrangement=arguments.arrangement,
            dock=arguments.dock,
            theme=arguments.theme,
            size=arguments.size,
            script=arguments.script,
            seed=arguments.seed,
            systems=arguments.systems,
        )

    return parser, run


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(_SIDES[0] <= side <= _SIDES[1] for side in size):
        raise argparse.ArgumentTypeError(f"expected such as 1280x800, each from 100 to 10000; found {text}")
    return size


def _above_zero(text: str) -> float:
    if not re.fullmatch(r"\d{1,5}(\.\d{1,4})?", text) or not float(text):
        raise argparse.ArgumentTypeError(f"expected a number above 0; found {text}")
    return float(text)


def _offset(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d{1,5}(?:\.\d{1,4})?),(\d{1,5}(?:\.\d{1,4})?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"expected pixels such as 12,30.5; found {text}")
    return float(found[1]), float(found[2])


def _bleed(text: str) -> float:
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text) or float(text) > _MOST_BLEED:
        raise argparse.ArgumentTypeError(f"expected millimetres from 0 to {_MOST_BLEED}; found {text}")
    return float(text)


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"expected a number of rounds from 1 to 10000; found {text}")
    return int(text)


def _fights(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000_000:
        raise argparse.ArgumentTypeError(f"expected a number of fights from 1 to 100000000; found {text}")
    return int(text)


def _policy(text: str) -> Policy:
    from turnwright.forecast.policy_figures import policy_of_text

    try:
        return policy_of_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _processes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"expected a number of processes from 1 to 256; found {text}")
    return int(text)


def _seed(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected a whole number of at most 18 digits; found {text}")
    return int(text)


SUBCOMMANDS: Mapping[str, Callable[[], Subcommand]] = MappingProxyType(
    {
        "check": _check,
        "odds": _odds,
        "play": _play,
        "import": _import,
        "take-back": _take_back,
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
