"""The spells of the field's 5e in figures: each row that has any, looked up by hand in the rules of 2014."""

from __future__ import annotations

import pytest

from tests.table import dnd5e, pf2e
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.system_data.actions import Spell

MAGE = Caster(15, 7, 9)
# name: level; how it is rolled; what it deals at its own level and one level above; range; area; what else
FIGURES = {
    "Acid Arrow": "2; attack 90; 4d4 acid, 5d4 acid",
    "Acid Splash": "0; dex 60; 2d6 acid",
    "Banishment": "4; cha 60; concentration",
    "Blight": "4; con 30 half; 8d8 necrotic, 9d8 necrotic",
    "Blindness/Deafness": "2; con 30",
    "Burning Hands": "1; dex half; 3d6 fire, 4d6 fire; 15-foot cone",
    "Call Lightning": "3; dex 120 half; 3d10 lightning, 4d10 lightning; 5-foot radius; concentration",
    "Chain Lightning": "6; dex 150 half; 10d8 lightning",
    "Charm Person": "1; wis 30; charmed",
    "Chill Touch": "0; attack 120; 2d8 necrotic",
    "Cloudkill": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration",
    "Command": "1; wis 60",
    "Cone of Cold": "5; con half; 8d8 cold, 9d8 cold; 60-foot cone",
    "Confusion": "4; wis 90; 10-foot radius; concentration",
    "Dominate Person": "5; wis 60; concentration; charmed",
    "Entangle": "1; str 90; 20-foot square; concentration; restrained",
    "Faerie Fire": "1; dex 60; 20-foot cube; concentration",
    "Fear": "3; wis; 30-foot cone; concentration; frightened",
    "Finger of Death": "7; con 60 half; 7d8+30 necrotic",
    "Fire Bolt": "0; attack 120; 2d10 fire",
    "Fireball": "3; dex 150 half; 8d6 fire, 9d6 fire; 20-foot radius",
    "Flame Strike": "5; dex 60 half; 4d6 fire + 4d6 radiant; 10-foot radius",
    "Guiding Bolt": "1; attack 120; 4d6 radiant, 5d6 radiant",
    "Hideous Laughter": "1; wis 30; concentration; prone; incapacitated",
    "Hold Monster": "5; wis 90; concentration; paralyzed",
    "Hold Person": "2; wis 60; concentration; paralyzed",
    "Hypnotic Pattern": "3; wis 120; 30-foot cube; concentration; charmed; incapacitated",
    "Ice Storm": "4; dex 300 half; 2d8 bludgeoning + 4d6 cold, 3d8 bludgeoning + 4d6 cold; 20-foot radius",
    "Inflict Wounds": "1; attack touch; 3d10 necrotic, 4d10 necrotic",
    "Insect Plague": "5; con 300 half; 4d10 piercing, 5d10 piercing; 20-foot radius; concentration",
    "Lightning Bolt": "3; dex half; 8d6 lightning, 9d6 lightning; 100-foot line, 5 feet wide",
    "Magic Missile": "1; sure 120; 3d4+3 force, 4d4+4 force",
    "Ray of Frost": "0; attack 60; 2d8 cold",
    "Sacred Flame": "0; dex 60; 2d8 radiant",
    "Shocking Grasp": "0; attack touch; 2d8 lightning",
    "Suggestion": "2; wis 30; concentration",
    "Thunderwave": "1; con half; 2d8 thunder, 3d8 thunder; 15-foot cube; pushed 10",
    "Wall of Fire": "4; dex 120 half; 5d8 fire, 6d8 fire; concentration",
}
# The forty of the field that are cast most, of which some do nothing that a figure says.
FORTY = [
    *("acid-arrow", "acid-splash", "banishment", "bless", "blight", "blindness-deafness", "blur", "burning-hands"),
    *("call-lightning", "chain-lightning", "chill-touch", "cloudkill", "command", "cone-of-cold", "confusion"),
    *("counterspell", "cure-wounds", "darkness", "entangle", "faerie-fire", "fear", "finger-of-death", "fire-bolt"),
    *("fire-shield", "fireball", "flame-strike", "fog-cloud", "guiding-bolt", "hold-person", "ice-storm"),
    *("insect-plague", "inflict-wounds", "invisibility", "lightning-bolt", "magic-missile", "ray-of-frost"),
    *("scorching-ray", "shield", "sleep", "wall-of-fire"),
]


def spells() -> dict[str, Spell]:
    return {one.name: one for one in dnd5e().data.spells}


def said(spell: Spell) -> str:
    """Return a spell as it is written above, as a mage of the ninth level casts it."""
    own = spell_feature(spell, MAGE)
    above = spell_feature(spell, MAGE, level=(spell.level or 0) + 1)
    if own.attack is not None:
        assert (own.attack, own.save) == (7, "")
        how = f"attack {own.range or ('touch' if own.reach == 5 else '?')}"
    elif own.save:
        assert own.dc == 15
        how = " ".join(part for part in (own.save, own.range, "half" if own.half else "") if part)
    else:
        how = f"sure {own.range}"
    damage = ", ".join(dict.fromkeys((own.damage, above.damage)))
    ends = [one.condition for one in own.afflictions] + ([f"pushed {own.push}"] if own.push else [])
    parts = [str(spell.level), how, damage, own.area, "concentration" if own.concentration else "", *ends]
    return "; ".join(part for part in parts if part)


def has_figures(spell: Spell) -> bool:
    return bool(spell.attack or spell.save or spell.damage)


@pytest.mark.parametrize("name", FIGURES)
def test_a_spell_with_figures_has_those_of_the_rules(name: str) -> None:
    assert said(spells()[name]) == FIGURES[name]


def test_no_spell_has_figures_that_nobody_looked_up() -> None:
    assert {one.name for one in dnd5e().data.spells if has_figures(one)} == set(FIGURES)


def test_the_forty_that_are_cast_most_are_there_and_a_hundred_in_all() -> None:
    listed = {one.id: one for one in dnd5e().data.spells}
    assert set(FORTY) <= set(listed)
    assert len(listed) >= 100
    assert all(one.level is not None and one.rule() == "dnd5e.external.spellcasting" for one in listed.values())


@pytest.mark.parametrize(("level", "dice"), [(1, "1d10"), (4, "1d10"), (5, "2d10"), (11, "3d10"), (17, "4d10")])
def test_a_cantrip_grows_with_its_caster(level: int, dice: str) -> None:
    assert spell_feature(spells()["Fire Bolt"], Caster(13, 5, level)).damage == f"{dice} fire"


def test_what_hangs_on_an_unknown_number_is_left_out() -> None:
    bolt, ball = spells()["Fire Bolt"], spells()["Fireball"]
    assert spell_feature(bolt, Caster(13, 5)).damage == ""
    assert spell_feature(bolt, Caster(13, 5)).attack is None
    assert (spell_feature(ball, Caster()).save, spell_feature(ball, Caster()).damage) == ("", "")


def test_newer_rules_leave_the_figures_of_a_revised_spell_out() -> None:
    storm, ball = spells()["Ice Storm"], spells()["Fireball"]
    assert spell_feature(storm, MAGE, newer=True).damage == ""
    assert spell_feature(ball, MAGE, newer=True).damage == "8d6 fire"


# Pathfinder: rank; save (a basic one halves); damage at its rank and one above; actions.
RANKS = {
    "Breathe Fire": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Burning Hands": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Chain Lightning": "6; basic dex; 8d12 electricity, 9d12 electricity; 500; 2",
    "Cloudkill": "5; basic con; 6d8 poison, 7d8 poison; 20-foot radius 120; 3",
    "Cone of Cold": "5; basic dex; 12d6 cold, 14d6 cold; 60-foot cone; 2",
    "Fear": "1; wis; success 1, failure 2, critical-failure 3; 30; 2",
    "Fireball": "3; basic dex; 6d6 fire, 8d6 fire; 20-foot radius 500; 2",
    "Flame Strike": "5; basic dex; 8d6 fire, 10d6 fire; 10-foot radius 120; 2",
    "Horrid Wilting": "8; basic con; 10d10 void, 11d10 void; 500; 2",
    "Lightning Bolt": "3; basic dex; 4d12 electricity, 5d12 electricity; 120-foot line; 2",
    "Vampiric Touch": "3; basic con; 6d6 void, 8d6 void; 2",
}


@pytest.mark.parametrize("name", RANKS)
def test_a_spell_of_pathfinder_has_the_figures_of_its_rules(name: str) -> None:
    spell = {one.name: one for one in pf2e().data.spells}[name]
    own, above = (spell_feature(spell, Caster(20, 12), level=(spell.level or 0) + more) for more in (0, 1))
    assert own.dc == 20
    inflicted = ", ".join(f"{one.degree} {one.value}" for one in own.afflictions if one.condition == "frightened")
    damage = f"{own.damage}, {above.damage}" if own.damage else inflicted
    place = " ".join(part for part in (own.area, own.range) if part)
    parts = [str(spell.level), f"{'basic ' if own.half else ''}{own.save}", damage, place, str(own.price)]
    assert "; ".join(part for part in parts if part) == RANKS[name]


def test_no_spell_of_pathfinder_is_there_that_nobody_looked_up() -> None:
    assert {one.name for one in pf2e().data.spells} == set(RANKS)
