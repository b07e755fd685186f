"""The verb `adventure`: lists adventures, and writes and reads them as .zip files."""

import sys
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.cli.files import one_line
from turnwright.cli.terminal import failing
from turnwright.storage.adventure_zip import export_adventure, import_adventure
from turnwright.storage.adventures import found_adventures, read_adventure
from turnwright.storage.library.entries import Library
from turnwright.workspace.adventure import party_of_adventure
from turnwright.workspace.settings import folders


def list_adventures(folder: Path | None, systems: RuleSystems) -> int:
    """Print the adventures of a folder: path and title. Return 1 if there are none."""
    where = folder or folders().adventures
    found = found_adventures(where)
    for plan, title in found:
        print(one_line(f"{plan}: {title}"))
    if not found:
        print(f"turnwright adventure list: no adventures in {where}", file=sys.stderr)
    return 0 if found else 1


def export(file: Path, output: Path, systems: RuleSystems, *, with_party: bool, with_progress: bool) -> int:
    """Write an adventure to a .zip file. Return 1 if it can't be read or written."""
    loaded = read_adventure(file, systems.ids)
    library = Library.standard(folders().library)
    party = party_of_adventure(loaded.adventure, library) if loaded.adventure is not None and with_party else None
    with failing("turnwright adventure export"):
        count = export_adventure(file, output, systems.ids, party=party, with_progress=with_progress)
    if with_party and party is None:
        print("turnwright adventure export: the party isn't in your library, so it isn't included", file=sys.stderr)
    print(f"{count} file{'s' if count != 1 else ''} in {output}")
    return 0


def import_file(file: Path, into: Path | None, systems: RuleSystems) -> int:
    """Read an adventure from a .zip file into a new folder. Return 1 if it isn't safe or can't be written."""
    home = folders()
    with failing("turnwright adventure import: nothing was changed"):
        plan = import_adventure(file, into or home.adventures, systems.ids, Library.standard(home.library))
    print(plan)
    return 0
