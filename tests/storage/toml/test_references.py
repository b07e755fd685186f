"""Waves in an encounter's file: tables of their own, with valid references."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.for_each import for_each
from tests.table import a5e, dnd5e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Wave
from turnwright.encounter.running import ArrivedWave
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import EncounterFile, LoadedEncounter, parse_encounter
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.references import check_known_ids, unknown_id_findings

TEXT = """\
format = 3
system = "a5e"
title = "The ford"

[creatures.raider]
name = "Raider"

[roster.raiders]
creature = "raider"

[roster.late]
creature = "raider"
wave = "boat"

# When the boat has crossed.
[waves.boat]
round = 3
when = "half"
who = "raiders"
"""


def read(text: str) -> LoadedEncounter:
    return parse_encounter(text.encode(), Path("ford.toml"), ("a5e",))


def test_a_wave_is_read_and_written_back_with_what_a_person_wrote_around_it() -> None:
    loaded = read(TEXT)
    assert loaded.findings == ()
    assert loaded.encounter is not None
    assert list(loaded.encounter.all(Wave)) == [Wave("boat", 3, "half", "raiders")]
    file = EncounterFile(TEXT)
    assert file.render(loaded.encounter) == TEXT
    others = [one for one in loaded.encounter if not isinstance(one, Wave)]
    changed = file.render(Encounter([*others, Wave("boat", 4, "half", "raiders")]))
    assert changed == TEXT.replace("round = 3", "round = 4")


@pytest.mark.parametrize(
    ("before", "after", "line", "key", "said", "severity"),
    [
        ('who = "raiders"', 'who = "wolves"', 19, "waves.boat.who", 'no roster entry or side "wolves"', "warning"),
        ('wave = "boat"', 'wave = "ship"', 16, "waves.boat", 'no roster entry belongs to the wave "boat"', "warning"),
        ('when = "half"', 'when = "soon"', 18, "waves.boat.when", "expected one of", "error"),
        ("round = 3", "round = -3", 17, "waves.boat.round", "must be at least 0", "warning"),
    ],
)
def test_what_is_wrong_with_a_wave_is_said_with_its_line(
    before: str, after: str, line: int, key: str, said: str, severity: str
) -> None:
    (finding,) = [one for one in read(TEXT.replace(before, after)).findings if one.key == key]
    assert (finding.line, finding.severity) == (line, severity)
    assert said in finding.message


def test_that_one_has_come_belongs_to_the_fight() -> None:
    (finding,) = read(TEXT + "\n[arrived_waves.boat]\nround = 3\n").findings
    assert "belongs in the fight file" in finding.message
    assert ArrivedWave("boat", 3).table == "arrived_waves"


@pytest.mark.parametrize(("sense", "told"), [("sense-portals", 0), ("scent", 0), ("darkvison", 1)])
def test_a_sense_of_a_creature_s_own_raises_no_alarm_but_a_slip_does(sense: str, told: int) -> None:
    text = f"""format = 3\nsystem = "pf2e"\ntitle = "The ford"\n[creatures.moth]\nname = "Moth"\nsenses = {{ {sense} = 30 }}\n"""
    loaded = parse_encounter(text.encode(), Path("ford.toml"), ("pf2e",))
    assert loaded.encounter is not None
    notes = FindingCollector()
    check_known_ids(loaded.encounter, RuleSystems().get("pf2e"), notes)
    assert len(notes.notes) == told


def test_a_place_that_no_search_offers_is_kept_and_told_with_the_nearest_word() -> None:
    text = TEXT + '\n[creatures.elk]\nname = "Elk"\nenvironments = ["forest", "mountain", "the Wold"]\n'
    loaded = read(text)
    assert loaded.encounter is not None
    elk = loaded.encounter.get(Creature, "elk")
    assert elk is not None
    assert elk.environments == ("forest", "mountain", "the Wold")
    found = [one for one in unknown_id_findings(loaded.encounter, a5e(), "ford.toml", text) if "habitat" in one.message]
    assert [(one.key, one.severity) for one in found] == [
        ("creatures.elk.environments[2]", "warning"),
        ("creatures.elk.environments[3]", "warning"),
    ]
    assert "(did you mean 'mountains'?)" in found[0].message


@pytest.mark.parametrize(
    ("rule", "key", "said"),
    [
        ('kind = "advantag", what = "save"', "kind", "expected one of"),
        ('kind = "advantage", what = "svae"', "what", "did you mean 'save'?"),
        ('kind = "advantage", what = "save", when = "prnoe"', "when", "did you mean 'prone'?"),
        ('kind = "advantage", what = "save", when = "(prone"', "when", "a closing parenthesis is missing"),
        ('kind = "modifier", what = "speed", over = 0', "over", "must be"),
        ('kind = "grant", what = "prone"', "kind", "does nothing in a feature"),
    ],
)
def test_what_is_wrong_with_a_rule_of_a_feature_is_said_with_its_line(rule: str, key: str, said: str) -> None:
    text = (
        TEXT
        + f'\n[creatures.wolf]\nname = "Wolf"\n[creatures.wolf.features.pack]\nname = "Pack"\nrules = [{{ {rule} }}]\n'
    )
    loaded = read(text)
    findings = [*loaded.findings]
    if loaded.encounter is not None:
        findings += unknown_id_findings(loaded.encounter, a5e(), "ford.toml", text)
    (finding,) = [one for one in findings if one.key.startswith("creatures.wolf.features.pack.rules")]
    assert finding.key.endswith(key)
    assert finding.line == text.count("\n")
    assert said in finding.message


STEPS = """\
format = 3
system = "dnd5e"
title = "The lair"

[creatures.drake]
name = "Drake"

[creatures.drake.features.tail]
name = "Tail"
cost = "action"
attack = 5

[creatures.drake.features.sweep]
name = "Sweep"
cost = "legendary"
does = [
    { use = "tail" },
]
"""


@for_each(
    ("step", "key", "said"),
    [
        ('{ use = "tial" }', "does[1].use", "Drake has no feature 'tial' (did you mean 'tail'?"),
        ('{ use = "any-mele" }', "does[1].use", "did you mean 'any-melee'?"),
        ('{ use = "sweep" }', "does[1].use", "a step can't use its own feature"),
        ('{ recharges = "tial" }', "does[1].recharges", "did you mean 'tail'?"),
        ('{ use = "tail", action = "hide" }', "does[1]", "expected exactly one of use, spell,"),
        ("{ alternative = true }", "does[1]", "found nothing"),
        ('{ use = "any-attack" }', "", ""),
        ('{ recharges = "*" }', "", ""),
    ],
)
def test_a_step_that_names_nothing_is_told_with_its_line(step: str, key: str, said: str) -> None:
    loaded = parse_encounter(STEPS.replace('{ use = "tail" }', step).encode(), Path("lair.toml"), ("dnd5e",))
    found = [(one.line, one.key.partition("sweep.")[2]) for one in loaded.findings]
    assert found == ([(17, key)] if key else [])
    assert all(said in one.message for one in loaded.findings)


def test_steps_are_read_and_their_words_looked_up_in_the_game() -> None:
    text = STEPS.replace('{ use = "tail" }', '{ action = "hied" },\n    { spell = "firebal", alternative = true }')
    loaded = parse_encounter(text.encode(), Path("lair.toml"), ("dnd5e",))
    assert loaded.encounter is not None
    rules = RuleSystems().get("dnd5e")
    messages = [one.message for one in unknown_id_findings(loaded.encounter, rules, "lair.toml", text)]
    assert len(messages) == 2
    assert "did you mean 'hide'?" in messages[0]
    assert "unknown spell 'firebal'" in messages[1]


PHASES = """\
format = 3
system = "dnd5e"
title = "The lair"

[creatures.drake]
name = "Drake"

[creatures.drake.features.tail]
name = "Tail"

[creatures.drake.phases.mythic]
at = 0
recharges = ["*"]
"""


@pytest.mark.parametrize(
    ("line", "key", "said"),
    [
        ('recharges = ["tial"]', "recharges[1]", "did you mean 'tail'?"),
        ('creature = "drkae"', "creature", "did you mean 'drake'?"),
        ('recharges = ["tail"]', "", ""),
    ],
)
def test_a_phase_that_names_nothing_is_told_with_its_line(line: str, key: str, said: str) -> None:
    loaded = parse_encounter(PHASES.replace('recharges = ["*"]', line).encode(), Path("lair.toml"), ("dnd5e",))
    found = [(one.line, one.key.partition("mythic.")[2]) for one in loaded.findings]
    assert found == ([(13, key)] if key else [])
    assert all(said in one.message for one in loaded.findings)
    assert loaded.encounter is not None
    (phase,) = loaded.encounter.need(Creature, "drake").phases
    assert (phase.id, phase.at) == ("mythic", 0)


def test_conditions_that_a_phase_ends_are_looked_up_in_the_game() -> None:
    text = PHASES.replace('recharges = ["*"]', 'ends = ["*", "poisonned"]')
    (finding,) = unknown_id_findings(read_in_dnd5e(text), dnd5e(), "lair.toml", text)
    assert "did you mean 'poisoned'?" in finding.message


def read_in_dnd5e(text: str) -> Encounter:
    loaded = parse_encounter(text.encode(), Path("lair.toml"), ("dnd5e",))
    assert loaded.encounter is not None
    return loaded.encounter
