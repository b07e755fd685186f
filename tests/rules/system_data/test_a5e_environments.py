"""The nine environments of A5E, entry by entry, against numbers written out here by hand from the ledger."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turnwright.encounter.prepared import Check, EnvironmentEntry, InflictedCondition, SavingThrow, Spawn
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.storage.system_data import read_ledger, read_system_data

ENVIRONMENTS = ("cavernous", "fiery", "forested", "frigid", "furnished", "hazy", "rocky", "stormy", "swampy")

# Every row of the nine environments: (environment, which list, the row without its words).
ROWS = (
    (
        "cavernous",
        "features",
        EnvironmentEntry("echo", "", kind="field", trigger="standing", affects="each", sound=2, per_die="thunder"),
    ),
    (
        "cavernous",
        "features",
        EnvironmentEntry(
            "loose-foundation",
            "",
            kind="area",
            trigger="disturbed",
            affects="each",
            within="still inside when it comes down",
            delay=2,
            afflictions=(InflictedCondition("grappled", escape_dc=12), InflictedCondition("suffocating")),
        ),
    ),
    (
        "cavernous",
        "features",
        EnvironmentEntry(
            "stalactites",
            "",
            kind="obstacle",
            trigger="falls",
            affects="below",
            within="underneath",
            ac=12,
            save=SavingThrow("dex", 12),
            damage="2d6 piercing",
        ),
    ),
    ("cavernous", "features", EnvironmentEntry("stalagmites", "", kind="obstacle", trigger="standing", cover="half")),
    (
        "fiery",
        "features",
        EnvironmentEntry(
            "burning-surface", "", kind="field", trigger="touch", affects="actor", once="turn", damage="1d6 fire"
        ),
    ),
    (
        "fiery",
        "features",
        EnvironmentEntry(
            "floating-ash",
            "",
            kind="area",
            trigger="turn-end",
            affects="actor",
            within="in the ash",
            save=SavingThrow("con", 10),
            afflictions=(InflictedCondition("blinded", "turn-start"),),
        ),
    ),
    (
        "fiery",
        "actions",
        EnvironmentEntry("flame-burst", "", affects="one", recharge=4, save=SavingThrow("dex", 12), damage="1d12 fire"),
    ),
    (
        "fiery",
        "actions",
        EnvironmentEntry("sweltering-heat", "", affects="each", save=SavingThrow("con", 10), fatigue=1),
    ),
    (
        "forested",
        "features",
        EnvironmentEntry(
            "brush", "", kind="obstacle", trigger="standing", cover="half", cover_when="prone within 5 ft"
        ),
    ),
    ("forested", "features", EnvironmentEntry("trees", "", kind="obstacle", trigger="standing", cover="half")),
    (
        "forested",
        "features",
        EnvironmentEntry("fallen-leaves", "", kind="area", affects="actor", check=Check("wis", 12, "perception")),
    ),
    (
        "forested",
        "actions",
        EnvironmentEntry(
            "cacophony",
            "",
            affects="each",
            recharge=4,
            hearing=10,
            afflictions=(InflictedCondition("hearing-limited", "world"),),
        ),
    ),
    (
        "frigid",
        "features",
        EnvironmentEntry(
            "frostbitten-surface",
            "",
            kind="field",
            trigger="touch",
            affects="actor",
            once="turn",
            damage="1d6 cold",
            unaffected=("resistant:cold", "skin-covered"),
        ),
    ),
    (
        "frigid",
        "features",
        EnvironmentEntry(
            "icy-patch",
            "",
            kind="area",
            trigger="standing",
            affects="actor",
            within="moving on the ice",
            terrain="difficult",
            redirect=True,
        ),
    ),
    ("frigid", "features", EnvironmentEntry("snow", "", kind="area", trigger="standing", obscured="lightly")),
    (
        "frigid",
        "actions",
        EnvironmentEntry(
            "cold-chill",
            "",
            affects="each",
            recharge=4,
            save=SavingThrow("con", 15),
            damage="2d6 cold",
            reduced="cold-weather-gear",
            reduced_damage="1d6 cold",
        ),
    ),
    (
        "furnished",
        "features",
        EnvironmentEntry(
            "chandelier",
            "",
            kind="obstacle",
            trigger="falls",
            affects="below",
            within="underneath",
            ac=12,
            check=Check("dex", 12, "acrobatics"),
            save=SavingThrow("dex", 12),
            damage="2d6 bludgeoning",
        ),
    ),
    (
        "furnished",
        "features",
        EnvironmentEntry(
            "clutter",
            "",
            kind="area",
            trigger="dash",
            affects="actor",
            within="dashing through the clutter",
            terrain="difficult",
            save=SavingThrow("dex", 10),
            afflictions=(InflictedCondition("prone"),),
        ),
    ),
    (
        "furnished",
        "features",
        EnvironmentEntry(
            "mirror",
            "",
            kind="object",
            trigger="spell",
            affects="actor",
            within="using the mirror as cover",
            size="medium",
            check=Check("dex", cost="reaction", against="spellcasting"),
            reflects=1,
            breaks=True,
        ),
    ),
    (
        "furnished",
        "features",
        EnvironmentEntry("tables", "", kind="obstacle", cost="action", cover="half", cover_when="tipped over"),
    ),
    (
        "hazy",
        "features",
        EnvironmentEntry("blanketed-ground", "", kind="area", affects="actor", check=Check("wis", 12, "perception")),
    ),
    ("hazy", "features", EnvironmentEntry("thick-fog", "", kind="area", trigger="standing", obscured="heavily")),
    (
        "hazy",
        "actions",
        EnvironmentEntry(
            "shadow-puppet", "", recharge=6, spawn=Spawn("shadow", "Shadow", "hostile to all", 20, likeness=True)
        ),
    ),
    ("hazy", "actions", EnvironmentEntry("twisting-haze", "", affects="each", within="in the haze", teleport=5)),
    (
        "rocky",
        "features",
        EnvironmentEntry(
            "boulder",
            "",
            kind="object",
            trigger="rolled",
            affects="below",
            within="in its path",
            check=Check("str", 15, "athletics", "action", free_by="boulder-cost-entered"),
            save=SavingThrow("dex", 12),
            damage="2d10 bludgeoning",
        ),
    ),
    (
        "rocky",
        "features",
        EnvironmentEntry("loose-rocks", "", kind="object", affects="one", damage="1d4 bludgeoning", range="15/30"),
    ),
    ("rocky", "features", EnvironmentEntry("uneven-footing", "", kind="area", trigger="standing", terrain="difficult")),
    (
        "rocky",
        "actions",
        EnvironmentEntry(
            "falling-rocks",
            "",
            affects="each",
            within="near the treacherous cliffside",
            recharge=5,
            save=SavingThrow("dex", 15),
            damage="2d6 bludgeoning",
        ),
    ),
    (
        "stormy",
        "features",
        EnvironmentEntry("heavy-precipitation", "", kind="area", trigger="standing", terrain="difficult"),
    ),
    (
        "stormy",
        "features",
        EnvironmentEntry("loud-winds", "", kind="field", trigger="standing", affects="each", hearing=15),
    ),
    ("stormy", "actions", EnvironmentEntry("forceful-gale", "", affects="one", save=SavingThrow("str", 12), push=15)),
    (
        "stormy",
        "actions",
        EnvironmentEntry(
            "lightning-strike",
            "",
            affects="one",
            recharge=5,
            once="encounter",
            save=SavingThrow("dex", 10),
            damage="4d6 lightning",
        ),
    ),
    ("swampy", "features", EnvironmentEntry("thick-trudge", "", kind="area", trigger="standing", terrain="difficult")),
    (
        "swampy",
        "features",
        EnvironmentEntry(
            "tenacious-mud",
            "",
            kind="area",
            trigger="turn-end",
            affects="actor",
            within="in the mud",
            save=SavingThrow("str", 12),
            afflictions=(InflictedCondition("restrained", "turn-end", break_free="action"),),
        ),
    ),
    (
        "swampy",
        "actions",
        EnvironmentEntry(
            "swamp-gas",
            "",
            affects="each",
            within="in the area",
            save=SavingThrow("con", 10),
            afflictions=(InflictedCondition("poisoned", "turn-end"),),
        ),
    ),
    (
        "swampy",
        "actions",
        EnvironmentEntry("leeches", "", recharge=6, spawn=Spawn("swarm-of-insects", "Leech swarm", "hostile to all")),
    ),
)


def ruled(rule: str, *values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.rule(rule), id=rule)


@pytest.fixture(scope="module")
def catalogue() -> SystemData:
    return read_system_data("a5e")


@pytest.fixture(scope="module")
def ledger() -> dict[str, LedgerRule]:
    return {rule.id: rule for rule in read_ledger("a5e")}


@pytest.mark.rule("a5e.env.list")
def test_nine_environments_with_25_features_and_11_world_actions(catalogue: SystemData) -> None:
    assert tuple(place.id for place in catalogue.environments) == ENVIRONMENTS
    assert [len(place.features) for place in catalogue.environments] == [4, 2, 3, 3, 4, 2, 3, 2, 2]
    assert [len(place.actions) for place in catalogue.environments] == [0, 2, 1, 1, 0, 2, 1, 2, 2]


@pytest.mark.parametrize(
    ("place", "kind", "expected"),
    [ruled(f"a5e.env.{place}.{row.id}", place, kind, row) for place, kind, row in ROWS],
)
def test_every_row_stands_with_its_figures(
    catalogue: SystemData, place: str, kind: str, expected: EnvironmentEntry
) -> None:
    environment = next(each for each in catalogue.environments if each.id == place)
    shipped = next(row for row in getattr(environment, kind) if row.id == expected.id)
    assert msgspec.structs.replace(shipped, name="", text="", rules=()) == expected
    assert shipped.rules[0] == f"a5e.env.{place}.{expected.id}"


def test_rows_stand_in_the_order_of_the_ledger(catalogue: SystemData, ledger: dict[str, LedgerRule]) -> None:
    shipped = [row.rules[0] for place in catalogue.environments for row in (*place.features, *place.actions)]
    places = tuple(f"a5e.env.{place}." for place in ENVIRONMENTS)
    assert shipped == [rule for rule in ledger if rule.startswith(places)]
    assert len(shipped) == 36


def test_rules_that_a_row_hides_are_cited_by_it(catalogue: SystemData, ledger: dict[str, LedgerRule]) -> None:
    cited = {
        rule for place in catalogue.environments for row in (*place.features, *place.actions) for rule in row.rules
    }
    assert {rule for rule in ledger if rule.startswith("a5e.env.rule.")} <= cited


@pytest.mark.rule("a5e.world.feature-kinds")
def test_each_feature_of_furnished_is_of_a_kind(catalogue: SystemData) -> None:
    furnished = next(place for place in catalogue.environments if place.id == "furnished")
    again = msgspec.json.decode(msgspec.json.encode(furnished), type=type(furnished))
    assert [(row.id, row.kind) for row in again.features] == [
        ("chandelier", "obstacle"),
        ("clutter", "area"),
        ("mirror", "object"),
        ("tables", "obstacle"),
    ]


def test_only_features_have_kinds(catalogue: SystemData) -> None:
    for place in catalogue.environments:
        assert None not in {row.kind for row in place.features}
        assert {row.kind for row in place.actions} <= {None}


def test_what_rows_name_is_shipped(catalogue: SystemData) -> None:
    conditions = {condition.id for condition in catalogue.conditions}
    types = {damage.id for damage in catalogue.damage_types}
    spawns = {creature.id for creature in catalogue.spawns}
    abilities = {ability.id for ability in catalogue.abilities}
    for place in catalogue.environments:
        for row in (*place.features, *place.actions):
            assert {affliction.condition for affliction in row.afflictions} <= conditions
            assert {damage.split()[-1] for damage in (row.damage, row.reduced_damage) if damage} <= types
            assert row.spawn is None or row.spawn.creature in spawns
            assert row.save is None or row.save.ability in abilities
