"""What goes into the folder of the program: the choices of `bundle.toml`, and the data of the tree.

Read by `turnwright.spec` and the hooks, which PyInstaller runs, and by what makes packages of that folder.
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
    """Return the module that the program begins with; `start_times.py` names another one, which tells its times."""
    return Path(os.environ.get("TURNWRIGHT_ENTRY") or PACKAGE / "__main__.py")


def version() -> str:
    """Return the version of the program."""
    text = (PACKAGE / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def data_files(root: Path = ROOT) -> list[tuple[str, str]]:
    """Return each file of shipped data with the folder where an installed wheel has it."""
    return [
        (str(path), (Path(target) / path.relative_to(root / source).parent).as_posix())
        for source, target in DATA.items()
        for path in sorted((root / source).rglob("*"))
        if path.is_file() and not matches(path.name, _LEFT_OUT)
    ]


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether a name is of one of several patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def kept_plugins(binaries: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return what is kept of the files that a hook has found for a module of Qt: no plugin that isn't chosen."""
    return [file for file in binaries if _plugin(file[0]) in (None, *CHOICES["qt"]["plugins"])]


def _plugin(source: str) -> str | None:
    folder, found, name = source.replace("\\", "/").rpartition("/plugins/")
    if not folder or not found:
        return None
    kind, _, file = name.partition("/")
    return f"{kind}/{file.partition('.')[0].removeprefix('lib')}"


def is_from_system(source: str) -> bool:
    """Tell whether a file is a library of the system where the program is built."""
    return source.startswith(_LIBRARIES_OF_SYSTEM)


def is_kept(name: str, source: str) -> bool:
    """Tell whether the folder gets a file, named as in the folder, that PyInstaller has found."""
    if matches(name.replace("\\", "/"), CHOICES["python"]["without"]):
        return False
    linux = CHOICES["linux"]
    return not is_from_system(source) or matches(Path(name).name, [*linux["carry"], *linux["portable"]])


def stripped(name: str, source: str, kind: str, folder: Path) -> tuple[str, str, str]:
    """Return an entry of the folder with its library stripped of symbols, where it is one of those that have any."""
    if kind not in ("BINARY", "EXTENSION") or not matches(name, CHOICES["linux"]["strip"]):
        return name, source, kind
    copy = folder / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
    copy.chmod(0o755)
    return name, str(copy), kind


def macos_properties() -> dict[str, Any]:
    """Return what the bundle on macOS says of itself: above all which documents it opens."""
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
        # macOS goes by the last ending alone, and has no kind of its own for this one.
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
