"""The script of Inno Setup, read as far as it can be without Windows: its form, and that what it names is there."""

import re

import pytest

import bundle
from tests.conftest import ROOT

SCRIPT = ROOT / "packaging" / "windows" / "turnwright.iss"
ENTRIES = {
    "Tasks": {"Name", "Description", "Flags"},
    "Files": {"Source", "DestDir", "Flags"},
    "InstallDelete": {"Type", "Name"},
    "Icons": {"Name", "Filename", "AppUserModelID", "Tasks"},
    "Registry": {"Root", "Subkey", "ValueType", "ValueName", "ValueData", "Flags", "Tasks", "Check"},
    "Run": {"Filename", "Description", "Flags"},
}
PROGRAMS = {"turnwright.exe", "turnwright-window.exe"}  # as test_bundle.py finds them in the recipe
PARAMETER = re.compile(r'(\w+): ("(?:[^"]|"")*"|[^;"]+)(?:; |$)')


@pytest.fixture(scope="module")
def sections() -> dict[str, list[str]]:
    """Return the lines of each section, with the names of the preprocessor filled in."""
    text = SCRIPT.read_text("utf-8")
    names = dict(re.findall(r'^#define (\w+) "(.*)"$', text, re.MULTILINE)) | {"Version": "1.2.3", "Folder": "F"}
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            lines = found.setdefault(line[1:-1], [])
        elif line and not line.lstrip().startswith((";", "#")):
            lines.append(re.sub(r"\{#(\w+)\}", lambda name: names[name[1]], line))
    return found


def plain(value: str) -> str:
    return value[1:-1].replace('""', '"') if value.startswith('"') else value


def entries(sections, name) -> list[dict[str, str]]:
    """Return the entries of a section; each line must be nothing but parameters."""
    found = []
    for line in sections[name]:
        assert "".join(match[0] for match in PARAMETER.finditer(line)) == line, line
        found.append({key: plain(value) for key, value in PARAMETER.findall(line)})
    return found


def test_sections_and_parameters_are_known(sections):
    assert set(sections) == {"Setup", "Code", *ENTRIES}
    for name, known in ENTRIES.items():
        for entry in entries(sections, name):
            assert entry.keys() <= known, entry
    assert all(re.fullmatch(r"\w+=.+", line) for line in sections["Setup"])


def test_files_that_the_set_up_needs_are_there(sections):
    setup = dict(line.split("=", 1) for line in sections["Setup"])
    assert (SCRIPT.parent / setup["LicenseFile"].replace("\\", "/")).resolve() == ROOT / "LICENSE"
    icon = (SCRIPT.parent / setup["SetupIconFile"].replace("\\", "/")).resolve()
    assert icon == ROOT / "build" / "package" / "folder" / "work" / "turnwright" / "turnwright.ico"
    recipe = (ROOT / "packaging" / "turnwright.spec").read_text("utf-8")
    assert 'write_ico(WORK / "turnwright.ico")' in recipe
    assert setup["OutputBaseFilename"] == "turnwright-1.2.3-windows-setup"
    assert re.fullmatch(r"\{\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}", setup["AppId"])


def test_programs_that_entries_start_are_made_by_the_recipe(sections):
    lines = [line for lines in sections.values() for line in lines]
    named = {name for line in lines for name in re.findall(r"([\w-]+\.exe)", line)}
    assert named == {"turnwright-window.exe"} < PROGRAMS
    assert [entry["Source"] for entry in entries(sections, "Files")] == ["F\\*"]


def test_tasks_that_entries_ask_for_are_offered(sections):
    offered = {entry["Name"] for entry in entries(sections, "Tasks")}
    asked = {entry["Tasks"] for name in ("Icons", "Registry") for entry in entries(sections, name) if "Tasks" in entry}
    assert asked == offered


def test_encounters_are_opened_by_the_program_and_nothing_stays_behind(sections):
    registry = entries(sections, "Registry")
    kind = f"{bundle.APPLICATION_ID}.encounter"
    values = {(entry["Subkey"], entry.get("ValueName", "")): entry for entry in registry}
    opens = values[f"Software\\Classes\\{kind}\\shell\\open\\command", ""]
    assert opens["ValueData"] == '"{app}\\turnwright-window.exe" "%1"'
    assert "Tasks" not in values["Software\\Classes\\.toml\\OpenWithProgids", kind]
    assert values["Software\\Classes\\.toml", ""]["Tasks"] == "opentoml"
    removed = {entry["Subkey"] for entry in registry if "uninsdeletekey" in entry.get("Flags", "")}
    for entry in registry:
        inside = any(entry["Subkey"].startswith(key) for key in removed)
        undone = inside or "uninsdeletevalue" in entry.get("Flags", "") or entry["ValueName"] == "Path"
        assert undone, entry


def test_the_code_is_whole(sections):
    code = "\n".join(sections["Code"])
    starts = len(re.findall(r"\bbegin\b", code))
    assert starts == len(re.findall(r"\bend;", code)) == 2
    for check in re.findall(r"Check: (\w+)", SCRIPT.read_text("utf-8")):
        assert f"function {check}(" in code
