"""The rating of an environment, in rule systems that rate places."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.encounter.prepared import Environment, Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.docks.inspectors import EnvironmentDock


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("system", "fields"),
    [("a5e", {"rating"}), ("pf2e", {"rating", "complex"}), ("dnd5e", set()), ("action_points", set())],
)
def test_a_place_has_a_rating_in_games_that_weigh_it(show, document, system, fields):
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), system=system)))
    dock = show(EnvironmentDock)
    assert {"rating", "complex"} & dock.place.fields.keys() == fields


def test_a_rating_typed_stands_in_the_encounter(show, document):
    dock = show(EnvironmentDock)
    id = next(iter(document.encounter.ids(Environment)))
    dock.edit_record((Environment.table, id))
    dock.place.fields["rating"].edited.emit("3")
    assert document.encounter.need(Environment, id).rating == "3"
