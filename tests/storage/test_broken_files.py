"""Broken files: findings name the place and the expected value, and reading changes nothing."""

from pathlib import Path

import pytest

from tests.effort import steps
from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.field_specs import MAX_LINES
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.creature_translation import MAX_UNKNOWN
from turnwright.storage.encounters import parse_encounter, read_encounter
from turnwright.storage.fights import read_fight
from turnwright.storage.toml.references import unknown_id_findings

GOOD = """\
format = 3
system = "a5e"

[creatures.raider]
name = "Raider"
hp = 11

[roster.raiders]
creature = "raider"
"""


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


LONG, LINES = "<long>", "<lines>"  # 10 MB in the test, which no worker has to keep
BROKEN = {
    "syntax": (changed("hp = 11", "hp = = 11"), [(6, "", "invalid value (column 6)")]),
    "a small table over several lines": (
        changed("hp = 11", "speeds = {\n  walk = 30,\n}"),
        [(6, "", "expected a key; an inline table { } must be on one line and can't end with a comma (column 11)")],
    ),
    "wrong types": (
        changed("hp = 11", 'hp = "eleven"\nhovers = 1\nspeeds = {walk = "far"}\ntags = ["a", 3]\nabilities = 3\nsize = true'),
        [
            (6, "creatures.raider.hp", 'expected a whole number, found the text "eleven"'),
            (7, "creatures.raider.hovers", "expected true or false, found the number 1"),
            (8, "creatures.raider.speeds.walk", 'expected a whole number, found the text "far"'),
            (9, "creatures.raider.tags[2]", "expected text, found the number 3"),
            (10, "creatures.raider.abilities", "expected a table, found the number 3"),
            (11, "creatures.raider.size", "expected text, found true"),
        ],
    ),
    "missing keys": (
        changed('name = "Raider"\n', "").replace('creature = "raider"\n', "count = 2\n").replace('system = "a5e"\n', ""),
        [
            (1, "", "missing key `system` (one of a5e, pf2e)"),
            (3, "creatures.raider", "missing key `name` (text)"),
            (6, "roster.raiders", "missing key `creature` (text)"),
        ],
    ),
    "unknown system": (
        changed('"a5e"', '"gurps"'),
        [(2, "system", 'unknown rule system "gurps"; expected one of a5e, pf2e')],
    ),
    "10 MB in one key": (
        changed('name = "Raider"', f'name = "{LONG}"'),
        [(5, "", "the file has 10.0 MB; the limit is 8 MB. This is its longest line")],
    ),
    "10 MB of blank lines": (
        LINES,
        [(MAX_LINES, "", "the file has 10.0 MB; the limit is 8 MB")],
    ),
    "a NUL byte": (
        changed("Raider", "Rai\0der"),
        [(5, "", "byte 58 is NUL; expected a text file")],
    ),
    "duplicate ids": (
        changed("[roster.raiders]", "[creatures.raider]"),
        [(8, "creatures.raider", "appears twice; an id can be used only once")],
    ),
    "a future format": (
        changed("format = 3", "format = 7"),
        [(1, "format", "7 is newer than this version of Turnwright supports (up to 3); update Turnwright to open the file")],
    ),
    "a long text": (
        changed("hp = 11", f'notes = "{"x" * 200_001}"'),
        [(6, "creatures.raider.notes", "text of 200,001 characters; the limit is 200,000")],
    ),
    "a list beyond bounds": (
        changed("hp = 11", f"tags = [{'0,' * 10_001}]"),
        [(6, "creatures.raider.tags", "list of 10,001 items; the limit is 10,000")],
    ),
    "a square of one number": (
        changed('creature = "raider"', 'creature = "raider"\npositions = [[1, 2], [3]]'),
        [
            (10, "roster.raiders.positions[2]", "expected a list of 2, found a list of 1"),
        ],
    ),
    "a word not offered": (
        GOOD + '[countdowns.ice]\nname = "Ice"\nspeed = "quick"\noutcomes = [{kind = "boom"}, {text = "x"}, 3]\n',
        [
            (12, "countdowns.ice.speed", 'expected one of slow, medium, fast, found the text "quick"'),
            (13, "countdowns.ice.outcomes[1].kind", 'expected one of announce, add-wave, start-countdown, trigger-entry, deal-damage, found the text "boom"'),
            (13, "countdowns.ice.outcomes[2]", "missing key `kind` (one of announce, add-wave, start-countdown, trigger-entry, deal-damage)"),
            (13, "countdowns.ice.outcomes[3]", "expected a table, found the number 3"),
        ],
    ),
    "tables in the wrong place": (
        'format = 3\nsystem = "a5e"\ncreatures = [1]\nscene = {title = "x"}\nroster = {a = 3}\n',
        [
            (3, "creatures", "expected a table, found a list"),
            (4, "scene.title", "belongs at the top of the file, before the first table: title = …"),
            (5, "roster.a", "expected a table, found the number 3"),
        ],
    ),
    "lists in lists in lists": (
        f"format = {'[' * 5000}{']' * 5000}",
        [(1, "", "lists or tables are nested too deeply")],
    ),
}  # fmt: skip


def read(path):
    return read_encounter(path, {"a5e", "pf2e"})


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_says_everything_at_once_with_its_lines(tmp_path, name):
    text, expected = BROKEN[name]
    text = text.replace(LONG, "x" * 10_000_000).replace(LINES, "\n" * 10_000_000)
    path = tmp_path / "x.toml"
    path.write_bytes(text.encode())
    loaded = read(path)
    assert loaded.encounter is None
    assert [(f.line, f.key, f.message) for f in loaded.findings if f.severity == "error"] == expected
    assert {finding.file for finding in loaded.findings} == {str(path)}
    assert path.read_bytes() == text.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]


def test_a_folder_and_a_file_that_is_not_there(tmp_path):
    assert str(read(tmp_path).findings[0]) == f"{tmp_path}:1: expected a TOML file, found a folder"
    missing = tmp_path / "no.toml"
    assert str(read(missing).findings[0]) == f"{missing}:1: file not found"


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = tmp_path / "x.toml"
    path.write_text(GOOD)

    def refuse(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    loaded = read(path)
    assert (loaded.encounter, loaded.findings[0].message) == (None, "can't be read: permission denied")


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(GOOD.encode() + b"\n# caf\xe9\n")
    finding = read(path).findings[0]
    assert (finding.line, finding.message) == (11, f"byte {len(GOOD) + 7} is not valid UTF-8; save the file as UTF-8")


@for_each(
    ("more", "line", "key", "message"),
    [
        ('count = 2\n[roster.x]\ncreature = "bear"', 12, "roster.x.creature", 'there is no creature "bear" in this encounter'),
        ('outside = ["lake"]', 10, "roster.raiders.outside[1]", 'there is no environment "lake" in this encounter'),
        ('[countdowns.c]\nname = "C"\noutcomes = [\n  {kind = "announce", text = "x"},\n  {kind = "add-wave", wave = "late"},\n]', 14, "countdowns.c.outcomes[2].wave", 'no roster entry belongs to the wave "late"'),
        ('[countdowns.c]\nname = "C"\n[[countdowns.c.outcomes]]\nkind = "start-countdown"\ncountdown = "d"', 14, "countdowns.c.outcomes[1].countdown", 'there is no countdown "d" in this encounter'),
        ('[environments.e]\nname = "E"\n[countdowns.c]\nname = "C"\noutcomes = [{kind = "trigger-entry", environment = "e", entry = "fire"}]', 14, "countdowns.c.outcomes[1].entry", 'E has no feature or world action "fire"'),
        ('[map]\ncolumns = 4\nrows = 4\n[map.areas.a]\nenvironment = "lake"', 14, "map.areas.a.environment", 'there is no environment "lake" in this encounter'),
        ('[environments.e]\nname = "E"\n[map]\ncolumns = 4\nrows = 4\n[map.areas.a]\nenvironment = "e"\nfeature = "ice"', 17, "map.areas.a.feature", 'E has no feature "ice"'),
        ('[map]\ncolumns = 4\nrows = 4\n[map.areas.a]\nsquares = [[0, 0, 1, 1]]', 13, "map.areas.a", "needs an environment or a type of terrain (`feature`)"),
        ('[map]\ncolumns = 4\nrows = 4\n[map.obstacles.o]\nat = [4, 0]', 14, "map.obstacles.o.at", "outside the map (4 columns, 4 rows)"),
        ('[map]\ncolumns = 4\nrows = 4\nwalls = [[0, 0, 1, 1]]', 13, "map.walls[1]", "must run straight"),
        ('colour = "red"', 10, "roster.raiders.colour", "unknown key; kept"),
        ('[creatures.Raider]\nname = "R"', 10, "creatures.Raider", 'differs from "raider" only in upper and lower case'),
        ("[combatants]", 10, "combatants", "belongs in the fight file; kept"),
        ('[creatures.x]\nname="X"\n[creatures.x.features."a.b"]\nname="F"\ndamage = "lots"', 14, 'creatures.x.features."a.b".damage', "not a dice expression"),
    ],
)  # fmt: skip
def test_what_names_nothing_is_said_and_the_encounter_opens(more, line, key, message):
    loaded = parse_encounter((GOOD + more + "\n").encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is not None
    (finding,) = loaded.findings
    assert (finding.line, finding.key, finding.severity) == (line, key, "warning")
    assert finding.message.startswith(message)


def test_a_file_without_format_is_read_as_the_newest():
    loaded = parse_encounter(changed("format = 3\n", "").encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is not None
    assert [finding.message for finding in loaded.findings] == [
        "missing key `format` (a whole number); assuming 3. Add this line at the top: format = 3"
    ]


def test_a_broken_fight_says_where(tmp_path):
    path = tmp_path / "x.fight.toml"
    path.write_text(
        'format = 3\nof = 3\njournal = [1]\n[combatants."raider.1"]\ncreature = "raider"\nhp = "many"\n[clock]\nround = -1\n'
    )
    fight = read_fight(path, Encounter())
    assert fight.records is None
    assert [str(finding).removeprefix(f"{path}:") for finding in fight.findings] == [
        "2: of: expected text, found the number 3",
        "3: journal: expected a list of tables",
        '4: combatants."raider.1": missing key `label` (text)',
        '4: combatants."raider.1": missing key `side` (text)',
        '6: combatants."raider.1".hp: expected a whole number, found the text "many"',
        "8: clock.round: must be at least 0, not -1; 0 is used",
    ]


def test_a_fight_over_creatures_that_are_gone_opens_and_says_so(tmp_path):
    path = tmp_path / "x.fight.toml"
    path.write_text('format = 3\n[combatants.r]\ncreature = "raider"\nlabel = "R"\nside = "enemies"\nhp = 3\n')
    fight = read_fight(path, Encounter())
    assert [record.hp for record in fight.records] == [3]
    assert [finding.key for finding in fight.findings] == ["combatants.r.creature"]


def test_a_flood_of_findings_is_cut_with_the_errors_kept():
    flood = "".join(f"x{number} = 1\n" for number in range(3000))
    loaded = parse_encounter((changed("hp = 11", "hp = 1.5") + flood).encode(), Path("x.toml"), {"a5e"})
    assert len(loaded.findings) == 1001
    assert [finding.key for finding in loaded.findings if finding.severity == "error"] == ["creatures.raider.hp"]
    assert loaded.findings[-1].message == "and 2,001 more"


def test_a_flood_of_unknown_keys_is_not_searched_for_hints():
    def work(number):
        text = (GOOD + "".join(f"sped{at} = 1\n" for at in range(number))).encode()
        return steps(lambda: parse_encounter(text, Path("x.toml"), {"a5e"}))

    assert work(2000) < 1.5 * work(1000)


@pytest.mark.parametrize(
    ("head", "part", "count", "tail"),
    [("x = [", "1,", 2_000_001, "]"), ("x = [", "{},", 400_001, "]"), ("", f"x{'.a' * 400} = 1\n", 1_300, "")],
)
def test_more_lists_and_tables_than_memory_is_for_are_refused_before_they_are_read(
    head, part, count, tail, monkeypatch
):
    text = head + part * count + tail
    monkeypatch.setattr("turnwright.storage.toml.source.parse_tables", pytest.fail)
    loaded = parse_encounter((GOOD + text).encode(), Path("x.toml"), {"a5e"})
    assert loaded.encounter is None
    assert [str(one) for one in loaded.findings] == ["x.toml:1: the file has too many lists and tables"]


def test_a_flood_of_broken_records_is_read_in_one_pass():
    def work(number):
        text = (GOOD + "".join(f"[creatures.c{at}]\n" for at in range(number))).encode()
        return steps(lambda: parse_encounter(text, Path("x.toml"), {"a5e"}))

    assert work(4000) < 1.5 * 2 * work(2000)


def test_a_flood_of_unknown_words_is_told_up_to_a_number_of_them():
    systems = RuleSystems()
    text = GOOD + "".join(f'[creatures.c{at}]\nname = "C"\nsize = "hugee{at}"\n' for at in range(MAX_UNKNOWN + 200))
    loaded = parse_encounter(text.encode(), Path("x.toml"), {"a5e"})
    found = unknown_id_findings(loaded.encounter, systems.get("a5e"), "x.toml", loaded.text)
    assert len(found) == MAX_UNKNOWN + 1
    assert "checking stopped here" in found[-1].message
