"""Nonsense in a file: every number out of bounds and every unknown word is found, and the encounter still opens."""

from pathlib import Path

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.field_specs import MAX_COMBATANTS, MAX_LINES
from turnwright.encounter.prepared import Countdown, Creature, RosterEntry
from turnwright.storage.encounters import EncounterFile, LoadedEncounter, parse_encounter
from turnwright.storage.findings import Finding
from turnwright.storage.toml.references import unknown_id_findings

SANE = """format = 3
system = "a5e"
[creatures.owl]
name = "Owl"
[creatures.owl.features.beak]
name = "Beak"
[roster.owls]
creature = "owl"
positions = [[1, 1]]
[map]
columns = 4
rows = 4
[map.areas.pond]
environment = "pond"
squares = [[0, 0, 2, 2]]
[map.obstacles.rock]
at = [3, 3]
[environments.pond]
name = "Pond"
[waves.late]
round = 2
[roster.late]
creature = "owl"
wave = "late"
[countdowns.ice]
name = "Ice"
"""
BEAK, OWL, OWLS, MAP = 'name = "Beak"', 'name = "Owl"', "positions = [[1, 1]]", "rows = 4"
NONSENSE = [
    (OWL, "speeds = { walk = -30 }", "creatures.owl.speeds.walk", "must be from 0 to 10000, not -30; 0 is used"),
    (OWL, "abilities = { str = 9223372036854775807 }", "creatures.owl.abilities.str", "must be from -20 to 100"),
    (OWL, "abilities = { dex = -400 }", "creatures.owl.abilities.dex", "not -400; -20 is used"),
    (OWL, "saves = { con = 5000 }", "creatures.owl.saves.con", "1000 is used"),
    (OWL, "skills = { stealth = 5000 }", "creatures.owl.skills.stealth", "1000 is used"),
    (OWL, "senses = { darkvision = -1 }", "creatures.owl.senses.darkvision", "0 is used"),
    (OWL, "hp = -11", "creatures.owl.hp", "must be at least 0, not -11; 0 is used"),
    (OWL, "ac = 9999", "creatures.owl.ac", "100 is used"),
    (OWL, 'rating = "lots"', "creatures.owl.rating", "unknown rating 'lots'"),
    (OWL, 'hit_dice = "99999d9999"', "creatures.owl.hit_dice", "not a dice expression"),
    (OWL, 'size = "hugee"', "creatures.owl.size", "did you mean 'huge'?"),
    (BEAK, "attack = 9223372036854775807", "creatures.owl.features.beak.attack", "1000 is used"),
    (BEAK, "dc = 400", "creatures.owl.features.beak.dc", "must be from 0 to 100, not 400; 100 is used"),
    (BEAK, "recharge = 14", "creatures.owl.features.beak.recharge", "must be 0 or from 2 to 6, not 14; 6 is used"),
    (BEAK, 'range = "far"', "creatures.owl.features.beak.range", "expected a range in feet such as 60 or 80/320"),
    (BEAK, 'save = "dexx"', "creatures.owl.features.beak.save", "did you mean 'dex'?"),
    (OWLS, "count = 501", "roster.owls.count", "must be from 1 to 500, not 501; 500 is used"),
    (OWLS, 'side = "banana"', "roster.owls.side", "no other roster entry has the side 'banana'"),
    (OWLS, 'wave = "no-such"', "roster.owls.wave", "no other roster entry has the wave 'no-such'"),
    (OWLS, "", "roster.owls.positions[1]", "outside the map (4 columns, 4 rows)"),
    (MAP, 'ground = "lava?"', "map.ground", "row 1: unknown characters '? a l v'"),
    (MAP, 'ground = "....#"', "map.ground", "row 1: outside the map"),
    (MAP, 'heights = "\\n\\n\\n\\n1"', "map.heights", "row 5: outside the map"),
    (MAP, 'light = "b"', "map.light", "row 1: unknown characters 'b'"),
    (MAP, "walls = [[0, 0, 0, 9]]", "map.walls[1]", "outside the map"),
    ("squares = [[0, 0, 2, 2]]", "", "map.areas.pond.squares[1]", "outside the map"),
    ("at = [3, 3]", "size = [-3, 0]", "map.obstacles.rock.size", "must be at least 1 × 1 square"),
    ('name = "Ice"', "dice = 0", "countdowns.ice.dice", "must be from 1 to 100, not 0; 1 is used"),
]
INSTEAD = {OWLS: "positions = [[-9, 9999]]", "squares = [[0, 0, 2, 2]]": "squares = [[-5, -5, 4611686018427387904, 3]]"}


def read(text: str) -> LoadedEncounter:
    return parse_encounter(text.encode(), Path("owls.toml"), ("a5e",))


def findings_of(text: str) -> list[Finding]:
    loaded = read(text)
    assert loaded.encounter is not None
    return [*loaded.findings, *unknown_id_findings(loaded.encounter, RuleSystems().get("a5e"), "owls.toml", text)]


@for_each(("after", "line", "key", "message"), NONSENSE)
def test_nonsense_is_found_and_the_encounter_opens(after: str, line: str, key: str, message: str) -> None:
    text = SANE.replace(after, f"{after}\n{line}" if line else INSTEAD[after])
    assert findings_of(SANE) == []
    (found,) = findings_of(text)
    assert (found.key, found.severity, message in found.message) == (key, "warning", True), found
    assert text.splitlines()[found.line - 1] == (line or INSTEAD[after])


def test_what_is_used_instead_is_what_is_saved() -> None:
    text = SANE.replace(OWL, f"{OWL}\nspeeds = {{ walk = -30, fly = 60 }} # quick").replace(
        'name = "Ice"', 'name = "Ice"\ndice = 900'
    )
    encounter = read(text).encounter
    assert encounter is not None
    assert [one.speeds for one in encounter.all(Creature)] == [(("walk", 0), ("fly", 60))]
    assert [one.dice for one in encounter.all(Countdown)] == [100]
    assert EncounterFile(text).render(encounter) == text.replace("-30", "0").replace("900", "100")


def test_a_roster_beyond_what_a_fight_holds_is_found() -> None:
    rows = "".join(f'[roster.r{number}]\ncreature = "owl"\ncount = 500\n' for number in range(2))
    found = [one for one in read(SANE + rows).findings if one.key == "roster"]
    assert [one.message for one in found] == [f"1,002 combatants in all; the limit is {MAX_COMBATANTS:,}"]
    encounter = read(SANE + rows).encounter
    assert encounter is not None
    assert sum(one.count for one in encounter.all(RosterEntry)) == 1002


def test_a_file_of_too_many_lines_is_refused() -> None:
    loaded = read(SANE + "#\n" * MAX_LINES)
    assert loaded.encounter is None
    assert [one.message for one in loaded.findings] == [
        f"the file has {MAX_LINES + 26:,} lines; the limit is {MAX_LINES:,}"
    ]


def test_a_key_of_thousands_of_parts_is_refused_without_being_taken_apart() -> None:
    loaded = read(SANE + ".".join(["a"] * 20_000) + " = 1\n")
    assert [one.message for one in loaded.findings] == ["lists or tables are nested too deeply"]


def test_a_mistake_in_a_long_file_is_reported_by_the_faster_parser() -> None:
    text = SANE + f'[scene]\nnotes = """{"x" * 600_000}"""\nlight = [\n'
    (found,) = read(text).findings
    assert (found.line, found.message) == (29, "unclosed array, expected `]` (column 10)")
