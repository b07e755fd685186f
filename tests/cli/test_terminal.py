"""Whether there is a display, and the window without one."""

from __future__ import annotations

import sys

import pytest

from turnwright.cli.terminal import has_display, use_offscreen_platform


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_window_without_a_display_names_what_works_without_one(shell):
    ran = shell()
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no display" in ran.stderr
    assert "turnwright play FILE --script SCRIPT" in ran.stderr


def test_a_display_is_needed_only_where_there_are_systems_without_one():
    assert not has_display({}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert has_display({}, "darwin")
    for environment in ({}, {"DISPLAY": ":0"}):
        before = dict(environment)
        use_offscreen_platform(environment, "linux")
        assert environment == (before or {"QT_QPA_PLATFORM": "offscreen"})
