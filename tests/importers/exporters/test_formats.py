"""Creatures for Foundry, Obsidian, the Homebrewery and 5etools: they come back by import, but for what the list says.

The shapes checked here are those of the programs' public schemas and examples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from turnwright.encounter.prepared import Creature, Feature, FeatureStep
from turnwright.encounter.state import grouped
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.exporters.formats import export_formats, exported
from turnwright.importers.exporters.printed import feature_text
from turnwright.importers.exporters.views import creature_view
from turnwright.importers.results import ImportedRecord, postprocessed
from turnwright.storage.library.entries import read_library_file

EVERY: Final = [(id, game) for id, form in export_formats().items() for game in form.games]
# The fields that the list may name without harm: they are Turnwright's own, or a text that says them stays.
CORE: Final = ("name", "size", "ac", "hp", "hit_dice", "alignment", "vulnerabilities", "mundane_immunity", "hovers")
FIGURES: Final = ("cost", "attack", "reach", "range", "damage", "save", "dc", "half", "save_damage", "recharge", "uses")
ID: Final = re.compile(r"[A-Za-z0-9]{16}")
KEYED: Final = frozenset({"activities", "actions", "rolls", "prompts", "ranges", "consumers", "damageRolls"})


def modifier(game: str) -> Any:
    return (lambda score: score) if game == "pf2e" else (lambda score: (score - 10) // 2)


def shipped(repository: Path, game: str, every: int) -> Iterator[Creature]:
    files = sorted((repository / "resources" / "library" / game).rglob("*.toml"))
    records = (read_library_file(path)[0] for path in files[::every])
    return (record for record in records if isinstance(record, Creature))


def read_again(text: str, id: str, game: str) -> Creature:
    form = export_formats()[id]
    document = parse_document(text.encode(), Path(f"x{form.ending}"))
    assert isinstance(document, ParsedDocument)
    reader = import_module(f"turnwright.importers.{form.reader}").FORMAT
    assert reader.claims(document)
    (found,) = reader.read([document], game)
    assert isinstance(found, ImportedRecord), found
    record = postprocessed(found).record
    assert isinstance(record, Creature)
    return record


def unequal(one: Any, other: Any, fields: tuple[str, ...]) -> set[str]:
    return {field for field in fields if _bare(getattr(one, field)) != _bare(getattr(other, field))}


def _bare(value: Any) -> Any:
    return "".join(value.split()).lower() if isinstance(value, str) else value


@pytest.mark.parametrize("every", [120, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("id", "game"), EVERY)
def test_creatures_come_back_but_for_what_the_list_says(repository: Path, id: str, game: str, every: int) -> None:
    for creature in shipped(repository, game, every):
        made = exported([creature], export_formats()[id], game, modifier(game))
        back = read_again(made.text, id, game)
        told = {note.field for note in made.reports}
        names = grouped((note.field, note.text) for note in made.reports)
        assert unequal(creature, back, CORE) <= told, creature.name
        for field in ("abilities", "saves", "skills", "senses", "speeds"):
            lost = {
                key: value for key, value in getattr(creature, field) if dict(getattr(back, field)).get(key) != value
            }
            scores = dict(creature.abilities)
            usual = {key for key, value in lost.items() if value == modifier(game)(scores.get(key, 10)) or not value}
            assert lost.keys() <= usual or field in told, (creature.name, field, lost)
        others = grouped((each.name.casefold(), each) for each in back.features)
        for feature in creature.features:
            alike = others.get(feature.name.casefold())
            if not alike:
                assert feature.name in ", ".join(names["features"]), creature.name
                continue
            other = alike.pop(0)
            for field in unequal(feature, other, FIGURES) - ({"reach"} if feature.attack is not None else set()):
                assert feature.name in ", ".join(names.get(field, ())), (creature.name, feature.name, field)


TOAD: Final = Creature(
    id="toad",
    name="Bell toad",
    size="large",
    type="monstrosity",
    tags=("fen",),
    rating="3",
    ac=14,
    ac_note="natural armor",
    hp=52,
    hit_dice="7d10+14",
    speeds=(("walk", 30), ("swim", 40)),
    abilities=(("str", 16), ("dex", 12), ("con", 14), ("int", 4), ("wis", 11), ("cha", 6)),
    saves=(("con", 4),),
    skills=(("stealth", 5), ("athletics", 5)),
    senses=(("darkvision", 60),),
    languages="Common, Fen",
    immunities=("poison",),
    resistances=("cold",),
    mundane_resistance=True,
    mundane_except=("silvered",),
    condition_immunities=("poisoned",),
    alignment="neutral evil",
    legendary=2,
    features=(
        Feature("damp", "Damp", "trait", text="It leaves wet prints."),
        Feature("tongue", "Tongue", "action", attack=5, reach=15, damage="2d6+3 bludgeoning + 1d6 acid", save="str", dc=13,
                save_damage="1d8 acid"),
        Feature("spit", "Spit", "action", attack=3, range="20/60", damage="1d10+1 acid"),
        Feature("toll", "Toll", "action", save="con", dc=12, half=True, damage="4d6 thunder", area="30-foot cone", recharge=5),
        Feature("hop", "Hop", "bonus", text="It jumps 20 feet.", uses=2),
        Feature("flinch", "Flinch", "reaction", text="It moves 5 feet away."),
        Feature("splash", "Splash", "legendary", text="Everything near it is wet.", price=2),
    ),
)  # fmt: skip


@pytest.mark.parametrize("id", [id for id in export_formats() if "pf2e" not in id])
def test_every_number_of_a_creature_comes_back(id: str) -> None:
    game = "a5e" if "a5e" in id else "dnd5e"
    made = exported([TOAD], export_formats()[id], game, modifier(game))
    back = read_again(made.text, id, game)
    fields = (
        *CORE,
        "type",
        "resistances",
        "immunities",
        "condition_immunities",
        "saves",
        "speeds",
        "senses",
        "languages",
    )
    expected = {"ac_note", "legendary"} if "a5e" in id else set()
    assert unequal(TOAD, back, (*fields, "mundane_except", "abilities", "rating", "legendary")) <= expected
    others = {each.name: each for each in back.features}
    for feature in TOAD.features:
        assert unequal(feature, others[feature.name], (*FIGURES, "price", "area")) == set(), feature.name
    assert {note.field for note in made.reports} <= {
        "text",
        "ac_note",
        "legendary",
        "tags",
        "automation",
        "description",
    }


def paths(value: Any, at: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the places of all values of a record. Ids of records become `*`."""
    yield ".".join(at)
    if isinstance(value, dict):
        for key, inner in value.items():
            keyed = bool(at) and at[-1] in KEYED and (at[-1] == "damageRolls" or ID.fullmatch(str(key)))
            yield from paths(inner, (*at, "*" if keyed else str(key)))
    for inner in value if isinstance(value, list) else ():
        yield from paths(inner, (*at, "[]"))


REAL: Final[Mapping[str, tuple[str, str, set[str]]]] = {
    # The places that no example holds are those of bypasses and of burrowing, which the schema of dnd5e names.
    "foundry-dnd5e": ("dnd5e", "foundry-dnd5e/*/*.yml", {"bypasses.[]", "movement.burrow"}),
    "foundry-a5e": ("a5e", "foundry-a5e/monsters/*.json", {"traits.alignment.[]"}),
    "foundry-pf2e": ("pf2e", "foundry-pf2e-newest/*.json", {"prototypeToken", "lore"}),
}


@pytest.mark.parametrize("id", REAL)
def test_actors_have_only_fields_that_foundrys_own_have(id: str, repository: Path, real_data: Path) -> None:
    game, pattern, beside = REAL[id]
    files = sorted(real_data.glob(pattern))[:: 5 if pattern.endswith("yml") else 1]
    known = {place for file in files for place in paths(read_document(file).data)}
    for creature in (*shipped(repository, game, 60), *([TOAD] if game != "pf2e" else [])):
        actor = json.loads(exported([creature], export_formats()[id], game, modifier(game)).text)
        assert {
            place for place in paths(actor) if place not in known and not any(one in place for one in beside)
        } == set()
        for item in actor["items"]:
            assert ID.fullmatch(item["_id"])
            for key, activity in item["system"].get("activities", {}).items():
                assert ID.fullmatch(key)
                assert activity["_id"] == key
                assert activity["type"] in {"attack", "save", "damage", "heal", "utility"}
        assert len({item["_id"] for item in actor["items"]}) == len(actor["items"])


FIVE_E_TOOLS: Final[Mapping[str, Any]] = {  # the required fields of a creature in the public schema, and their types
    "name": str, "source": str, "size": list, "type": (str, dict), "ac": list, "hp": dict, "speed": dict,
    "str": int, "dex": int, "con": int, "int": int, "wis": int, "cha": int, "cr": (str, dict),
}  # fmt: skip


def test_a_5etools_file_has_the_fields_of_its_schema() -> None:
    data = json.loads(exported([TOAD, TOAD], export_formats()["5etools"], "dnd5e", modifier("dnd5e")).text)
    (source,) = data["_meta"]["sources"]
    assert source.keys() >= {"json", "abbreviation", "full", "authors", "convertedBy", "version"}
    assert len(data["monster"]) == 2
    for monster in data["monster"]:
        assert {key for key, type in FIVE_E_TOOLS.items() if not isinstance(monster.get(key), type)} == set()
        assert set(monster["size"]) <= set("FTSMLHGC")
        assert monster["alignment"] == ["N", "E"]
        assert monster["hp"] == {"average": 52, "formula": "7d10+14"}
        for section in ("trait", "action", "bonus", "reaction", "legendary"):
            assert all(isinstance(each["name"], str) and each["entries"] for each in monster[section])


def test_a_note_and_a_brew_are_laid_out_as_their_programs_do() -> None:
    note = exported([TOAD], export_formats()["fantasy-statblocks"], "dnd5e", modifier("dnd5e")).text
    assert note.startswith("# Bell toad\n\n```statblock\nlayout: Basic 5e Layout\n")
    block = yaml.safe_load(note.partition("```statblock\n")[2].removesuffix("```\n"))
    assert block["stats"] == [16, 12, 14, 4, 11, 6]
    assert block["saves"] == [{"Constitution": 4}]
    assert [each["name"] for each in block["actions"]] == ["Tongue", "Spit", "Toll (Recharge 5-6)"]
    brew = exported([TOAD], export_formats()["homebrewery"], "dnd5e", modifier("dnd5e")).text
    assert brew.startswith(
        "{{monster,frame\n## Bell toad\n*Large monstrosity (fen), neutral evil*\n___\n**Armor Class** :: 14"
    )
    assert brew.endswith(":\n}}\n")
    assert "### Legendary Actions\nThe Bell toad can take 2 legendary actions." in brew


@pytest.mark.parametrize(("initiative", "beside"), [(None, 0), (1, 0), (0, -1), (4, 3)])
def test_initiative_is_what_stands_beside_dexterity(initiative: int | None, beside: int) -> None:
    view = creature_view(
        Creature("x", "X", abilities=(("dex", 12),), initiative=initiative), "dnd5e", modifier("dnd5e")
    )
    assert (view["initiative_there"], view["initiative_rest"] or 0) == (beside, beside)


def test_a_creature_that_the_import_does_not_find_again_is_told() -> None:
    nameless = Creature(id="x", name="")
    (note,) = exported([nameless], export_formats()["homebrewery"], "dnd5e", modifier("dnd5e")).reports
    assert note.why == "the import doesn't find it in this format"


def test_what_a_feature_uses_is_said() -> None:
    bite = Feature("bite", "Bite", cost="action", attack=5, reach=5, damage="1d8+3 piercing")
    howl = Feature("howl", "Howl", cost="action", text="It howls.")
    multiattack = Feature(
        "multiattack", "Multiattack", cost="action", multiattack=((("howl", 1), ("bite", 2)),), attacks=2
    )
    snap = Feature("snap", "Snap", cost="legendary", does=(FeatureStep(use="bite"),))
    wolf = Creature("marsh-wolf", "Marsh Wolf", features=(bite, howl, multiattack, snap))
    assert feature_text(multiattack, wolf) == "The marsh wolf uses its Howl and makes two attacks: two with its bite."
    assert feature_text(snap, wolf) == "The marsh wolf uses its Bite."
