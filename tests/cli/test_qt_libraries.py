"""Missing system libraries are named before Qt starts."""

import ctypes

import pytest

from turnwright.cli import main, qt_libraries, window
from turnwright.cli.qt_libraries import PACKAGES, window_problem

X11 = {"DISPLAY": ":0"}


def lack(monkeypatch, *libraries: str, fonts: bool = True) -> None:
    def load(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(qt_libraries, "missing_libraries", lambda _: set(libraries))
    monkeypatch.setattr(qt_libraries, "has_font", lambda: fonts)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


def test_missing_libraries_are_named_with_the_command_that_installs_them(monkeypatch):
    lack(monkeypatch, "libxcb-cursor.so.0", "libodd.so.1", fonts=False)
    assert window_problem(X11, "linux").splitlines() == [
        "Turnwright can't open its window, because system libraries that Qt needs are missing.",
        "Install them: sudo apt-get install fonts-dejavu-core libxcb-cursor0",
        "Missing: libodd.so.1",
    ]


def test_a_system_without_apt_gets_the_names_of_the_packages(monkeypatch):
    lack(monkeypatch, "libxcb-cursor.so.0")
    monkeypatch.setattr("shutil.which", lambda _: None)
    expected = "Install the equivalents of these Debian packages: libxcb-cursor0"
    assert window_problem(X11, "linux").splitlines()[1:] == [expected]


@pytest.mark.parametrize("error", [ImportError, None])
def test_python_that_cannot_import_qt_gets_the_same_answer(monkeypatch, error):
    lack(monkeypatch, "libglib-2.0.so.0")
    if error:
        monkeypatch.setattr(qt_libraries, "import_module", lambda name: (_ for _ in ()).throw(error(name)))
    assert PACKAGES["libglib-2.0.so.0"] in window_problem(X11, "linux")


@pytest.mark.parametrize(
    ("environment", "platform"),
    [({"QT_QPA_PLATFORM": "offscreen"}, "linux"), ({"QT_QPA_PLATFORM": "unknown"}, "linux"), (X11, "win32")],
)
def test_a_system_with_all_libraries_has_no_problem(environment, platform):
    assert window_problem(environment, platform) == ""


def test_the_window_says_so_on_the_screen_and_in_the_log(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("TURNWRIGHT_HOME", str(tmp_path))
    monkeypatch.setattr(window, "window_problem", lambda: "libraries are missing")
    monkeypatch.setenv("DISPLAY", ":0")
    assert main([]) == 1
    assert capsys.readouterr().err == "libraries are missing\n"
    assert "libraries are missing" in (tmp_path / "state" / "turnwright.log").read_text(encoding="utf-8")
