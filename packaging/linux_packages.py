"""Makes the Linux packages of the program's folder: a `.deb`, and a `.tar.xz` that doesn't need root.

Both contain the same tree, laid out as under `/usr`. The same input gives the same bytes: names are sorted, times
are those of the commit, and owners and modes are fixed.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import bundle
import shell_texts
from turnwright.cli import qt_libraries
from turnwright.cli.shortcuts import shortcut_files

HERE = Path(__file__).resolve().parent / "linux"
ID = bundle.APPLICATION_ID
_LIBC = re.compile(r"^(libc|libm|libdl|libpthread|librt|libutil|ld-linux-x86-64|ld-linux-aarch64)\.so")
_FONTS = "fonts-dejavu-core | fonts-noto-core | fonts-liberation"
_LICENCES = """
-----------------------------------------------------------------------------

Python, Qt and the other components have their own licences. The texts are in
lib/turnwright/_internal/turnwright/_resources/licences, and in the window under Help > About.
"""
_DESCRIPTION = """\
encounter builder and combat tracker for game masters
 Turnwright is for game masters of tabletop role-playing games. Prepare
 encounters with creatures, environments and countdowns, run them turn by
 turn with a prompt for every roll and undo for everything, forecast the
 result, and print handouts. It supports Level Up: Advanced 5th Edition,
 D&D 5e (2014), Pathfinder 2e and a system with action points. It works
 offline.
"""


def make(folder: Path, work: Path, out: Path, epoch: int, level: int = 6) -> list[Path]:
    """Write both packages of the program's folder to `out`, with a compression level of xz. Return their paths."""
    return [
        _debian_package(folder, work / "deb", out, epoch, level),
        _portable_archive(folder, work / "portable", out, epoch, level),
    ]


# The tree --------------------------------------------------------------------------------------------------------


def stage(folder: Path, prefix: Path, epoch: int, *, carries_all: bool) -> None:
    """Copy all files of an installation into a prefix.

    `carries_all` keeps libraries that the system may have itself.
    """
    shutil.rmtree(prefix, ignore_errors=True)
    shutil.copytree(folder, prefix / "lib" / "turnwright", symlinks=True)
    if not carries_all:
        for path in sorted((prefix / "lib" / "turnwright" / "_internal").iterdir()):
            if bundle.matches(path.name, bundle.CHOICES["linux"]["portable"]):
                path.unlink()
    (prefix / "bin").mkdir()
    (prefix / "bin" / "turnwright").symlink_to("../lib/turnwright/turnwright")
    for name, content in shared_files(epoch).items():
        target = prefix / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def shared_files(epoch: int) -> dict[str, bytes]:
    """Return the files under `share/` in both packages, by path."""
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    metainfo = (HERE / f"{ID}.metainfo.xml").read_text("utf-8")
    metainfo = metainfo.replace("@VERSION@", bundle.version()).replace("@DATE@", day)
    files = {
        **{f"share/{name}": content for name, content in shortcut_files().items()},
        f"share/metainfo/{ID}.metainfo.xml": metainfo.encode(),
        "share/man/man1/turnwright.1.gz": gzip.compress(shell_texts.man_page(epoch).encode(), mtime=0),
        "share/doc/turnwright/copyright": ((bundle.ROOT / "LICENSE").read_text("utf-8") + _LICENCES).encode(),
        "share/doc/turnwright/changelog.gz": gzip.compress((bundle.ROOT / "CHANGELOG.md").read_bytes(), mtime=0),
    }
    for name, make_text in shell_texts.FILES.items():
        files[name] = make_text().encode()
    return files


def _entries(root: Path, epoch: int) -> Iterator[Path]:
    """Set the time and mode of everything in a folder, and yield the paths in order."""
    for path in sorted([root, *root.rglob("*")]):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)
        yield path


# .deb ------------------------------------------------------------------------------------------------------------


def _debian_package(folder: Path, work: Path, out: Path, epoch: int, level: int) -> Path:
    shutil.rmtree(work, ignore_errors=True)
    stage(folder, work / "usr", epoch, carries_all=False)
    architecture = _output("dpkg", "--print-architecture").strip()
    files = [path for path in work.rglob("*") if path.is_file() and not path.is_symlink()]
    control = work / "DEBIAN"
    control.mkdir(parents=True)
    fields = {
        "Package": "turnwright",
        "Version": bundle.version(),
        "Architecture": architecture,
        "Maintainer": "The Turnwright contributors <turnwright@localhost>",
        "Installed-Size": str(sum(-(-path.stat().st_size // 1024) for path in files)),
        "Depends": ", ".join(dependencies(work)),
        "Recommends": "desktop-file-utils, shared-mime-info",
        "Section": "games",
        "Priority": "optional",
        "Description": _DESCRIPTION.rstrip(),
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (control / "control").write_text(text, "utf-8")
    target = out / f"turnwright_{bundle.version()}_{architecture}.deb"
    out.mkdir(parents=True, exist_ok=True)
    for _ in _entries(work, epoch):
        pass
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=2", "--build", str(work), str(target)],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
    )
    return target


def dependencies(tree: Path) -> list[str]:
    """Return the packages that the program in a tree needs.

    Raise ValueError if a library belongs to no listed package.
    """
    binaries = [path for path in sorted(tree.rglob("*")) if path.is_file() and not path.is_symlink() and _is_elf(path)]
    needed: set[str] = set()
    libc = (0, 0)
    for binary in binaries:
        facts = _output("objdump", "-p", str(binary))
        needed.update(re.findall(r"^\s*NEEDED\s+(\S+)", facts, re.MULTILINE))
        versions = re.findall(r"\bGLIBC_(\d+)\.(\d+)", facts)
        libc = max([libc, *((int(major), int(minor)) for major, minor in versions)])
    carried = {path.name for path in tree.rglob("*.so*")}
    missing = {name for name in needed - carried if not _LIBC.match(name)}
    unknown = missing - qt_libraries.PACKAGES.keys()
    if unknown:
        raise ValueError(f"turnwright.cli.qt_libraries lists no package for {', '.join(sorted(unknown))}")
    packages = {qt_libraries.PACKAGES[name] for name in missing}
    return [f"libc6 (>= {libc[0]}.{libc[1]})", *sorted(packages), "hicolor-icon-theme", _FONTS]


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


# .tar.xz ---------------------------------------------------------------------------------------------------------


def _portable_archive(folder: Path, work: Path, out: Path, epoch: int, level: int) -> Path:
    name = f"turnwright-{bundle.version()}-linux-{os.uname().machine}"
    root = work / name
    shutil.rmtree(work, ignore_errors=True)
    stage(folder, root, epoch, carries_all=True)
    for script in ("install-for-me", "uninstall-for-me"):
        shutil.copyfile(HERE / script, root / script)
        (root / script).chmod(0o755)
    shutil.copyfile(HERE / "README", root / "README")
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"{name}.tar.xz"
    with target.open("wb") as file:
        # With blocks of a fixed size, the bytes don't depend on the number of threads.
        packer = subprocess.Popen(
            ["xz", f"-{level}", "--threads=2", "--block-size=50331648", "--stdout"], stdin=subprocess.PIPE, stdout=file
        )
        assert packer.stdin is not None
        with packer.stdin, tarfile.open(fileobj=packer.stdin, mode="w|", format=tarfile.GNU_FORMAT) as archive:
            for path in _entries(root, epoch):
                archive.add(path, str(path.relative_to(work)), recursive=False, filter=_owned_by_nobody)
        if packer.wait() != 0:
            raise SystemExit("package: xz failed; its messages are above")
    return target


def _owned_by_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
