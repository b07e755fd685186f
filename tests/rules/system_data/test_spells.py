"""The spells of the field's 5e in figures: each row that has any, looked up by hand in the rules of 2014."""

from __future__ import annotations

import pytest

from tests.table import a5e, dnd5e, pf2e
from turnwright.encounter.prepared import Feature
from turnwright.rules.parts.actions.spell_features import Caster, spell_feature
from turnwright.rules.system_data.numbers import Spell
from turnwright.ui.forms.data_rule_line import format_data_rules

MAGE = Caster(15, 7, 9, 3)
# name: level; how it is rolled; what it deals at its own level and one level above; range; area; what else
FIGURES = {
    "Acid Arrow": "2; attack 90; 4d4 acid, 5d4 acid",
    "Acid Splash": "0; dex 60; 2d6 acid",
    "Aid": "2; 30; 3 targets; leaves modifier hp-max +5 carries=true (above: modifier hp-max +10 carries=true); for 8 hours",
    "Bane": "1; cha 30; concentration; 3 (above: 4) targets; leaves extra attack dice=-1d4, extra save dice=-1d4; for 1 minute",
    "Banishment": "4; cha 60; concentration",
    "Bless": "1; 30; concentration; 3 (above: 4) targets; leaves extra attack dice=1d4, extra save dice=1d4; for 1 minute",
    "Blight": "4; con 30 half; 8d8 necrotic, 9d8 necrotic",
    "Blindness/Deafness": "2; con 30; blinded until saved",
    "Burning Hands": "1; dex half; 3d6 fire, 4d6 fire; 15-foot cone",
    "Call Lightning": "3; dex 120 half; 3d10 lightning, 4d10 lightning; 5-foot radius; concentration",
    "Chain Lightning": "6; dex 150 half; 10d8 lightning",
    "Charm Person": "1; wis 30; charmed",
    "Chill Touch": "0; attack 120; 2d8 necrotic",
    "Circle of Death": "6; con 150 half; 8d6 necrotic, 10d6 necrotic; 60-foot radius",
    "Cloudkill": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration",
    "Command": "1; wis 60",
    "Cone of Cold": "5; con half; 8d8 cold, 9d8 cold; 60-foot cone",
    "Confusion": "4; wis 90; 10-foot radius; concentration",
    "Cure Wounds": "1; heals; 1d8+3, 2d8+3",
    "Disintegrate": "6; dex 60; 10d6+40 force, 13d6+40 force",
    "Dominate Person": "5; wis 60; concentration; charmed",
    "Eldritch Blast": "0; attack 120; 1d10 force",
    "Entangle": "1; str 90; 20-foot square; concentration; restrained",
    "Faerie Fire": "1; dex 60; 20-foot cube; concentration",
    "False Life": "1; self; temporary 1d4+4 (above: 1d4+9)",
    "Fear": "3; wis; 30-foot cone; concentration; frightened",
    "Finger of Death": "7; con 60 half; 7d8+30 necrotic",
    "Fire Bolt": "0; attack 120; 2d10 fire",
    "Fireball": "3; dex 150 half; 8d6 fire, 9d6 fire; 20-foot radius",
    "Flame Strike": "5; dex 60 half; 4d6 fire + 4d6 radiant; 10-foot radius",
    "Grease": "1; dex 60; 10-foot square; prone",
    "Guiding Bolt": "1; attack 120; 4d6 radiant, 5d6 radiant",
    "Harm": "6; con 60 half; 14d6 necrotic",
    "Heal": "6; heals 60; 70, 80",
    "Healing Word": "1; heals 60; 1d4+3, 2d4+3",
    "Hideous Laughter": "1; wis 30; concentration; prone; incapacitated until saved",
    "Hold Monster": "5; wis 90; concentration; paralyzed until saved",
    "Hold Person": "2; wis 60; concentration; paralyzed until saved",
    "Hypnotic Pattern": "3; wis 120; 30-foot cube; concentration; charmed; incapacitated",
    "Ice Storm": "4; dex 300 half; 2d8 bludgeoning + 4d6 cold, 3d8 bludgeoning + 4d6 cold; 20-foot radius",
    "Incendiary Cloud": "8; dex 150 half; 10d8 fire; 20-foot radius; concentration",
    "Inflict Wounds": "1; attack touch; 3d10 necrotic, 4d10 necrotic",
    "Insect Plague": "5; con 300 half; 4d10 piercing, 5d10 piercing; 20-foot radius; concentration",
    "Lightning Bolt": "3; dex half; 8d6 lightning, 9d6 lightning; 100-foot line, 5 feet wide",
    "Magic Missile": "1; sure 120; 3d4+3 force, 4d4+4 force",
    "Mass Cure Wounds": "5; heals 60; 3d8+3, 4d8+3; 30-foot radius",
    "Mass Healing Word": "3; heals 60; 1d4+3, 2d4+3",
    "Meteor Swarm": "9; dex half; 20d6 fire + 20d6 bludgeoning; 40-foot radius",
    "Moonbeam": "2; con 120 half; 2d10 radiant, 3d10 radiant; 5-foot radius; concentration",
    "Poison Spray": "0; con 10; 2d12 poison",
    "Ray of Frost": "0; attack 60; 2d8 cold",
    "Sacred Flame": "0; dex 60; 2d8 radiant",
    "Scorching Ray": "2; attack 120; 2d6 fire; three rays",
    "Shatter": "2; con 60 half; 3d8 thunder, 4d8 thunder; 10-foot radius",
    "Shield of Faith": "1; 60; concentration; bonus; 1 targets; leaves modifier ac +2; for 10 minutes",
    "Shocking Grasp": "0; attack touch; 2d8 lightning",
    "Spirit Guardians": "3; wis half; 3d8 radiant, 4d8 radiant; 15-foot radius; concentration",
    "Suggestion": "2; wis 30; concentration",
    "Sunbeam": "6; con half; 6d8 radiant; 60-foot line, 5 feet wide; concentration",
    "Sunburst": "8; con 150 half; 12d6 radiant; 60-foot radius; blinded until saved",
    "Thunderwave": "1; con half; 2d8 thunder, 3d8 thunder; 15-foot cube; pushed 10",
    "Vampiric Touch": "3; attack touch; 3d6 necrotic, 4d6 necrotic; concentration",
    "Vicious Mockery": "0; wis 60; 2d4 psychic",
    "Wall of Fire": "4; dex 120 half; 5d8 fire, 6d8 fire; concentration",
    "Web": "2; dex 60; 20-foot cube; concentration; restrained",
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
        how = f"{'heals' if own.heals else 'sure' if own.damage else ''} {own.range}".strip()
    damage = ", ".join(dict.fromkeys((own.damage or own.heals, above.damage or above.heals)))
    ends = [f"{one.condition}{' until saved' if one.ends == 'saved' else ''}" for one in own.afflictions]
    ends += [f"pushed {own.push}"] if own.push else []
    rays = "three rays" if spell.rays == 3 else ""
    parts = [str(spell.level), how, damage, own.area, "concentration" if own.concentration else "", *ends, rays]
    return "; ".join(part for part in (*parts, *said_to_leave(own, above)) if part)


def said_to_leave(own: Feature, above: Feature) -> list[str]:
    """Return what a spell leaves on its targets, and where a level above changes it."""

    def both(one: str, two: str) -> str:
        return one if one == two else f"{one} (above: {two})"

    rules = [format_data_rules(one.effect).replace("; ", ", ") for one in (own, above)]
    temp = f"temporary {both(own.temp, above.temp)}" if own.temp else ""
    targets = f"{both(str(own.targets), str(above.targets))} targets" if own.targets else ""
    lasts = f"for {own.lasts}" if own.lasts else ""
    ends = [f"until {own.until}" if own.until != "never" else "", f"{own.effect_uses} rolls" if own.effect_uses else ""]
    cost = own.cost if own.effect and own.cost != "action" else ""
    return [cost, targets, temp, f"leaves {both(*rules)}" if own.effect else "", lasts, *ends]


def has_figures(spell: Spell) -> bool:
    return bool(spell.attack or spell.save or spell.damage or spell.heals or spell.effect or spell.temp)


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


# Pathfinder: rank; save (a basic one halves); damage at its rank and one above; conditions by degree; area and range; actions.
RANKS = {
    "Abyssal Plague": "5; con; 2",
    "Acid Arrow": "2; attack; 3d8 acid; 120; 2",
    "Aqueous Orb": "3; dex; 60; sustained; 2",
    "Baleful Polymorph": "6; con; 30; 2",
    "Bane": "1; wis; 5-foot emanation; 2",
    "Banishment": "5; wis; 30; 2",
    "Blindness": "3; con; success blinded until its turn starts, failure blinded, critical-failure blinded; 30; 2",
    "Breathe Fire": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Burning Hands": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Calm": "2; wis; 10-foot radius 120; sustained; 2",
    "Calm Emotions": "2; wis; 10-foot radius 120; sustained; 2",
    "Chain Lightning": "6; basic dex; 8d12 electricity, 9d12 electricity; 500; 2",
    "Charm": "1; wis; failure friendly, critical-failure helpful; 30; 2",
    "Chilling Darkness": "3; attack; 5d6 cold, 7d6 cold; 120; 2",
    "Cloudkill": "5; basic con; 6d8 poison, 7d8 poison; 20-foot radius 120; 3",
    "Color Spray": "1; wis; success dazzled until its turn ends, failure stunned 1, failure blinded until its turn ends, failure dazzled, critical-failure stunned 1, critical-failure blinded; 15-foot cone; 2",
    "Command": "1; wis; 30; 2",
    "Cone of Cold": "5; basic dex; 12d6 cold, 14d6 cold; 60-foot cone; 2",
    "Confusion": "4; wis; success stunned 1, failure confused, critical-failure confused; 30; 2",
    "Crushing Despair": "5; wis; 30-foot cone; 2",
    "Cry of Destruction": "1; basic con; 1d8 sonic, 2d8 sonic; 15-foot cone; 2",
    "Cursed Metamorphosis": "6; con; 30; 2",
    "Daze": "1; basic wis; 1d6 mental; 60; 2",
    "Divine Decree": "7; basic con; 7d10 spirit, 8d10 spirit; failure enfeebled 2, critical-failure enfeebled 2; 40-foot emanation; 2",
    "Divine Lance": "1; attack; 2d4 spirit, 3d4 spirit; 60; 2",
    "Divine Wrath": "4; basic con; 4d10 spirit, 5d10 spirit; failure sickened 1, critical-failure sickened 2; 20-foot radius 120; 2",
    "Dominate": "6; wis; success stunned 1, failure controlled, critical-failure controlled; 30; 2",
    "Earthbind": "3; con; 120; 2",
    "Electric Arc": "1; basic dex; 2d4 electricity, 3d4 electricity; 30; 2",
    "Enervation": "4; con; 30-foot line; 2",
    "Entangle": "2; dex; critical-failure immobilized until its turn ends; 20-foot radius 120; 2",
    "Execute": "7; basic con; 70 void, 80 void; 30; 2",
    "Fear": "1; wis; success frightened 1, failure frightened 2, critical-failure frightened 3; 30; 2",
    "Feeblemind": "6; wis; success stupefied 2 until its turn ends, failure stupefied 4, critical-failure stupefied 4; 30; 2",
    "Finger of Death": "7; basic con; 70 void, 80 void; 30; 2",
    "Fireball": "3; basic dex; 6d6 fire, 8d6 fire; 20-foot radius 500; 2",
    "Flame Strike": "5; basic dex; 8d6 fire, 10d6 fire; 10-foot radius 120; 2",
    "Flaming Sphere": "2; basic dex; 3d6 fire, 4d6 fire; 30; sustained; 2",
    "Flesh to Stone": "6; con; success slowed 1 until its turn ends, failure slowed 1, critical-failure slowed 2; 120; 2",
    "Force Barrage": "1; 3d4+3 force; 120; 3",
    "Frostbite": "1; basic con; 2d4 cold, 3d4 cold; 60; 2",
    "Glitterdust": "2; dex; failure dazzled, critical-failure blinded until its turn ends, critical-failure dazzled; 10-foot radius 120; 2",
    "Grease": "1; dex; prone; 10-foot square 30; 2",
    "Grim Tendrils": "1; basic con; 2d4 void, 4d4 void; 30-foot line; 2",
    "Gust of Wind": "1; con; 60-foot line; 2",
    "Harm": "1; basic con; 1d8 void, 2d8 void; 30; 2",
    "Heal": "1; heals; 1d8+8, 2d8+16; 30; 2",
    "Hideous Laughter": "2; wis; failure slowed 1, critical-failure prone, critical-failure slowed 1; 30; sustained; 2",
    "Holy Light": "3; attack; 5d6 fire, 7d6 fire; 120; 2",
    "Horrid Wilting": "8; basic con; 10d10 void, 11d10 void; 500; 2",
    "Howling Blizzard": "5; basic dex; 10d6 cold, 12d6 cold; 60-foot cone; 2",
    "Hydraulic Push": "1; attack; 3d6 bludgeoning, 5d6 bludgeoning; 60; 2",
    "Hydraulic Torrent": "4; basic con; 8d6 bludgeoning, 10d6 bludgeoning; 60-foot line; 2",
    "Hypnotic Pattern": "3; wis; fascinated; 10-foot radius 120; sustained; 2",
    "Ignition": "1; attack; 2d4 fire, 3d4 fire; 30; 2",
    "Lay on Hands": "1; heals; 6, 12; 1",
    "Lightning Bolt": "3; basic dex; 4d12 electricity, 5d12 electricity; 120-foot line; 2",
    "Magic Missile": "1; 3d4+3 force; 120; 3",
    "Mask of Terror": "7; wis; 30; 2",
    "Mind Reading": "3; wis; 30; 2",
    "Paralyze": "3; wis; success stunned 1, failure paralyzed until its turn ends, critical-failure paralyzed; 30; 2",
    "Paranoia": "2; wis; 30; 2",
    "Petrify": "6; con; success slowed 1 until its turn ends, failure slowed 1, critical-failure slowed 2; 120; 2",
    "Phantasmal Calamity": "6; basic wis; 11d6 mental, 13d6 mental; 30-foot radius 500; 2",
    "Phantasmal Killer": "4; wis; 120; 2",
    "Phantom Pain": "1; wis; 30; 2",
    "Ray of Frost": "1; attack; 2d4 cold, 3d4 cold; 120; 2",
    "Revealing Light": "2; dex; 10-foot radius 120; 2",
    "Ring of Truth": "3; wis; 20-foot radius 30; 2",
    "Searing Light": "3; attack; 5d6 fire, 7d6 fire; 120; 2",
    "Sleep": "1; wis; failure unconscious, critical-failure unconscious; 5-foot radius 30; 2",
    "Slow": "3; con; success slowed 1 until its turn ends, failure slowed 1, critical-failure slowed 2; 30; 2",
    "Soothe": "1; heals; 1d10+4, 2d10+8; 30; 2",
    "Sound Burst": "2; basic con; 2d10 sonic, 3d10 sonic; failure deafened until its turn ends, critical-failure deafened, critical-failure stunned 1; 10-foot radius 30; 2",
    "Spirit Blast": "6; basic con; 16d6 spirit, 18d6 spirit; 30; 2",
    "Stinking Cloud": "3; con; failure sickened 1, critical-failure sickened 1, critical-failure slowed 1; 20-foot radius 120; 2",
    "Stupefy": "2; wis; success stupefied 1 until its turn ends, failure stupefied 2, critical-failure stupefied 3; 2",
    "Suggestion": "4; wis; 30; 2",
    "Sunburst": "7; basic dex; 8d10 fire, 9d10 fire; 60-foot radius 500; 2",
    "Telekinetic Projectile": "1; attack; 2d6 bludgeoning, 3d6 bludgeoning; 30; 2",
    "Touch of Idiocy": "2; wis; failure stupefied 2, critical-failure stupefied 4; 2",
    "Vampiric Exsanguination": "6; basic con; 12d6 void, 14d6 void; 30-foot cone; 2",
    "Vampiric Touch": "3; basic con; 6d6 void, 8d6 void; 2",
    "Warp Mind": "7; wis; confused; 120; 2",
    "Wave of Despair": "5; wis; 30-foot cone; 2",
    "Zone of Truth": "3; wis; 20-foot radius 30; 2",
}


def ranked(spell: Spell) -> str:
    own, above = (spell_feature(spell, Caster(20, 12), level=(spell.level or 0) + more) for more in (0, 1))
    assert own.dc == 20 or not own.save
    amounts = ", ".join(dict.fromkeys((own.damage or own.heals, above.damage or above.heals)))
    inflicted = ", ".join(
        " ".join(str(part) for part in (one.degree, one.condition, one.value, _ENDS.get(one.ends)) if part)
        for one in own.afflictions
    )
    place = " ".join(part for part in (own.area, own.range) if part)
    how = f"{'basic ' if own.half else ''}{own.save}" if own.save else "attack" if own.attack else ""
    heals = "heals" if own.heals else ""
    parts = [str(spell.level), how, heals, amounts, inflicted, place, "sustained" if own.concentration else ""]
    return "; ".join(part for part in (*parts, str(own.price)) if part)


_ENDS = {"turn-end": "until its turn ends", "turn-start": "until its turn starts"}


@pytest.mark.parametrize("name", RANKS)
def test_a_spell_of_pathfinder_has_the_figures_of_its_rules(name: str) -> None:
    assert ranked({one.name: one for one in pf2e().data.spells}[name]) == RANKS[name]


def test_no_spell_of_pathfinder_has_figures_that_nobody_looked_up() -> None:
    assert {one.name for one in pf2e().data.spells if has_figures(one)} == set(RANKS)


# A5E has figures of its own: smaller balls of fire, guardians nearer by.
ADVANCED = {
    "Animal Friendship": "1; wis 30",
    "Blight": "4; con 30 half; 8d8 necrotic, 9d8 necrotic",
    "Calm Emotions": "2; cha 60; 20-foot radius; concentration",
    "Charm Person": "1; wis 30; charmed",
    "Cloudkill": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration",
    "Command": "1; wis 60",
    "Cone of Cold": "5; con half; 8d8 cold, 9d8 cold; 60-foot cone",
    "Confusion": "4; wis 120; 10-foot radius; concentration; confused until saved",
    "Dominate Beast": "4; wis 60; concentration; charmed",
    "Faerie Fire": "1; dex 60; 20-foot cube; concentration",
    "Fire Bolt": "0; attack 120; 2d10 fire",
    "Fireball": "3; dex 120 half; 6d6 fire, 7d6 fire; 20-foot radius",
    "Hold Person": "2; wis 60; concentration; paralyzed until saved",
    "Hypnotic Pattern": "3; wis 120; 20-foot cube; concentration; charmed; incapacitated",
    "Irresistible Dance": "6; wis 30; concentration",
    "Mass Suggestion": "6; wis 60",
    "Modify Memory": "5; wis 30; concentration",
    "Polymorph": "4; wis 60; concentration",
    "Spirit Guardians": "3; wis half; 3d6 radiant, 4d6 radiant; 10-foot radius; concentration",
    "Suggestion": "2; wis 30; concentration",
    "Web": "2; dex 60; 20-foot cube; concentration; restrained",
}


def test_the_spells_of_a5e_have_its_own_figures() -> None:
    listed = [one for one in a5e().data.spells if one.level is not None]
    assert {one.name: said(one) for one in listed if has_figures(one)} == ADVANCED
    assert len(listed) > 80
