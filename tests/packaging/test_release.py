"""A release: the version, the cut of the changelog, check sums, and that every verb is tried."""

import subprocess
from datetime import date

import pytest

import release
import wheel_test
from tests.conftest import ROOT
from turnwright import __version__
from turnwright.cli.commands import SUBCOMMANDS

DAY = date(2026, 12, 1)
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n- This.\n\n## [0.1.0] - 2026-01-01\n\n- That.\n"


def test_what_is_unreleased_becomes_the_section_of_the_version():
    done = release.cut(CHANGELOG, "0.2.0", DAY)
    assert done == CHANGELOG.replace("## [Unreleased]\n", "## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n")
    assert release.cut(done, "0.2.0", date(2026, 12, 5)) == done  # a second try of the same release


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("# Changelog\n\n## [0.1.0]\n", "0.2.0"),
        ("# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n- That.\n", "0.2.0"),
        (CHANGELOG, "0.1.0"),
    ],
)
def test_a_changelog_without_anything_to_release_is_refused(text, version):
    with pytest.raises(release.NotReadyError, match="CHANGELOG"):
        release.cut(text, version, DAY)


def test_our_changelog_can_be_cut():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [99.0.0] - 2026-12-01" in release.cut(text, "99.0.0", DAY)


def test_the_version_stands_in_one_place():
    assert release.checked_version(__version__, "") == __version__
    assert release.checked_version("0.9.0", "0.10.0") == "0.10.0"
    module = release.VERSION_FILE.read_text(encoding="utf-8")
    assert '__version__ = "7.8.9"' in release.with_version(module, "7.8.9")
    found = subprocess.run(["git", "-C", ROOT, "grep", "-lF", f'"{__version__}"', "--", "desktop", "packaging", "*.toml"],
        capture_output=True, text=True, check=False)  # fmt: skip
    named = {path for path in found.stdout.split() if "licences" not in path}
    assert named <= {"desktop/turnwright/__init__.py"}


@pytest.mark.parametrize("wanted", ["1.2", "v1.2.0", "1.2.0rc1", "01.2.3", "0.0.9"])
def test_another_version_is_a_later_one_with_three_numbers(wanted):
    with pytest.raises(release.NotReadyError, match=r"version|earlier"):
        release.checked_version("0.1.0", wanted)


def test_check_sums_are_those_that_sha256sum_reads(tmp_path):
    (tmp_path / "turnwright.whl").write_bytes(b"wheel")
    (tmp_path / "turnwright.deb").write_bytes(b"package")
    for _ in range(2):
        sums = release.write_sums(tmp_path)
    check = subprocess.run(
        ["sha256sum", "--check", "--strict", sums.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (check.returncode, check.stdout) == (0, "turnwright.deb: OK\nturnwright.whl: OK\n")


def test_the_wheel_is_tried_with_every_verb():
    assert wheel_test.VERBS.keys() == SUBCOMMANDS.keys()


@pytest.mark.soak
def test_the_wheel_of_the_source_distribution_is_the_wheel_of_the_tree(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764547200")
    _, wheel = wheel_test.build(tmp_path)
    (tmp_path / "tree").mkdir()
    wheel_test.hatch(ROOT, "wheel", tmp_path / "tree")
    assert (tmp_path / "tree" / wheel.name).read_bytes() == wheel.read_bytes()
