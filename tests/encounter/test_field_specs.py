"""Specs of fields: kinds and limits from annotations, and bounds that hold wherever a number enters."""

from typing import Annotated, Literal

import msgspec
import pytest

from turnwright.encounter.field_specs import (
    CombatantIds,
    ConditionId,
    FeetOrNone,
    FieldSpec,
    Natural,
    problem_in,
    spec_of,
    specs_of,
)
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Effect, GuestCreature
from turnwright.encounter.state import PREPARED, RUNNING
from turnwright.storage.toml.reader import fields_of


class Sample(msgspec.Struct, frozen=True):
    """A struct with a field of each sort."""

    who: CombatantIds
    condition: ConditionId = ""
    push: FeetOrNone = 0
    bonus: Natural | None = None
    when: Literal["", "now"] = ""
    level: Annotated[int, FieldSpec(least=1, most=9, group="spell", label="sample.rank")] = 1
    note: str = ""
    here: tuple[int, int] | None = None
    path: tuple[tuple[int, int], ...] = ()
    scores: tuple[tuple[str, int], ...] = ()
    features: tuple[Feature, ...] = ()


def test_a_kind_comes_from_the_annotation_or_from_the_type() -> None:
    kinds = {spec.name: spec.kind for spec in specs_of(Sample)}
    assert kinds == {
        "who": "combatants",
        "condition": "condition",
        "push": "number",
        "bonus": "number",
        "when": "choice",
        "level": "number",
        "note": "text",
        "here": "square",
        "path": "squares",
        "scores": "numbers",
        "features": "records",
    }


def test_a_spec_holds_limits_options_defaults_and_the_key_of_its_caption() -> None:
    assert spec_of(Sample, "who").required
    assert spec_of(Sample, "bonus").optional
    assert spec_of(Sample, "when").options == ("", "now")
    level, push = spec_of(Sample, "level"), spec_of(Sample, "push")
    assert (level.least, level.most, level.default, level.group, level.label) == (1, 9, 1, "spell", "sample.rank")
    assert (push.unit, push.zero_is_none, push.label) == ("feet", True, "sample.push")
    assert spec_of(Creature, "hit_dice").label == "creature.hit-dice"


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (Creature("a", "A", hp=-1), "hp"),
        (Creature("a", "A", features=(Feature("b", "B", recharge=1),)), "recharge"),
        (GuestCreature("a", "A", attacks=0), "attacks"),
        (Effect("a", "b", "c", rounds_left=-1), "rounds_left"),
        (Effect("a", "b", "c", damage="much"), "damage"),
    ],
)
def test_a_value_out_of_bounds_is_found_in_nested_and_derived_records_too(record: msgspec.Struct, field: str) -> None:
    assert problem_in(record)[0] == field
    assert problem_in(record)[1]


def test_only_the_items_that_differ_from_the_record_before_are_looked_at() -> None:
    before = Creature("a", "A", features=(Feature("b", "B", recharge=1), Feature("c", "C")))
    assert problem_in(msgspec.structs.replace(before, features=(*before.features, Feature("d", "D"))), before)[1] == ""
    wrong = (*before.features, Feature("d", "D", recharge=1))
    assert problem_in(msgspec.structs.replace(before, features=wrong), before)[0] == "recharge"


def test_every_field_of_a_file_carries_its_spec() -> None:
    for struct in (*PREPARED, *RUNNING):
        assert [field.spec for field in fields_of(struct)] == list(specs_of(struct))
