"""What the packages for Linux hold besides the program: read by the tools of the desktop where those are at hand."""

import os
import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import bundle
import linux_packages
from tests.conftest import ROOT
from turnwright.cli import qt_libraries

ID = bundle.APPLICATION_ID
MIME = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
LINUX = ROOT / "packaging" / "linux"
DESKTOP = ROOT / "resources" / "desktop"


@pytest.fixture(scope="module")
def shared() -> dict[str, bytes]:
    return linux_packages.shared_files(1_700_000_000)


@pytest.fixture
def entry() -> dict[str, str]:
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(DESKTOP / f"{ID}.desktop", encoding="utf-8")
    return dict(parser["Desktop Entry"])


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here")
    return found


def test_the_entry_of_the_menu_opens_encounters(entry, shared):
    assert entry["Exec"] == "turnwright %f"
    assert entry["Terminal"] == "false"
    assert entry["MimeType"] == f"{bundle.MIME_TYPE};"
    assert f"share/icons/hicolor/48x48/apps/{entry['Icon']}.png" in shared
    assert f"share/icons/hicolor/scalable/apps/{entry['Icon']}.svg" in shared


def test_the_entry_of_the_menu_is_valid():
    check = [tool("desktop-file-validate"), str(DESKTOP / f"{ID}.desktop")]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_software_centres_can_read_the_description(shared, tmp_path):
    file = tmp_path / f"{ID}.metainfo.xml"
    file.write_bytes(shared[f"share/metainfo/{ID}.metainfo.xml"])
    root = ET.parse(file).getroot()
    assert root.findtext("id") == ID
    assert root.findtext("launchable") == f"{ID}.desktop"
    assert root.findtext("provides/mediatype") == bundle.MIME_TYPE
    release = root.find("releases/release")
    assert (release.get("version"), release.get("date")) == (bundle.version(), "2023-11-14")
    check = [tool("appstreamcli"), "validate", "--no-net", str(file)]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0


def test_the_kinds_of_files_are_those_of_the_menu():
    root = ET.parse(DESKTOP / f"{ID}.mime.xml").getroot()
    kinds = {one.get("type"): one for one in root.findall("m:mime-type", MIME)}
    assert set(kinds) == {bundle.MIME_TYPE, "application/x-turnwright-fight"}
    patterns = {one.get("pattern") for one in kinds[bundle.MIME_TYPE].findall("m:glob", MIME)}
    assert patterns == {"*.encounter.toml", "*.toml"}


@pytest.fixture
def kinds_of_files(tmp_path):
    """Return what GIO says of a file's kind, by the lists that our XML makes together with those of the system."""
    gio, update = tool("gio"), tool("update-mime-database")
    freedesktop = Path("/usr/share/mime/packages/freedesktop.org.xml")
    if not freedesktop.is_file():
        pytest.skip("no shared-mime-info here")
    folder = tmp_path / "data" / "mime" / "packages"
    folder.mkdir(parents=True)
    shutil.copy(freedesktop, folder)
    shutil.copy(DESKTOP / f"{ID}.mime.xml", folder / f"{ID}.xml")
    subprocess.run([update, str(folder.parent)], check=True, capture_output=True)
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_DATA_DIRS": str(tmp_path / "none")}

    def kind(path: Path) -> str:
        ask = [gio, "info", "-a", "standard::content-type", str(path)]
        done = subprocess.run(ask, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.rpartition("standard::content-type: ")[2].strip()

    return kind


def test_encounters_are_known_by_their_content(kinds_of_files, tmp_path):
    samples = [path for path in sorted((ROOT / "encounters").glob("*.toml")) if ".fight." not in path.name]
    assert {kinds_of_files(path) for path in samples} == {bundle.MIME_TYPE}
    assert kinds_of_files(ROOT / "pyproject.toml") == "application/toml"
    creature = next((ROOT / "resources" / "library" / "pf2e").rglob("*.toml"))
    assert kinds_of_files(creature) == "application/toml"
    (tmp_path / "any.encounter.toml").write_text("# as yet nothing\n", "utf-8")
    assert kinds_of_files(tmp_path / "any.encounter.toml") == bundle.MIME_TYPE
    shutil.copy(samples[0], tmp_path / "x.fight.toml")
    assert kinds_of_files(tmp_path / "x.fight.toml") == "application/x-turnwright-fight"


def test_a_new_encounter_that_is_saved_is_known_by_its_content(kinds_of_files, tmp_path):
    from turnwright.bootstrap import RuleSystems
    from turnwright.workspace.document import AppContext
    from turnwright.workspace.settings import Folders, Settings

    context = AppContext(RuleSystems(), Folders(tmp_path / "s", tmp_path / "c", tmp_path / "d"), Settings)
    document = context.untitled()
    document.save_as(tmp_path / "new.toml")
    document.close()
    assert kinds_of_files(tmp_path / "new.toml") == bundle.MIME_TYPE


def test_the_libraries_that_qt_needs_have_their_packages(tmp_path):
    folder = tmp_path / "usr" / "lib"
    folder.mkdir(parents=True)
    tool("objdump")
    import PySide6

    shutil.copy(Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so", folder)
    for name in ("libQt6Core.so.6", "libQt6Gui.so.6", "libQt6XcbQpa.so.6"):
        (folder / name).touch()
    found = linux_packages.dependencies(tmp_path)
    assert found[0].startswith("libc6 (>= 2.")
    assert "hicolor-icon-theme" in found
    (folder / "libQt6XcbQpa.so.6").unlink()
    with pytest.raises(ValueError, match=r"lists no package for libQt6XcbQpa\.so\.6"):
        linux_packages.dependencies(tmp_path)


def test_each_library_of_the_portable_archive_has_its_package():
    for pattern in bundle.CHOICES["linux"]["portable"]:
        assert [name for name in qt_libraries.PACKAGES if bundle.matches(name, [pattern])], pattern


@pytest.fixture
def unpacked(tmp_path) -> Path:
    """Return a folder laid out as the portable archive is, with a program that only says its arguments."""
    program = tmp_path / "made" / "turnwright"
    (program / "_internal").mkdir(parents=True)
    (program / "turnwright").write_text('#!/bin/sh\necho "$0" "$@"\n', "utf-8")
    (program / "turnwright").chmod(0o755)
    (program / "_internal" / "libxcb-cursor.so.0").touch()
    root = tmp_path / "turnwright-0"
    linux_packages.stage(program, root, 0, carries_all=True)
    for script in ("install-for-me", "uninstall-for-me"):
        shutil.copy(LINUX / script, root)
    return root


def run(script: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return subprocess.run([str(script), *words], env=environment, capture_output=True, text=True, check=False)


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.skipif(sys.platform != "linux", reason="the scripts are for Linux")
@pytest.mark.parametrize("has_others", [True, False])
def test_the_portable_archive_installs_and_leaves_without_a_trace(unpacked, tmp_path, has_others):
    home = tmp_path / "a home"
    home.mkdir()
    if has_others:
        (home / ".local" / "share" / "applications").mkdir(parents=True)
        (home / ".local" / "share" / "applications" / "other.desktop").touch()
    before = files(home)
    assert run(unpacked / "install-for-me", home).returncode == 0
    said = run(home / ".local" / "bin" / "turnwright", home, "check", "x")
    assert said.stdout.split(" ", 1)[1].endswith("check x\n")
    entry = (home / ".local" / "share" / "applications" / f"{ID}.desktop").read_text("utf-8")
    assert f'Exec="{home}/.local/bin/turnwright" %f' in entry
    assert run(unpacked / "install-for-me", home).returncode == 0  # once more, as with a newer version
    assert run(unpacked / "uninstall-for-me", home).returncode == 0
    made_by_tools = {".local", ".local/share/applications/mimeinfo.cache"} if has_others else {".local"}
    assert files(home) - made_by_tools == before - made_by_tools
    again = run(unpacked / "uninstall-for-me", home)
    assert (again.returncode, again.stdout) == (1, "")
    assert "nothing was removed" in again.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the scripts are for Linux")
def test_nothing_that_is_not_from_the_archive_is_written_over(unpacked, tmp_path):
    home = tmp_path / "home"
    other = home / ".local" / "lib" / "turnwright"
    other.mkdir(parents=True)
    assert run(unpacked / "install-for-me", home).returncode == 1
    assert files(home) == {".local", ".local/lib", ".local/lib/turnwright"}


def test_the_deb_leaves_to_the_system_what_its_packages_bring(unpacked, tmp_path):
    program = tmp_path / "made" / "turnwright"
    linux_packages.stage(program, tmp_path / "usr", 0, carries_all=False)
    assert not (tmp_path / "usr/lib/turnwright/_internal/libxcb-cursor.so.0").exists()
    assert (unpacked / "lib/turnwright/_internal/libxcb-cursor.so.0").exists()
    assert (tmp_path / "usr/bin/turnwright").readlink() == Path("../lib/turnwright/turnwright")


def test_choices_are_read_from_one_file():
    assert tomllib.loads((ROOT / "packaging" / "bundle.toml").read_text("utf-8")) == bundle.CHOICES


@pytest.mark.skipif(sys.platform != "linux", reason="packages for Linux are made there")
def test_packages_are_the_same_bytes_whenever_and_wherever_they_are_made(tmp_path, monkeypatch):
    tool("dpkg-deb"), tool("xz")
    monkeypatch.setattr(linux_packages, "dependencies", lambda _tree: ["libc6"])
    made = []
    for name, mask in (("one", 0o022), ("another", 0o077)):
        program = tmp_path / name / "turnwright"
        (program / "_internal").mkdir(parents=True)
        (program / "turnwright").write_text("#!/bin/sh\n", "utf-8")
        (program / "turnwright").chmod(0o755)
        before = os.umask(mask)
        try:
            made.append(linux_packages.make(program, tmp_path / name / "work", tmp_path / name / "out", 1_700_000_000))
        finally:
            os.umask(before)
    assert [one.name for one in made[0]] == [one.name for one in made[1]]
    for one, another in zip(*made, strict=True):
        assert one.read_bytes() == another.read_bytes(), one.name
    again = linux_packages.make(program, tmp_path / "another" / "work", tmp_path / "another" / "out", 1_700_000_000)
    assert [one.read_bytes() for one in again] == [one.read_bytes() for one in made[0]]
    control = subprocess.run(["dpkg-deb", "-f", str(again[0])], capture_output=True, text=True, check=True).stdout
    assert f"Version: {bundle.version()}\n" in control
    listed = subprocess.run(["dpkg-deb", "-c", str(again[0])], capture_output=True, text=True, check=True).stdout
    assert all(line.split()[1] == "root/root" for line in listed.splitlines())
