"""`turnwright understand`: the catalogue of traits, read into the creatures of a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwright.cli.import_files import one_line
from turnwright.storage.importers.understand_folder import UnderstoodFile, read_folder, write_folder
from turnwright.workspace.folders import folders


def understand(folder: Path, *, check: bool) -> int:
    """Read what features do into the files of a folder, or only say it. 1 for an error, and where a check finds changes."""
    if not folder.is_dir():
        print(f"turnwright understand: {folder} is no folder", file=sys.stderr)
        return 1
    found = read_folder(folder)
    for finding in found.findings:
        print(one_line(str(finding)), file=sys.stderr)
    for one in found.files:
        print("\n".join(_lines(one)))
    try:
        aside = None if check else write_folder(folder, found, folders().backups)
    except OSError as error:
        print(f"turnwright understand: {error.strerror or error}", file=sys.stderr)
        return 1
    number = sum(len(one.features) for one in found.files)
    print(f"{number} features of {len(found.files)} creatures {'would change' if check else 'changed'}")
    if aside is not None:
        print(f"the files before are in {aside}")
    return 1 if found.findings or (check and found.files) else 0


def _lines(file: UnderstoodFile) -> list[str]:
    """Return what is understood of a creature's features, a line each."""
    return [
        one_line(f"{file.creature}: {each.feature.name}: {each.extent}: {', '.join(each.entries)}")
        for each in file.features
    ]
