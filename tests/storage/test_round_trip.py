"""A written record is read back unchanged, whatever its content, and whatever it is changed from."""

import tomllib
from pathlib import Path

import pytest
import rtoml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.storage.record_strategies import encounters, fights
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.state import RUNNING, Encounter, key_of
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.storage.encounters import EncounterFile, parse_encounter, prepared, tree_of
from turnwright.storage.fights import fight_text, read_fight
from turnwright.storage.toml.record_tree import plain_value

SYSTEMS = {"a5e"}
SYSTEM_DATA = RuleSystems()
GAMES = ("a5e", "dnd5e", "dnd5e-2024", "pf2e")
FILE = Path("x.toml")
# The strategy of a record names all of its fields.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
relaxed = settings(
    max_examples=examples(5),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def in_a5e(encounter):
    return Encounter(
        type(record)(**{**fields(record), "system": "a5e"}) if record.table == "scene" else record
        for record in encounter
    )


def fields(record):
    return {name: getattr(record, name) for name in record.__struct_fields__}


def read(text):
    loaded = parse_encounter(text.encode(), FILE, SYSTEMS)
    assert loaded.encounter is not None, loaded.findings
    return loaded.encounter


@relaxed
@given(encounters())
def test_a_new_file_reads_back_equal(encounter):
    encounter = in_a5e(encounter)
    assert read(EncounterFile().render(encounter)) == encounter


@pytest.mark.parametrize("system", GAMES)
def test_spells_of_the_games_read_back_equal(system):
    """What an importer writes for a listed spell, such as the doubles of Mirror Image, can be opened and printed again."""
    spells = SYSTEM_DATA.get(system).data.spells
    features = tuple({spell.id: spell_feature(spell, Caster(15, 7, 5, 4)) for spell in spells}.values())
    encounter = Encounter([Scene(system=system), Creature("mage", "Mage", features=features)])
    loaded = parse_encounter(EncounterFile().render(encounter).encode(), FILE, {system})
    assert loaded.findings == ()
    assert loaded.encounter == encounter


@relaxed
@given(encounters(), encounters(), encounters())
def test_any_change_of_a_file_reads_back_equal(first, second, third):
    first, second, third = map(in_a5e, (first, second, third))
    file = EncounterFile(EncounterFile().render(first))
    for encounter in (second, third):
        assert read(file.render(encounter)) == encounter
    assert file.render(first) == file.text


@relaxed
@given(encounters(), st.data())
def test_what_is_taken_out_and_put_back_stands_where_it_stood(encounter, data):
    encounter = in_a5e(encounter)
    file = EncounterFile(EncounterFile().render(encounter))
    keep = [record for record in encounter if record.table == "scene" or data.draw(st.booleans())]
    assert read(EncounterFile(file.render(Encounter(keep))).render(encounter)) == encounter
    assert file.render(encounter) == file.text


@relaxed
@given(encounters(), encounters(), st.booleans(), st.data())
def test_a_file_in_another_programs_style_takes_changes(first, second, pretty, data):
    first, second = in_a5e(first), in_a5e(second)
    text = rtoml.dumps(plain_value(tree_of(first)), pretty=pretty)
    assert read(text) == first
    kept = [record for record in first if record.table == "scene" or data.draw(st.booleans())]
    keys = {key_of(record) for record in kept}
    mixed = Encounter([*kept, *(record for record in second if key_of(record) not in keys)])
    file = EncounterFile(text)
    for encounter in (mixed, first):
        file = EncounterFile(file.render(encounter))
        assert read(file.text) == encounter


@relaxed
@given(fights())
def test_a_fight_reads_back_equal(tmp_path, encounter):
    file = tmp_path / "x.fight.toml"
    journal = [{"serial": 1, "phrase": {"key": "hp.lost", "params": {"n": 3, "who": "Mira"}}, "dice": [1, 2]}]
    text = fight_text(encounter, journal, "abc")
    tomllib.loads(text)
    file.write_bytes(text.encode())
    fight = read_fight(file, Encounter(prepared(encounter)))
    assert fight.records == tuple(one for one in encounter if isinstance(one, RUNNING))
    assert (list(fight.journal), fight.prepared_digest) == (journal, "abc")
