"""The enrichers of D&D 5e prose: worked out from the actor's own data, and told where those don't hold them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers.foundry.test_dnd5e import activity, actor, item, part, read
from turnwright.encounter.prepared import Creature, Feature, OtherDamage

BREATH = activity(
    "save",
    _id="breathbreathbrea",
    save={"ability": ["dex"], "dc": {"calculation": "con", "formula": ""}},
    damage={"parts": [part(12, 8, "acid")], "onSave": "half"},
    target={"template": {"type": "line", "size": "60", "width": "5", "units": "ft"}, "affects": {"type": "creature"}, "override": True},
    range={"value": "90", "units": "ft", "override": True},
    duration={"value": "1", "units": "minute"},
)  # fmt: skip
BITE = {
    "activities": {"bitebitebitebite": activity("attack", attack={}, damage={"includeBase": True, "parts": []}),
                   "venomvenomvenomv": activity("damage", damage={"parts": [part(2, 8, "poison")]}),
                   "checkcheckcheckc": activity("check", check={"ability": "", "associated": ["med"], "dc": {"formula": "12"}})},
    "damage": {"base": part(1, 8, "piercing"), "versatile": part(1, 6)},
    "range": {"value": None, "reach": None, "units": "ft"},
    "type": {"value": "natural"},
    "properties": ["rch"],
}  # fmt: skip


def said(*items: dict[str, Any], name: str = "Text") -> tuple[str, list[str]]:
    """Return the text of a feature, and the marks in it that were told to be lost."""
    found = read(actor(*items))
    assert isinstance(found.record, Creature)
    (feature,) = [one for one in found.record.features if one.name == name]
    return feature.text, [one.text for one in found.reports if one.field.endswith(": text")]


def with_text(text: str, **system: Any) -> dict[str, Any]:
    return item("Text", text, **{"activities": {"breathbreathbrea": BREATH}, **system})


@for_each(("html", "plain"), [
    ("DC [[lookup @save.dc.value activity=breathbreathbrea]].", "DC 13."),
    ("a [[lookup @target.template.size activity=breathbreathbrea]]-foot [[lookup @target.template.type capitalize activity=breathbreathbrea]]", "a 60-foot Line"),
    ("each [[lookup @target.affects.type activity=breathbreathbrea]]", "each creature"),
    ("within [[lookup @range.value activity=breathbreathbrea]] feet", "within 90 feet"),
    ("for [[lookup @duration.value activity=breathbreathbrea]] [[lookup @duration.units activity=breathbreathbrea]]", "for 1 minute"),
    ("[[lookup @damage.onSave capitalize activity=breathbreathbrea]] damage", "Half damage"),
    ("The [[lookup @name lowercase]]{monster} hides.", "The ash hound hides."),
    ("(escape DC [[lookup @skills.ste.passive]])", "(escape DC 19)"),
    ("(spell save DC [[lookup @abilities.cha.dc]])", "(spell save DC 12)"),
    ("has [[lookup @attributes.hp.max]] hit points", "has 60 hit points"),
    ("[[lookup @nowhere.at.all]]{ten} squares", "ten squares"),
    ("[[lookup @labels.description.affects capitalize activity=breathbreathbrea]] in a [[lookup @labels.description.template activity=breathbreathbrea]]", "Each creature in a 60-foot-long, 5-foot-wide Line"),
    ("within [[lookup @labels.description.range]]", "within 90 feet"),
    ("Ranged Attack: [[/attack formula=5]]", "Ranged Attack: +5 to hit"),
    ("takes [[/damage average]] damage.", "takes 54 (12d8) acid damage."),
    ("takes [[/damage 2d6 type=fire/cold]] damage.", "takes 2d6 fire or cold damage."),
    ("takes [[/damage 1d6 fire & 1d6 cold average]] damage.", "takes 3 (1d6) fire damage plus 3 (1d6) cold damage."),
    ("heals [[/healing 2d4 + @abilities.cha.mod]] Hit Points", "heals 2d4 + 1 Hit Points"),
    ("a [[/save]] saving throw", "a DC 13 Dexterity saving throw"),
    ("a [[/save ability=str/con dc=15 format=long]]", "a DC 15 Strength or Constitution saving throw"),
    ("a [[/save con dc=@abilities.cha.dc]]", "a DC 12 Constitution"),
    ("a [[/check skill=ath 15 format=long]]", "a DC 15 Strength (Athletics) check"),
    ("a [[/skill prc]]", "a Wisdom (Perception)"),
    ("holds [[/concentration 10]]", "holds DC 10 concentration"),
    ("[[/award 50gp]]", "50 gp"),
    ("it is &amp;Reference[LightlyObscured apply=false]", "it is Lightly Obscured"),
    ("[[/item Bite]] and [[/item .itemitemitemitem]]", "Bite and Great Claw"),
    ("uses [[/item .itemitemitemitem activity=Rake]]", "uses Great Claw: Rake"),
])  # fmt: skip
def test_an_enricher_says_what_its_program_would_show(html: str, plain: str) -> None:
    claw = {**item("Great Claw", kind="weapon"), "_id": "itemitemitemitem"}
    text, lost = said(with_text(html), claw)
    assert text == plain
    assert lost == (["[[lookup @nowhere.at.all]]{ten}"] if "nowhere" in html else [])


@pytest.mark.parametrize(("mark", "shown", "lost"), [
    ("[[/item .castcastcastcast.Activity.augeraugerauger1]]", "Ill Wind", 0),  # the spell that is kept for the activity
    ("[[/item .castcastcastcast.Activity.namednamednamed1]]", "Bog Light", 0),
    ("[[/item Item.castcastcastcast.Activity.linkedlinkedlin1]]", "Sending", 1),  # as the link is called
    ("[[/item .castcastcastcast.Activity.nowherenowherenw]]", "[item]", 1),
])  # fmt: skip
def test_a_mark_of_an_activity_shows_the_spell_it_casts(mark: str, shown: str, lost: int) -> None:
    activities = {
        "augeraugerauger1": activity("cast", spell={"uuid": "Compendium.a.b.Item.aB3dE5gH7jK9mN1p"}),
        "namednamednamed1": activity("cast", name="Bog Light"),
        "linkedlinkedlin1": activity("cast", spell={"uuid": "Compendium.a.spells.Item.phbsplSending000"}),
    }
    caster = {**item("Coven", activities=activities), "_id": "castcastcastcast"}
    kept = {
        **item("Ill Wind", kind="spell"),
        "flags": {"dnd5e": {"cachedFor": ".Item.castcastcastcast.Activity.augeraugerauger1"}},
    }
    text, told = said(with_text(f"casts {mark}"), caster, kept)
    assert (text, len(told)) == (f"casts {shown}", lost)


@pytest.mark.parametrize(("html", "shown", "mark"), [
    ("rolls [[lookup @scale.rogue.sneak-attack]]", "rolls [sneak attack]", "[[lookup @scale.rogue.sneak-attack]]"),
    ("uses [[/item .nowherenowherenowh]].", "uses [item].", "[[/item .nowherenowherenowh]]"),
    ("makes {count} [[/item]] attacks", "makes … [item] attacks", "{count}"),
    ("DC [[lookup @save.dc.value activity=nonononononononon]]", "DC [value]", "[[lookup @save.dc.value activity=nonononononononon]]"),
    ("see @Embed[Compendium.a.b.Item.cccccccccccccccc inline]", "see [text of another document]", "@Embed[Compendium.a.b.Item.cccccccccccccccc inline]"),
    ("casts @UUID[Compendium.a.spells.Item.phbsplCommand000]", "casts Command", "@UUID[Compendium.a.spells.Item.phbsplCommand000]"),
    ("casts @UUID[Compendium.a.spells.Item.aB3dE5gH7jK9mN1p]", "casts [another document]", "@UUID[Compendium.a.spells.Item.aB3dE5gH7jK9mN1p]"),
])  # fmt: skip
def test_what_the_file_does_not_hold_is_told(html: str, shown: str, mark: str) -> None:
    text, lost = said(with_text(html, activities={}))
    assert text == shown
    assert mark in lost


def test_a_link_without_a_label_has_the_name_of_its_item() -> None:
    spell = {
        **item("Charm Person", kind="spell"),
        "_stats": {"compendiumSource": "Compendium.a.spells.Item.aB3dE5gH7jK9mN1p"},
    }
    text, lost = said(with_text("casts @UUID[Compendium.a.spells.Item.aB3dE5gH7jK9mN1p]."), spell)
    assert (text, lost) == ("casts Charm Person.", [])


def bite(text: str, rules: str = "2014", **changes: Any) -> Feature:
    found = read(actor(item("Bite", text, "weapon", **{**BITE, "source": {"rules": rules}, **changes}))).record
    assert isinstance(found, Creature)
    return found.features[0]


def test_an_enricher_of_an_activity_has_its_own_dice() -> None:
    found = bite(
        "[[/attack extended]]. [[/damage average extended]], or [[/damage average activity=venomvenomvenomv]] damage."
    )
    assert found.text == (
        "Melee Weapon Attack: +6 to hit, reach 10 ft. Hit: 7 (1d8 + 3) piercing damage, or 9 (2d8) poison damage."
    )
    assert (found.damage, found.reach) == ("1d8+3 piercing", 10)


def test_the_rules_of_2024_have_their_own_words() -> None:
    found = bite(
        "<p>[[/attack extended]]. [[/damage average extended]]. [[/check format=long activity=checkcheckcheckc]]</p>",
        "2024",
    )
    assert found.text == (
        "Melee Attack Roll: +6, reach 10 ft. Hit: 7 (1d8 + 3) Piercing damage. DC 12 Wisdom (Medicine) check"
    )


def test_a_weapon_may_have_a_reach_and_a_range() -> None:
    found = bite("", range={"value": 120, "reach": 5, "units": "ft"}, properties=[])
    assert (found.reach, found.range) == (5, "120")


def test_two_hands_that_deal_no_more_are_left_out() -> None:
    assert not bite("It bites.").other_damage
    more = bite("It bites.", damage={"base": part(1, 8, "piercing"), "versatile": part(2, 8)})
    assert more.other_damage == (OtherDamage("with two hands", "2d8+3 piercing"),)


def test_a_multiattack_names_items_by_their_ids() -> None:
    attack = {"a": activity("attack", attack={}, damage={"includeBase": True, "parts": []})}
    one = {**item("Bite", kind="weapon", activities=attack), "_id": "bitebitebitebite"}
    other = {**item("Claw", kind="weapon", activities=attack), "_id": "clawclawclawclaw"}
    text = "The [[lookup @name lowercase]]{monster} makes one [[/item .bitebitebitebite]] attack and three [[/item .clawclawclawclaw]] attacks."
    found = read(actor(item("Multiattack", text), one, other, name="Claw Fiend")).record
    assert isinstance(found, Creature)
    assert found.features[0].multiattack == ((("bite", 1), ("claw", 3)),)


def armour(kind: str, value: int, dex: int | None = None) -> dict[str, Any]:
    return item(kind.title(), kind="equipment", armor={"value": value, "dex": dex}, type={"value": kind}, equipped=True)


def test_low_dexterity_takes_nothing_off_heavy_armour() -> None:
    plain = {"attributes__ac": {"calc": "default", "flat": None}, "abilities__dex__value": 8}
    for worn, ac in ((armour("heavy", 18), 18), (armour("medium", 14, 2), 13), (armour("light", 11), 10)):
        found = read(actor(worn, **plain)).record
        assert isinstance(found, Creature)
        assert found.ac == ac


def test_effects_and_fixed_numbers_of_an_armour_class() -> None:
    mage = {"name": "Mage Armor", "changes": [{"key": "system.attributes.ac.calc", "mode": 5, "value": "mage"}]}
    plus = {"name": "Ring", "changes": [{"key": "system.attributes.ac.bonus", "mode": 2, "value": "+1"}]}
    data = actor(attributes__ac={"calc": "default", "flat": None})
    found = read({**data, "effects": [mage, plus]})
    assert isinstance(found.record, Creature)
    assert found.record.ac == 16
    found = read({**data, "effects": [{**mage, "disabled": True}]})
    assert isinstance(found.record, Creature)
    assert (found.record.ac, [one.field for one in found.reports]) == (12, ["ac"])
    found = read(actor(attributes__ac={"calc": "default", "flat": 17}))
    assert isinstance(found.record, Creature)
    assert (found.record.ac, [one.field for one in found.reports]) == (17, ["ac"])


def test_custom_is_no_type_of_damage() -> None:
    found = read(actor(traits__di={"value": ["custom", "fire"], "bypasses": [], "custom": "rust"})).record
    assert isinstance(found, Creature)
    assert found.immunities == ("fire", "rust")
