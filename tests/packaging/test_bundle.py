"""The folder of the program: the recipe carried out with PyInstaller's own steps replaced, and what it chooses."""

import json
import os
import plistlib
import runpy
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import bundle
import program_icon
from tests.conftest import ROOT

SPEC = ROOT / "packaging" / "turnwright.spec"


class Steps(dict):
    """The names that PyInstaller gives a spec, each of which writes down what it is called with."""

    def __init__(self, work: Path):
        super().__init__(SPECPATH=str(SPEC.parent), workpath=str(work))
        self.calls = []
        for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE"):
            self[name] = lambda *given, _name=name, **named: self.note(_name, given, named)

    def note(self, name, given, named):
        self.calls.append((name, given, named))
        return SimpleNamespace(binaries=[], datas=[], pure=[], scripts=[])

    def named(self, step):
        return [named for name, _, named in self.calls if name == step]


@pytest.fixture
def carried_out(tmp_path, monkeypatch):
    def carry_out(platform: str) -> Steps:
        steps = Steps(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", platform)
            exec(compile(SPEC.read_text("utf-8"), str(SPEC), "exec"), steps)
        return steps

    return carry_out


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_the_recipe_names_files_that_are_there(carried_out, platform):
    steps = carried_out(platform)
    (analysis,) = (given for name, given, _ in steps.calls if name == "Analysis")
    assert all(Path(script).is_file() for script in analysis[0])
    (named,) = steps.named("Analysis")
    assert all(Path(folder).is_dir() for folder in (*named["pathex"], *named["hookspath"]))
    assert named["hiddenimports"] == ["turnwright"]


@pytest.mark.parametrize("before", [None, "/opt/lib"])
def test_programs_started_later_find_their_own_libraries(carried_out, monkeypatch, before):
    (named,) = carried_out("linux").named("Analysis")
    (hook,) = named["runtime_hooks"]
    monkeypatch.setenv("LD_LIBRARY_PATH", "/usr/lib/turnwright/_internal")
    if before is None:
        monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    else:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    runpy.run_path(hook)
    assert os.environ.get("LD_LIBRARY_PATH") == before
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_windows_has_a_program_without_a_console(carried_out):
    programs = {named["name"]: named for named in carried_out("win32").named("EXE")}
    assert {name: named["console"] for name, named in programs.items()} == {
        "turnwright": True,
        "turnwright-window": False,
    }
    assert all(Path(named["icon"]).read_bytes()[:4] == b"\0\0\1\0" for named in programs.values())


def test_only_macos_has_a_bundle_and_it_opens_encounters(carried_out):
    assert carried_out("linux").named("BUNDLE") == []
    steps = carried_out("darwin")
    assert [named["console"] for named in steps.named("EXE")] == [False]  # else it would have no windows there
    (named,) = steps.named("BUNDLE")
    assert named["bundle_identifier"] == bundle.APPLICATION_ID
    assert Path(named["icon"]).read_bytes()[:4] == b"icns"
    said = plistlib.loads(plistlib.dumps(named["info_plist"]))
    (kind,) = said["CFBundleDocumentTypes"]
    (declared,) = said["UTImportedTypeDeclarations"]
    assert kind["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["toml"]


def test_the_application_is_named_as_the_windows_are():
    from turnwright.ui.services.new_window import APP_ID

    assert bundle.APPLICATION_ID == APP_ID


def test_the_version_is_the_programs():
    from turnwright import __version__

    assert bundle.version() == __version__


def test_the_data_are_those_of_the_wheel():
    found = {Path(source): target for source, target in bundle.data_files()}
    for source, target in bundle.DATA.items():
        for path in (ROOT / source).rglob("*"):
            if path.is_file() and not bundle.matches(path.name, ("*.fight.toml", "*.lock", "*.pyc", ".*")):
                assert found.pop(path) == (Path(target) / path.parent.relative_to(ROOT / source)).as_posix()
    assert found == {}


@pytest.mark.parametrize(
    ("file", "stays"),
    [
        ("/x/PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("C:\\x\\PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("/x/PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("/x/PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("/x/PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("/x/PySide6/Qt/lib/libQt6Core.so.6", True),
    ],
)
def test_plugins_are_kept_by_choice_and_libraries_always(file, stays):
    assert bundle.kept_plugins([(file, "there")]) == ([(file, "there")] if stays else [])


def test_libraries_of_the_system_are_left_to_it_but_for_some():
    assert not bundle.is_kept("libglib-2.0.so.0", "/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0")
    assert bundle.is_kept("libsqlite3.so.0", "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0")
    assert bundle.is_kept("PySide6/Qt/lib/libQt6Core.so.6", "/venv/PySide6/Qt/lib/libQt6Core.so.6")


def test_every_plugin_for_this_platform_is_in_the_qt_that_is_installed():
    import PySide6

    folder = Path(PySide6.__file__).parent / "Qt" / "plugins"
    others = {"qwindows", "qcocoa", "qmodernwindowsstyle", "qmacstyle"}
    for plugin in bundle.CHOICES["qt"]["plugins"]:
        kind, _, name = plugin.partition("/")
        assert name in others or (folder / kind / f"lib{name}.so").is_file(), plugin


def test_the_icon_of_windows_holds_whole_pictures(tmp_path):
    content = program_icon.write_ico(tmp_path / "i.ico").read_bytes()
    count = struct.unpack_from("<H", content, 4)[0]
    for place in range(count):
        width, *_, length, offset = struct.unpack_from("<BBBBHHII", content, 6 + 16 * place)
        assert content[offset : offset + length] == program_icon.picture(width or 256).read_bytes()
    assert offset + length == len(content)


def test_the_icon_of_macos_holds_whole_pictures(tmp_path):
    content = program_icon.write_icns(tmp_path / "i.icns").read_bytes()
    assert struct.unpack_from(">I", content, 4)[0] == len(content)
    place, sizes = 8, []
    while place < len(content):
        length = struct.unpack_from(">I", content, place + 4)[0]
        assert content[place + 8 : place + 16] == b"\x89PNG\r\n\x1a\n"
        sizes.append(struct.unpack_from(">I", content, place + 8 + 16)[0])
        place += length
    assert sizes == [16, 32, 64, 128, 256, 512]


def test_nothing_that_is_left_out_is_imported_by_the_program():
    """Import all of it and the plots with the modules that are left out shut off."""
    code = """
import importlib, json, pkgutil, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
import turnwright
for found in pkgutil.walk_packages(turnwright.__path__, "turnwright."):
    if found.name != "turnwright.__main__":
        importlib.import_module(found.name)
import pyqtgraph
from PySide6.QtWidgets import QApplication
application = QApplication([])
plot = pyqtgraph.PlotWidget()
plot.addItem(pyqtgraph.BarGraphItem(x=[1], height=[1], width=1))
print("all there")
"""
    left_out = json.dumps(bundle.CHOICES["python"]["exclude"])
    done = subprocess.run([sys.executable, "-c", code, left_out], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("all there\n", 0), done.stderr
