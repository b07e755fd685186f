"""The wheel, built and unpacked away from the checkout: it contains its data and runs without the tree."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from turnwright.workspace.kernel_library import await_kernels


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert await_kernels()
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=unpacked.parent, env=environment, capture_output=True, text=True, check=False
    )


def files(root: Path, pattern: str) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob(pattern)}


def test_the_wheel_holds_the_package_and_all_the_data(unpacked):
    package = unpacked / "turnwright"
    assert files(package, "*.py") == files(ROOT / "desktop" / "turnwright", "*.py")
    assert files(package / "_resources", "*.toml") >= files(ROOT / "resources", "*.toml")
    assert files(package / "_resources" / "handouts", "*.typ") == files(ROOT / "resources" / "handouts", "*.typ")
    samples = {path for path in files(ROOT / "encounters", "*.toml") if not path.endswith(".fight.toml")}
    assert files(package / "_resources" / "encounters", "*.toml") == samples


def test_the_wheel_brings_the_notices_that_stand_beside_its_data(unpacked):
    notices = {f"library/{folder}/srd/ATTRIBUTION.md" for folder in ("a5e", "dnd5e", "dnd5e-2024")}
    notices.add("library/pf2e/core/LICENCE.md")
    assert files(ROOT / "resources" / "library", "*.md") == {name.removeprefix("library/") for name in notices}
    assert files(unpacked / "turnwright" / "_resources", "*.md") >= notices


@pytest.mark.parametrize("folder", ["icon", "licences", "phones"])
def test_the_wheel_brings_the_icon_the_licences_and_the_page_for_phones(unpacked, folder):
    assert files(unpacked / "turnwright" / "_resources" / folder, "*.*") == files(ROOT / "resources" / folder, "*.*")


def test_the_wheel_reads_its_own_data(unpacked):
    code = "from turnwright.storage.resources import resource_path; print(resource_path('systems/a5e/ledger.toml'))"
    result = python(unpacked, "-c", code)
    assert result.stderr == ""
    assert Path(result.stdout.strip()) == unpacked / "turnwright" / "_resources" / "systems" / "a5e" / "ledger.toml"
    assert Path(result.stdout.strip()).is_file()


LOADS = "from turnwright.workspace.kernel_library import load_kernels; print(load_kernels())"


def test_the_wheel_has_the_compiled_kernels_for_this_platform(unpacked):
    assert python(unpacked, "-c", LOADS).stdout == "True\n"
    (wheel,) = unpacked.parent.glob("*.whl")
    assert not wheel.stem.endswith("-any")


def test_a_wheel_without_them_runs_anywhere(unpacked, tmp_path):
    plain = tmp_path / "site"
    shutil.copytree(unpacked, plain, ignore=shutil.ignore_patterns("_kernels"))
    ran = python(plain, "-c", LOADS)
    assert (ran.stdout, ran.stderr) == ("False\n", "")
    samples = plain / "turnwright" / "_resources" / "encounters"
    ran = python(plain, "-m", "turnwright", "forecast", str(samples / "cold-ford-bridge.toml"), "--fights", "20")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.soak
def test_the_wheel_checks_its_own_samples(unpacked):
    samples = sorted((unpacked / "turnwright" / "_resources" / "encounters").glob("*.toml"))
    assert samples
    result = python(unpacked, "-m", "turnwright", "check", *map(str, samples))
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.soak
def test_the_wheel_prints_by_its_own_templates(unpacked):
    out = unpacked.parent / "ford.pdf"
    sample = unpacked / "turnwright" / "_resources" / "encounters" / "cold-ford-bridge.toml"
    result = python(unpacked, "-m", "turnwright", "handout", str(sample), "-o", str(out), "--kind", "reference")
    assert (result.returncode, result.stderr) == (0, "")
    assert out.read_bytes().startswith(b"%PDF")
