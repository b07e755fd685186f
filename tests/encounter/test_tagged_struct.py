"""A record of a union is told apart by its class name in kebab case."""

import pytest

from turnwright.encounter.prepared import AddWave
from turnwright.encounter.procedure_state.damage import TempHpChoice
from turnwright.encounter.tagged_struct import TaggedStruct


@pytest.mark.parametrize(("kind", "tag"), [(AddWave, "add-wave"), (TempHpChoice, "temp-hp-choice")])
def test_the_tag_follows_from_the_class_name(kind: type[TaggedStruct], tag: str) -> None:
    assert kind.__struct_config__.tag == tag
