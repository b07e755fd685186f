"""The same characters against the same dragon, made from presets, typed into the party's table, and pasted as stat blocks.

The forecast for one way to enter them lies within the range that the panel shows for another.
"""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.forecast.test_calibration import SYSTEMS, WORDS, known_encounter, shipped
from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.roles import CHARACTER_TAG
from turnwright.encounter.state import Encounter
from turnwright.importers.pasted_text.format import read_text
from turnwright.importers.results import ImportedRecord, postprocessed
from turnwright.importers.traits.powers import character_rules
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.party_table import PartyReader, PartyRow
from turnwright.workspace.party_variants import encounter_of

GAME, LEVEL, FOE = "dnd5e", 13, "adult-red-dragon"
FIGHTS = 2000
BODY = """{name}
Medium humanoid, any alignment
Armor Class {ac}
Hit Points {hp}
Speed 30 ft.
STR DEX CON INT WIS CHA
{scores}
Saving Throws {saves}
Challenge 13
{rest}
"""
FIGHTER = """Second Wind (Recharges after a Short or Long Rest). As a bonus action, the fighter can regain 1d10 + 13 hit points.
Action Surge (Recharges after a Short or Long Rest). On its turn, the fighter can take one additional action.
Indomitable (2/Day). The fighter can reroll a saving throw that it fails.
Actions
Multiattack. The fighter makes three longsword attacks.
Longsword. Melee Weapon Attack: +12 to hit, reach 5 ft., one target. Hit: 11 (1d8 + 7) slashing damage.
Handaxe. Ranged Weapon Attack: +12 to hit, range 20/60 ft., one target. Hit: 10 (1d6 + 7) slashing damage."""
CLERIC = """Spellcasting. The cleric is a 13th-level spellcaster. Its spellcasting ability is Wisdom (spell save DC 18, +10 to hit with spell attacks). It has prepared:
Cantrips (at will): sacred flame
1st level (4 slots): guiding bolt, cure wounds
2nd level (3 slots): hold person
3rd level (3 slots): dispel magic
4th level (3 slots): guardian of faith
5th level (2 slots): flame strike
6th level (1 slot): heal
7th level (1 slot): fire storm
Actions
Mace. Melee Weapon Attack: +9 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) bludgeoning damage."""
ROGUE = """Evasion. If it makes a Dexterity saving throw against an effect that deals half damage on a success, it takes no damage on a success and half damage on a failure.
Sneak Attack (1/Turn). The rogue deals an extra 24 (7d6) damage when it hits a target with a weapon attack and has advantage on the attack roll, or when the target is within 5 feet of an ally of the rogue that isn't incapacitated and the rogue doesn't have disadvantage on the attack roll.
Actions
Rapier. Melee Weapon Attack: +12 to hit, reach 5 ft., one target. Hit: 11 (1d8 + 7) piercing damage.
Reactions
Uncanny Dodge. The rogue halves the damage that it takes from an attack that hits it. The rogue must be able to see the attacker."""
WIZARD = """Spellcasting. The wizard is a 13th-level spellcaster. Its spellcasting ability is Intelligence (spell save DC 18, +10 to hit with spell attacks). It has prepared:
Cantrips (at will): ray of frost
1st level (4 slots): burning hands
2nd level (3 slots): shatter
3rd level (3 slots): fireball
4th level (3 slots): ice storm
5th level (2 slots): cone of cold
6th level (1 slot): chain lightning, disintegrate
7th level (1 slot): delayed blast fireball"""
PASTED = (
    ("Fighter", 20, 108, "20 (+5) 14 (+2) 14 (+2) 10 (+0) 10 (+0) 10 (+0)", "Str +10, Con +7", FIGHTER),
    ("Cleric", 20, 94, "14 (+2) 10 (+0) 14 (+2) 10 (+0) 20 (+5) 10 (+0)", "Wis +10, Cha +5", CLERIC),
    ("Rogue", 17, 94, "10 (+0) 20 (+5) 14 (+2) 10 (+0) 14 (+2) 10 (+0)", "Dex +10, Int +5", ROGUE),
    ("Wizard", 15, 80, "10 (+0) 14 (+2) 14 (+2) 20 (+5) 10 (+0) 10 (+0)", "Int +10, Wis +5", WIZARD),
)
TYPED = (
    PartyRow("Aria", classes="fighter 13", ac="20", hp="108", attacks="3x longsword +12 1d8+7 slashing, handaxe"),
    PartyRow(
        "Borin", classes="cleric 13", ac="20", hp="94", attacks="sacred flame, guiding bolt, cure wounds, heal, mace"
    ),
    PartyRow("Cass", classes="rogue 13", ac="17", hp="94", attacks="rapier +12 1d8+7 piercing"),
    PartyRow(
        "Dell", classes="wizard 13", ac="15", hp="80", attacks="ray of frost, cone of cold, disintegrate, fireball"
    ),
)


def against_the_dragon(blocks: tuple[Creature, ...]) -> Encounter:
    roster = tuple(RosterEntry(f"of-{each.id}", each.id, side="party", role="character") for each in blocks)
    foe = shipped(GAME, FOE)
    party = Party("party", "", blocks, roster)
    return Encounter([*encounter_of(party, GAME), foe, RosterEntry("foe", foe.id)])


def typed() -> Encounter:
    rules = SYSTEMS.get(GAME)
    reader = PartyReader(rules, character_rules(rules.data), lambda _name: None, WORDS)
    return against_the_dragon(reader.party(TYPED, "party", "").creatures)


def pasted() -> Encounter:
    blocks = []
    for name, ac, hp, scores, saves, rest in PASTED:
        text = BODY.format(name=name, ac=ac, hp=hp, scores=scores, saves=saves, rest=rest)
        (reading,) = read_text(text, GAME)
        assert reading.creature is not None
        block = postprocessed(ImportedRecord(name, reading.creature, GAME)).record
        assert isinstance(block, Creature)
        blocks.append(structs.replace(block, tags=(CHARACTER_TAG,)))
    return against_the_dragon(tuple(blocks))


def made() -> Encounter:
    return known_encounter(GAME, [LEVEL] * 4, {FOE: 1})


@pytest.mark.parametrize("entered", [typed, pasted])
def test_typed_and_pasted_characters_are_within_the_range_of_usual_ones(entered):
    rules = SYSTEMS.get(GAME)
    tactics = run_forecast(made(), rules, FIGHTS, seed=1, with_tactics=True).outlook.tactics
    won = run_forecast(entered(), rules, FIGHTS, seed=1).outlook.won.value
    assert min(each.won.low for each in tactics) <= won <= max(each.won.high for each in tactics)


def test_pasted_features_of_classes_count():
    """A fighter's surge and second wind, a rerolled save and a halved hit are known by what stat blocks write of them."""
    blocks = {each.name: {one.id: one for one in each.features} for each in pasted().all(Creature)}
    fighter, rogue = blocks["Fighter"], blocks["Rogue"]
    assert (fighter["second-wind"].cost, fighter["second-wind"].heals) == ("bonus", "1d10+13")
    assert (fighter["action-surge"].cost, fighter["action-surge"].does[0].restores) == ("free", "action")
    assert (fighter["indomitable"].trigger, fighter["indomitable"].properties) == ("fails", ("rerolls-save",))
    assert (rogue["uncanny-dodge"].trigger, rogue["uncanny-dodge"].reduces) == ("damage", "half")
