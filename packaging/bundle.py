"""The contents of the program's folder: the choices in `bundle.toml`, and the data files of the tree.

Used by `turnwright.spec` and its hooks, which PyInstaller runs, and by the scripts that make packages of the folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "desktop" / "turnwright"
CHOICES: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "packaging" / "bundle.toml").read_text("utf-8"))
APPLICATION_ID = "org.turnwright.Turnwright"
MIME_TYPE = "application/x-turnwright-encounter"
_TOML = "io.toml"
DATA = {"resources": "turnwright/_resources", "encounters": "turnwright/_resources/encounters"}
_LEFT_OUT = ("*.fight.toml", "*.lock", "*.pyc", ".*")
_LIBRARIES_OF_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/")


def entry() -> Path:
    """Return the module that starts the program. `start_times.py` sets another one, which prints start times."""
    return Path(os.environ.get("TURNWRIGHT_ENTRY") or PACKAGE / "__main__.py")


def version() -> str:
    """Return the version of the program."""
    text = (PACKAGE / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def data_files(root: Path = ROOT) -> list[tuple[str, str]]:
    """Return each shipped data file with its folder in an installed wheel."""
    return [
        (str(path), (Path(target) / path.relative_to(root / source).parent).as_posix())
        for source, target in DATA.items()
        for path in sorted((root / source).rglob("*"))
        if path.is_file() and not matches(path.name, _LEFT_OUT)
    ]


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a name matches one of several patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def kept_plugins(binaries: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the files that a hook found for a Qt module, without plugins that aren't in `bundle.toml`."""
    return [file for file in binaries if _plugin(file[0]) in (None, *CHOICES["qt"]["plugins"])]


def _plugin(source: str) -> str | None:
    folder, separator, name = source.replace("\\", "/").rpartition("/plugins/")
    if not folder or not separator:
        return None
    kind, _, file = name.partition("/")
    return f"{kind}/{file.partition('.')[0].removeprefix('lib')}"


def is_from_system(source: str) -> bool:
    """Return whether a file is a library of the system on which the program is built."""
    return source.startswith(_LIBRARIES_OF_SYSTEM)


def is_kept(name: str, source: str) -> bool:
    """Return whether a file found by PyInstaller is kept. `name` is its name in the folder."""
    linux = CHOICES["linux"]
    return not is_from_system(source) or matches(Path(name).name, [*linux["carry"], *linux["portable"]])


def stripped(name: str, source: str, kind: str, folder: Path) -> tuple[str, str, str]:
    """Return an entry of the folder, with the symbols stripped from its library if it is listed for that."""
    if kind not in ("BINARY", "EXTENSION") or not matches(name, CHOICES["linux"]["strip"]):
        return name, source, kind
    copy = folder / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
    copy.chmod(0o755)
    return name, str(copy), kind


def macos_properties() -> dict[str, Any]:
    """Return the properties of the macOS bundle, above all the documents that it opens."""
    return {
        "CFBundleName": "Turnwright",
        "CFBundleDisplayName": "Turnwright",
        "CFBundleShortVersionString": version(),
        "LSApplicationCategoryType": "public.app-category.role-playing-games",
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "NSPrincipalClass": "NSApplication",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Turnwright encounter",
                "CFBundleTypeRole": "Editor",
                "LSItemContentTypes": [_TOML],
                "LSHandlerRank": "Alternate",
            }
        ],
        # macOS only looks at the last ending, and has no type for this one.
        "UTImportedTypeDeclarations": [
            {
                "UTTypeIdentifier": _TOML,
                "UTTypeDescription": "TOML document",
                "UTTypeConformsTo": ["public.plain-text"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["toml"],
                    "public.mime-type": ["application/toml"],
                },
            }
        ],
    }
