"""Records that every start reads have annotations that are evaluated, which takes a tenth of the time of text."""

import msgspec
import pytest

from turnwright.encounter.prepared import Creature, Environment, RosterEntry, Scene
from turnwright.rules.system_data import SystemData

RECURSIVE = {("Compound", "parts")}


def _inside(kind: object, found: set[type[msgspec.Struct]]) -> None:
    if isinstance(kind, msgspec.inspect.StructType):
        if kind.cls not in found:
            found.add(kind.cls)
            for field in kind.fields:
                _inside(field.type, found)
    elif isinstance(kind, msgspec.inspect.UnionType):
        for one in kind.types:
            _inside(one, found)
    elif isinstance(kind, msgspec.inspect.VarTupleType):
        _inside(kind.item_type, found)
    elif isinstance(kind, msgspec.inspect.TupleType):
        for one in kind.item_types:
            _inside(one, found)
    elif isinstance(kind, msgspec.inspect.Metadata):
        _inside(kind.type, found)


@pytest.mark.parametrize("record", [SystemData, Scene, Creature, RosterEntry, Environment])
def test_annotations_are_no_text(record: type[msgspec.Struct]) -> None:
    found: set[type[msgspec.Struct]] = set()
    _inside(msgspec.inspect.type_info(record), found)
    texts = {
        (struct.__name__, name)
        for struct in found
        for name, annotation in vars(struct).get("__annotations__", {}).items()
        if isinstance(annotation, str)
    }
    assert texts <= RECURSIVE
    assert record in found
