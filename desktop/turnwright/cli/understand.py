"""`turnwright understand`: recognises traits in a folder of creatures."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwright.bootstrap import RuleSystems
from turnwright.cli.import_files import one_line
from turnwright.importers.files.understand_folder import UnderstoodFile, read_folder, write_folder
from turnwright.workspace.folders import folders


def understand(folder: Path, *, check: bool, systems: RuleSystems) -> int:
    """Recognise traits in the files of a folder and save them. With `check`, only list them.

    Return 1 if a file has an error, or if a check finds changes.
    """
    if not folder.is_dir():
        print(f"turnwright understand: {folder} is not a folder", file=sys.stderr)
        return 1
    result = read_folder(folder)
    for finding in result.findings:
        print(one_line(str(finding)), file=sys.stderr)
    for file in result.files:
        print("\n".join(_lines(file)))
    try:
        aside = None if check else write_folder(folder, result, folders().backups)
    except OSError as error:
        print(f"turnwright understand: {error.strerror or error}", file=sys.stderr)
        return 1
    number = sum(len(file.features) for file in result.files)
    creatures = len(result.files)
    counted = f"{number} feature{'s' if number != 1 else ''} of {creatures} creature{'s' if creatures != 1 else ''}"
    print(f"{counted} {'would change' if check else 'changed'}")
    if aside is not None:
        print(f"the previous files are in {aside}")
    return 1 if result.findings or (check and result.files) else 0


def _lines(file: UnderstoodFile) -> list[str]:
    """Return a line for each recognised feature of a creature."""
    return [
        one_line(f"{file.creature}: {feature.feature.name}: {feature.extent}: {', '.join(feature.entries)}")
        for feature in file.features
    ]
