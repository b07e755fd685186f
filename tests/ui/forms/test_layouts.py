"""The layouts of forms: each of their fields exists, stands once, and has words."""

import pytest

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.field_specs import FieldSpec, specs_by_name
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.ui.docks.inspectors import COUNTDOWN
from turnwright.ui.docks.map.popovers import MAP_SIZE, OBSTACLE
from turnwright.ui.forms import encounter_layouts, environment_layouts
from turnwright.ui.forms.creature_layouts import FEATURE, INFLICTED_CONDITION, creature_layouts
from turnwright.ui.forms.form import FormLayout

LAYOUTS = [
    *(each for module in (encounter_layouts, environment_layouts) for each in vars(module).values()),
    *environment_layouts.OUTCOMES.values(),
    *creature_layouts(RuleSystems().get("a5e").data),
    FEATURE,
    INFLICTED_CONDITION,
    COUNTDOWN,
    OBSTACLE,
    MAP_SIZE,
]
PLAIN_KINDS = {"ability", "check", "choice", "dice", "flag", "number", "prose", "text", "texts"}


def fields_of(layout: FormLayout) -> list[tuple[str, FieldSpec]]:
    """Return the caption's key and the spec of each field."""
    specs = specs_by_name(layout.struct)
    names = [name for rows in (layout.rows, *layout.groups.values()) for row in rows for name in row.names]
    words = layout.words or f"ui.{next(iter(specs.values())).label.partition('.')[0]}"
    return [(f"{words}.{name.replace('_', '-')}", specs[name]) for name in names]


@pytest.fixture(scope="module")
def words() -> WordCatalogue:
    return WordCatalogue.load()


@for_each(
    "layout", [each for each in LAYOUTS if isinstance(each, FormLayout)], ids=lambda layout: layout.struct.__name__
)
def test_every_field_has_words(layout: FormLayout, words: WordCatalogue) -> None:
    for key, spec in fields_of(layout):
        if spec.kind in PLAIN_KINDS:
            assert layout.captions.get(spec.name, key) in words, key
        if spec.kind == "number" and f"{key}-none" in words:
            assert spec.optional or spec.zero_is_none or spec.name in layout.fields, key
        if spec.kind == "choice" and spec.name not in layout.fields:
            missing = [option for option in spec.options if option and f"{key}-{option}" not in words]
            assert missing == [], key
