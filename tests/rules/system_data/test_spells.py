"""The spells of the field's 5e in figures: each row that has any, looked up by hand in the rules of 2014."""

from __future__ import annotations

import pytest

from tests.table import a5e, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, InflictedCondition, LeftFeature
from turnwright.rules.parts.actions.spell_features import (
    Caster,
    around,
    first_save,
    is_standing,
    pool_of,
    spell_feature,
    version_of,
)
from turnwright.rules.system_data.numbers import Spell, SpellChoice, SpellDegree
from turnwright.ui.forms.data_rule_line import format_data_rules

MAGE = Caster(15, 7, 9, 3)
# name: level; how it is rolled; what it deals at its own level and one level above; range; area; what else
FIGURES = {
    "Acid Arrow": "2; attack 90; 4d4 acid, 5d4 acid; for 1 round; damage 2d4 acid at turn-end",
    "Acid Splash": "0; dex 60; 2d6 acid",
    "Acid Splash (2024)": "0; dex 60; 2d6 acid; 5-foot radius",
    "Aid": "2; 30; 3 targets; leaves modifier hp-max +5 carries=true (above: modifier hp-max +10 carries=true); for 8 hours",
    "Alarm": "1; 30; for 8 hours",
    "Alter Self": "2; self; concentration; for 1 hour; aquatic adaptation: modifier speed.swim; changed appearance: ; natural weapons: modifier attack +1 when unarmed, extra damage dice=1d6 when unarmed",
    "Animal Friendship": "1; wis 30; charmed until harmed for 24 hours; 1 (above: 2) targets; when target.type:beast",
    "Animal Friendship (2024)": "1; wis 30; charmed until harmed for 24 hours; 1 (above: 2) targets; when target.type:beast",
    "Animal Messenger": "2; 30; 1 targets; for 24 hours; when target.type:beast, target.up-to:tiny",
    "Animal Shapes": "8; 30; concentration; polymorphed for 24 hours; for 24 hours",
    "Animate Objects": "5; 120; concentration; for 1 minute",
    "Antilife Shell": "5; 10-foot radius; concentration; stands for 1 hour",
    "Antimagic Field": "8; 10-foot radius; concentration; leaves deny spells +10; for 1 hour; stands for 1 hour; ground carried inside",
    "Antipathy/Sympathy": "8; 60; for 10 days",
    "Arcane Eye": "4; concentration; for 1 hour",
    "Arcane Hand": "5; attack 120; 4d8 force, 6d8 force; concentration; again for bonus, 1 minute",
    "Arcane Hand (2024)": "5; attack 120; 5d8 force, 7d8 force; concentration; again for bonus, 1 minute",
    "Arcane Sword": "7; attack 60; 3d10 force; concentration; again for bonus, 1 minute",
    "Arcane Sword (2024)": "7; attack 90; 4d12+3 force; concentration; again for bonus, 1 minute",
    "Arcanist's Magic Aura": "2; 1 targets; for 24 hours",
    "Aura of Life": "4; 30-foot emanation; concentration; leaves damage necrotic x1/2; for 10 minutes",
    "Bane": "1; cha 30; concentration; 3 (above: 4) targets; leaves extra attack dice=-1d4, extra save dice=-1d4; for 1 minute",
    "Banishment": "4; cha 60; concentration; incapacitated for 1 minute; 1 (above: 2) targets; leaves deny being-targeted; for 1 minute",
    "Barkskin": "2; concentration; 1 targets; leaves modifier ac least=16; for 1 hour",
    "Barkskin (2024)": "2; bonus; 1 targets; leaves modifier ac least=17; for 1 hour",
    "Beacon of Hope": "3; 30; concentration; leaves advantage save.wis, advantage save when death; for 1 minute",
    "Befuddlement": "8; int 150 half; 10d12 psychic; 1 targets",
    "Bestow Curse": "3; wis; concentration; 1 targets; for 1 minute; disadvantage: Strength: disadvantage check.str, disadvantage save.str; disadvantage: Dexterity: disadvantage check.dex, disadvantage save.dex; disadvantage: Constitution: disadvantage check.con, disadvantage save.con; disadvantage: Intelligence: disadvantage check.int, disadvantage save.int; disadvantage: Wisdom: disadvantage check.wis, disadvantage save.wis; disadvantage: Charisma: disadvantage check.cha, disadvantage save.cha; disadvantage against the caster: disadvantage attack when target.is-source; lost actions:  at turn-start; necrotic damage: extra damage-against dice='1d8 necrotic' when attacker.is-source",
    "Black Tentacles": "4; dex 90; 3d6 bludgeoning; 20-foot square; concentration; restrained; stands for 1 minute; later dex: damage 3d6 bludgeoning, restrained at other-starts enters first; ground difficult",
    "Black Tentacles (2024)": "4; str 90; 3d6 bludgeoning; 20-foot square; concentration; restrained; stands for 1 minute; later str: damage 3d6 bludgeoning, restrained at other-ends enters once; ground difficult",
    "Blade Barrier": "6; dex 90 half; 6d10 slashing; concentration; stands for 10 minutes; later dex half: damage 6d10 slashing at other-starts enters first",
    "Blade Barrier (2024)": "6; dex 90 half; 6d10 force; concentration; stands for 10 minutes; later dex half: damage 6d10 force at other-ends enters once",
    "Bless": "1; 30; concentration; 3 (above: 4) targets; leaves extra attack dice=1d4, extra save dice=1d4; for 1 minute",
    "Blight": "4; con 30 half; 8d8 necrotic, 9d8 necrotic; when not target.type:undead, not target.type:construct; most type:plant; saves with disadvantage save when type:plant",
    "Blindness/Deafness": "2; con 30; blinded until saved for 1 minute; 1 (above: 2) targets; blinded: blinded until saved for 1 minute; deafened: deafened until saved for 1 minute",
    "Blindness/Deafness (2024)": "2; con 120; blinded until saved for 1 minute; 1 (above: 2) targets; blinded: blinded until saved for 1 minute; deafened: deafened until saved for 1 minute",
    "Blink": "3; self; for 1 minute",
    "Blur": "2; self; concentration; leaves disadvantage attack-against; for 1 minute",
    "Branding Smite": "2; self; concentration; bonus; leaves extra damage dice='2d6 radiant' when weapon (above: extra damage dice='3d6 radiant' when weapon); for 1 minute; 1 rolls",
    "Burning Hands": "1; dex half; 3d6 fire, 4d6 fire; 15-foot cone",
    "Call Lightning": "3; dex 120 half; 3d10 lightning, 4d10 lightning; 5-foot radius; concentration; again for action, 10 minutes",
    "Calm Emotions": "2; cha 60; 20-foot radius; concentration; leaves deny charmed, deny frightened; for 1 minute; ends all of charmed, frightened",
    "Chain Lightning": "6; dex 150 half; 10d8 lightning; 4 (above: 5) targets",
    "Charm Monster": "4; wis 30; charmed until harmed for 1 hour; 1 (above: 2) targets; saves with advantage save when other.hostile",
    "Charm Person": "1; wis 30; charmed until harmed for 1 hour; 1 (above: 2) targets; when target.type:humanoid; saves with advantage save when other.hostile",
    "Chill Touch": "0; attack 120; 2d8 necrotic; leaves deny healing, disadvantage attack when type:undead, target.is-source; until owner-start",
    "Chill Touch (2024)": "0; attack touch; 2d10 necrotic",
    "Chromatic Orb": "1; attack 90; 3d8 acid, 4d8 acid; acid: 3d8 acid; cold: 3d8 cold; fire: 3d8 fire; lightning: 3d8 lightning; poison: 3d8 poison; thunder: 3d8 thunder",
    "Circle of Death": "6; con 150 half; 8d6 necrotic, 10d6 necrotic; 60-foot radius",
    "Circle of Death (2024)": "6; con 150 half; 8d8 necrotic, 10d8 necrotic; 60-foot radius",
    "Clairvoyance": "3; concentration; for 10 minutes",
    "Cloudkill": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration; stands for 10 minutes; later con half: damage 5d8 poison at other-starts enters first; ground heavily obscured",
    "Cloudkill (2024)": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration; stands for 10 minutes; later con half: damage 5d8 poison at other-ends enters once; ground heavily obscured",
    "Color Spray": "1; 15-foot cone; blinded for 1 round if not blinded, not unconscious; pool 6d10, 8d10",
    "Color Spray (2024)": "1; con; 15-foot cone; blinded until owner-end",
    "Command": "1; wis 60; 1 (above: 2) targets; for 1 round; until turn-end; approach: ; drop: deny action, deny bonus, modifier speed =0; flee: ; grovel: deny action, deny bonus, modifier speed =0, prone at turn-start; halt: deny action, deny bonus, modifier speed =0; other: ; when not target.type:undead",
    "Command (2024)": "1; wis 60; 1 (above: 2) targets; for 1 round; until turn-end; approach: ; drop: deny action, deny bonus, modifier speed =0; flee: ; grovel: deny action, deny bonus, modifier speed =0, prone at turn-start; halt: deny action, deny bonus, modifier speed =0",
    "Commune": "5; self; for 1 minute",
    "Comprehend Languages": "1; self; for 1 hour",
    "Compulsion": "4; wis 30; concentration; for 1 minute",
    "Cone of Cold": "5; con half; 8d8 cold, 9d8 cold; 60-foot cone",
    "Confusion": "4; wis 90; 10-foot radius; concentration; leaves deny reaction; for 1 minute; until saved",
    "Conjure Animals": "3; 60; concentration; for 1 hour",
    "Conjure Animals (2024)": "3; dex 60; 3d10 slashing, 4d10 slashing; concentration; stands for 10 minutes; later dex: damage 3d10 slashing at other-ends",
    "Conjure Celestial": "7; 90; concentration; for 1 hour",
    "Conjure Elemental": "5; 90; concentration; for 1 hour",
    "Conjure Elemental (2024)": "5; dex 60; 8d8 lightning, 9d8 lightning; concentration; restrained; air: 8d8 lightning, restrained; earth: 8d8 thunder, restrained; fire: 8d8 fire, restrained; water: 8d8 cold, restrained; stands for 10 minutes; later dex: damage 8d8 lightning, restrained at other-starts",
    "Conjure Fey": "6; 90; concentration; for 1 hour",
    "Conjure Fey (2024)": "6; attack 60; 3d12+3 psychic, 4d12+3 psychic; concentration; frightened until owner-start; again for bonus, 10 minutes",
    "Conjure Minor Elementals": "4; 90; concentration; for 1 hour",
    "Conjure Minor Elementals (2024)": "4; self; concentration; leaves extra damage dice=2d8 when target.within:15 (above: extra damage dice=3d8 when target.within:15); for 10 minutes",
    "Conjure Woodland Beings": "4; 60; concentration; for 1 hour",
    "Conjure Woodland Beings (2024)": "4; wis half; 5d8 force, 6d8 force; 10-foot emanation; concentration; stands for 10 minutes; later wis half: damage 5d8 force at other-ends enters once if target.hostile within 10; ground carried",
    "Contact Other Plane": "5; self; for 1 minute",
    "Contagion": "5; attack touch; for 7 days; until saved; blinding sickness: disadvantage check.wis, disadvantage save.wis, blinded until saved; filth fever: disadvantage check.str, disadvantage save.str; flesh rot: disadvantage check.cha, disadvantage save.cha, damage all x2; mindfire: disadvantage check.int, disadvantage save.int; seizure: disadvantage check.dex, disadvantage save.dex; slimy doom: disadvantage check.con, disadvantage save.con; saves later",
    "Contagion (2024)": "5; con; 11d8 necrotic; 1 targets; for 7 days; until saved; Strength: disadvantage save.str, poisoned until saved for 7 days; Dexterity: disadvantage save.dex, poisoned until saved for 7 days; Constitution: disadvantage save.con, poisoned until saved for 7 days; Intelligence: disadvantage save.int, poisoned until saved for 7 days; Wisdom: disadvantage save.wis, poisoned until saved for 7 days; Charisma: disadvantage save.cha, poisoned until saved for 7 days",
    "Contingency": "6; self; for 10 days",
    "Control Water": "4; 300; 100-foot cube; concentration; flood: ; parted water: ; changed flow: ; whirlpool: str, 2d8 bludgeoning, damage 2d8 bludgeoning at other-starts; again for action, 10 minutes; ground",
    "Control Weather": "8; self; concentration; for 8 hours",
    "Counterspell (2024)": "3; con 60",
    "Cure Wounds": "1; heals; 1d8+3, 2d8+3; when not target.type:undead, not target.type:construct",
    "Cure Wounds (2024)": "1; heals; 2d8+3, 4d8+3",
    "Dancing Lights": "0; 120; concentration; for 1 minute",
    "Darkness": "2; 60; 15-foot radius; concentration; leaves deny sight, deny being-seen; for 10 minutes; stands for 10 minutes; ground heavily obscured",
    "Darkvision": "2; 1 targets; leaves senses dark; for 8 hours",
    "Daylight": "3; 60; 60-foot radius; stands for 1 hour; ground bright",
    "Death Ward": "4; 1 targets; leaves at-zero stays =1; for 8 hours; 1 rolls",
    "Delayed Blast Fireball": "7; dex 150 half; 12d6 fire, 13d6 fire; 20-foot radius; concentration; stands for 1 minute",
    "Demiplane": "8; 60; for 1 hour",
    "Detect Evil and Good": "1; self; concentration; for 10 minutes",
    "Detect Evil and Good (2024)": "1; self; concentration; for 10 minutes",
    "Detect Magic": "1; self; concentration; for 10 minutes",
    "Detect Magic (2024)": "1; self; concentration; for 10 minutes",
    "Detect Poison and Disease": "1; self; concentration; for 10 minutes",
    "Detect Thoughts": "2; wis 30; concentration; again for action, 1 minute",
    "Dimension Door": "4; 500; teleport 500",
    "Disguise Self": "1; self; for 1 hour",
    "Disintegrate": "6; dex 60; 10d6+40 force, 13d6+40 force",
    "Dispel Evil and Good": "5; self; concentration; leaves disadvantage attack-against when attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead; for 1 minute",
    "Dissonant Whispers": "1; wis 60 half; 3d6 psychic, 4d6 psychic; 1 targets",
    "Divine Favor": "1; self; concentration; bonus; leaves extra damage dice='1d4 radiant' when weapon; for 1 minute",
    "Divine Favor (2024)": "1; self; bonus; leaves extra damage dice='1d4 radiant' when weapon; for 1 minute",
    "Divine Smite": "1; 1 targets; fiend or undead: 3d8 radiant; another creature: 2d8 radiant",
    "Divine Word": "7; cha 30; deafened for 1 minute if hp:50, not hp:40; blinded for 10 minutes if hp:40, not hp:30; deafened for 10 minutes if hp:40, not hp:30; stunned for 1 hour if hp:30, not hp:20; blinded for 1 hour if hp:30, not hp:20; deafened for 1 hour if hp:30, not hp:20",
    "Dominate Beast": "4; wis 60; concentration; charmed until hurt-save for 1 minute; 1 targets; when target.type:beast; saves with advantage save when other.hostile",
    "Dominate Monster": "8; wis 60; concentration; charmed until hurt-save for 1 hour; 1 targets; saves with advantage save when other.hostile",
    "Dominate Person": "5; wis 60; concentration; charmed until hurt-save for 1 minute; 1 targets; when target.type:humanoid; saves with advantage save when other.hostile",
    "Dragon's Breath": "2; dex half; 3d6 acid, 4d6 acid; 15-foot cone; concentration; acid: 3d6 acid; cold: 3d6 cold; fire: 3d6 fire; lightning: 3d6 lightning; poison: 3d6 poison; again for action, 1 minute",
    "Dream": "5; for 8 hours",
    "Earthquake": "8; dex 500; 100-foot radius; concentration; prone; again for free, 1 minute; ground difficult",
    "Earthquake (2024)": "8; dex 500; 100-foot radius; concentration; prone; again for free, 1 minute; ground difficult",
    "Eldritch Blast": "0; attack 120; 1d10 force",
    "Enhance Ability": "2; concentration; 1 (above: 2) targets; for 1 hour; bear's endurance: advantage check.con, temporary 2d6; bull's strength: advantage check.str; cat's grace: advantage check.dex; eagle's splendor: advantage check.cha; fox's cunning: advantage check.int; owl's wisdom: advantage check.wis",
    "Enhance Ability (2024)": "2; concentration; 1 (above: 2) targets; for 1 hour; Strength: advantage check.str; Dexterity: advantage check.dex; Intelligence: advantage check.int; Wisdom: advantage check.wis; Charisma: advantage check.cha",
    "Enlarge/Reduce": "2; con 30; concentration; 1 targets; for 1 minute; enlarge: modifier size +1, advantage check.str, advantage save.str, extra damage dice=1d4 when weapon; reduce: modifier size -1, disadvantage check.str, disadvantage save.str, extra damage dice=-1d4 when weapon",
    "Ensnaring Strike": "1; str; concentration; restrained for 1 minute; 1 targets; for 1 minute; damage 1d6 piercing at turn-start if restrained; saves with advantage save when not up-to:medium",
    "Entangle": "1; str 90; 20-foot square; concentration; restrained for 1 minute; stands for 1 minute; ground difficult for 1 minute",
    "Enthrall": "2; wis 60; leaves disadvantage check.wis:perception; for 1 minute; when not target.immune:charmed",
    "Etherealness": "7; self; leaves deny being-targeted, deny targeting; for 8 hours",
    "Expeditious Retreat": "1; self; concentration; again for bonus, 10 minutes",
    "Eyebite": "6; wis 60; concentration; 1 targets; asleep: unconscious until hurt for 1 minute; panicked: frightened for 1 minute; sickened: disadvantage attack, disadvantage check; again for action, 1 minute",
    "Faerie Fire": "1; dex 60; 20-foot cube; concentration; leaves advantage attack-against when attacker.sees, deny invisible; for 1 minute",
    "Faithful Hound": "4; attack 30; 4d8 piercing; again for free, 8 hours",
    "False Life": "1; self; temporary 1d4+4 (above: 1d4+9); for 1 hour",
    "False Life (2024)": "1; self; temporary 2d4+4 (above: 2d4+9)",
    "Fear": "3; wis; 30-foot cone; concentration; frightened until saved-unseen for 1 minute",
    "Feather Fall": "1; 60; 5 targets; for 1 minute; slows falls",
    "Feeblemind": "8; int 150; 4d6 psychic; 1 targets; leaves modifier ability.int =1, modifier ability.cha =1",
    "Find the Path": "6; self; concentration; for 24 hours",
    "Finger of Death": "7; con 60 half; 7d8+30 necrotic",
    "Fire Bolt": "0; attack 120; 2d10 fire",
    "Fire Shield": "4; self; for 10 minutes; warm: damage cold x1/2, damage 2d8 fire at hit if melee, attacker.within:5; chill: damage fire x1/2, damage 2d8 cold at hit if melee, attacker.within:5",
    "Fire Storm": "7; dex 150 half; 7d10 fire",
    "Fireball": "3; dex 150 half; 8d6 fire, 9d6 fire; 20-foot radius",
    "Flame Blade": "2; attack touch; 3d6 fire, 4d6 fire; concentration; again for action, 10 minutes",
    "Flame Blade (2024)": "2; attack touch; 3d6+3 fire, 4d6+3 fire; concentration; again for action, 10 minutes",
    "Flame Strike": "5; dex 60 half; 4d6 fire + 4d6 radiant, 5d6 fire + 4d6 radiant; 10-foot radius",
    "Flame Strike (2024)": "5; dex 60 half; 5d6 fire + 5d6 radiant, 6d6 fire + 6d6 radiant; 10-foot radius",
    "Flaming Sphere": "2; dex 60 half; 2d6 fire, 3d6 fire; concentration; again for bonus, 1 minute; later dex half: damage 2d6 fire at other-ends",
    "Flesh to Stone": "6; con 60; concentration; restrained until saved for 1 minute; 1 targets",
    "Flesh to Stone (2024)": "6; con 60; concentration; restrained until saved for 1 minute; 1 targets; when not target.type:construct",
    "Floating Disk": "1; 30; for 1 hour",
    "Fly": "3; concentration; 1 (above: 2) targets; leaves modifier speed.fly =60; for 10 minutes",
    "Fog Cloud": "1; 120; 20-foot radius; concentration; leaves deny sight, deny being-seen; for 1 hour; stands for 1 hour; ground heavily obscured",
    "Fog Cloud (2024)": "1; 120; 20-foot radius; concentration; leaves deny sight, deny being-seen; for 1 hour; stands for 1 hour; ground heavily obscured",
    "Forbiddance": "6; for 24 hours",
    "Forcecage": "7; 100; for 1 hour",
    "Foresight": "9; 1 targets; leaves advantage d20, disadvantage attack-against; for 8 hours",
    "Freedom of Movement": "4; 1 targets; leaves terrain difficult, deny slowing, deny paralyzed when magic, deny restrained when magic; for 1 hour;  at turn-start",
    "Freedom of Movement (2024)": "4; 1 (above: 2) targets; leaves terrain difficult, deny slowing, deny paralyzed when magic, deny restrained when magic, modifier speed.swim; for 1 hour;  at turn-start",
    "Freezing Sphere": "6; con 300 half; 10d6 cold, 11d6 cold; 60-foot radius",
    "Gaseous Form": "3; concentration; 1 targets; leaves deny targeting, deny casting, modifier speed.walk =0, modifier speed.fly =10, damage bludgeoning x1/2 when mundane, damage piercing x1/2 when mundane, damage slashing x1/2 when mundane, advantage save.str, advantage save.dex, advantage save.con, duration lost when down; for 1 hour",
    "Gaseous Form (2024)": "3; concentration; 1 targets; leaves deny targeting, deny casting, modifier speed.walk =0, modifier speed.fly =10, damage bludgeoning x1/2, damage piercing x1/2, damage slashing x1/2, advantage save.str, advantage save.dex, advantage save.con, duration lost when down; for 1 hour",
    "Gate": "9; 60; concentration; for 1 minute",
    "Geas": "5; wis 60; charmed for 30 days; 1 targets",
    "Gentle Repose": "2; 1 targets; for 10 days",
    "Giant Insect": "4; 30; concentration; for 10 minutes",
    "Giant Insect (2024)": "4; 60; concentration; for 10 minutes",
    "Glibness": "8; self; leaves reroll check.cha least=15; for 1 hour",
    "Globe of Invulnerability": "6; 10-foot radius; concentration; leaves deny spells +5 (above: deny spells +6); for 1 minute; stands for 1 minute; ground inside",
    "Goodberry": "1; heals; 1; again for action, 24 hours",
    "Goodberry (2024)": "1; heals; 1; again for bonus, 24 hours",
    "Grease": "1; dex 60; 10-foot square; prone; stands for 1 minute; later dex: prone at other-ends enters first; ground difficult",
    "Greater Invisibility": "4; concentration; invisible for 1 minute; 1 targets",
    "Greater Restoration": "5; 1 targets; ends one of charmed, petrified, exhaustion, life-drained, cursed",
    "Guardian of Faith": "4; dex 30 half; 20 radiant; 10-foot radius; stands for 8 hours; later dex half: damage 20 radiant at other-starts enters first if target.hostile; ground; ends after 60",
    "Guards and Wards": "6; for 24 hours",
    "Guidance": "0; concentration; 1 targets; leaves extra check dice=1d4; for 1 minute; 1 rolls",
    "Guidance (2024)": "0; concentration; 1 targets; for 1 minute; Acrobatics: extra check.dex:acrobatics dice=1d4; Animal Handling: extra check.wis:animal-handling dice=1d4; Arcana: extra check.int:arcana dice=1d4; Athletics: extra check.str:athletics dice=1d4; Deception: extra check.cha:deception dice=1d4; History: extra check.int:history dice=1d4; Insight: extra check.wis:insight dice=1d4; Intimidation: extra check.cha:intimidation dice=1d4; Investigation: extra check.int:investigation dice=1d4; Medicine: extra check.wis:medicine dice=1d4; Nature: extra check.int:nature dice=1d4; Perception: extra check.wis:perception dice=1d4; Performance: extra check.cha:performance dice=1d4; Persuasion: extra check.cha:persuasion dice=1d4; Religion: extra check.int:religion dice=1d4; Sleight of Hand: extra check.dex:sleight-of-hand dice=1d4; Stealth: extra check.dex:stealth dice=1d4; Survival: extra check.wis:survival dice=1d4",
    "Guiding Bolt": "1; attack 120; 4d6 radiant, 5d6 radiant; leaves advantage attack-against; until owner-end; 1 rolls",
    "Gust of Wind": "2; str; 60-foot line, 10 feet wide; concentration; pushed 15; stands for 1 minute; later str:  at other-starts enters first; ground",
    "Hallow": "5; cha",
    "Hallucinatory Terrain": "4; 300; 150-foot cube; stands for 24 hours",
    "Harm": "6; con 60 half; 14d6 necrotic; 1 targets",
    "Harm (2024)": "6; con 60 half; 14d6 necrotic; 1 targets",
    "Haste": "3; 30; concentration; 1 targets; leaves modifier ac +2, advantage save.dex, modifier speed x2, resource action +1; for 1 minute; then lethargic",
    "Heal": "6; heals 60; 70, 80; 1 targets; when not target.type:undead, not target.type:construct; ends all of blinded, deafened",
    "Heal (2024)": "6; heals 60; 70, 80; 1 targets; ends all of blinded, deafened, poisoned",
    "Healing Word": "1; heals 60; 1d4+3, 2d4+3; when not target.type:undead, not target.type:construct",
    "Healing Word (2024)": "1; heals 60; 2d4+3, 4d4+3; 1 targets",
    "Heat Metal": "2; con 60; 2d8 fire, 3d8 fire; concentration; 1 targets; again for bonus, 1 minute",
    "Hellish Rebuke": "1; dex 60 half; 2d10 fire, 3d10 fire; 1 targets",
    "Heroes' Feast": "6; 30; 12 targets; leaves damage poison x0, deny poisoned, deny frightened, advantage save.wis; for 24 hours",
    "Heroism": "1; concentration; 1 (above: 2) targets; leaves deny frightened; for 1 minute; temporary 3 at turn-start",
    "Hex": "1; 90; concentration; 1 targets; Strength: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.str; Dexterity: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.dex; Constitution: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.con; Intelligence: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.int; Wisdom: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.wis; Charisma: extra damage-against dice='1d6 necrotic' when attacker.is-source, disadvantage check.cha; again for bonus, 1 hour",
    "Hideous Laughter": "1; wis 30; concentration; prone; incapacitated until saved-hurt for 1 minute; 1 targets",
    "Hold Monster": "5; wis 90; concentration; paralyzed until saved for 1 minute; 1 (above: 2) targets; when not target.type:undead",
    "Hold Monster (2024)": "5; wis 90; concentration; paralyzed until saved for 1 minute; 1 (above: 2) targets",
    "Hold Person": "2; wis 60; concentration; paralyzed until saved for 1 minute; 1 (above: 2) targets; when target.type:humanoid",
    "Holy Aura": "8; 30-foot radius; concentration; leaves advantage save, disadvantage attack-against; for 1 minute; blinded for 1 minute at hit if melee, (attacker.type:fiend | attacker.type:undead)",
    "Hunter's Mark": "1; 90; concentration; bonus; 1 targets; leaves extra damage-against dice=1d6 when attacker.is-source, weapon; for 1 hour; again for bonus, 1 hour",
    "Hunter's Mark (2024)": "1; 90; concentration; bonus; 1 targets; leaves extra damage-against dice='1d6 force' when attacker.is-source; for 1 hour; again for bonus, 1 hour",
    "Hypnotic Pattern": "3; wis 120; 30-foot cube; concentration; charmed until hurt for 1 minute; incapacitated until hurt for 1 minute; leaves modifier speed =0 when charmed, duration lost when not charmed; for 1 minute; until hurt",
    "Ice Knife": "1; attack 60; 1d10 piercing",
    "Ice Storm": "4; dex 300 half; 2d8 bludgeoning + 4d6 cold, 3d8 bludgeoning + 4d6 cold; 20-foot radius; ground difficult for 1 round",
    "Ice Storm (2024)": "4; dex 300 half; 2d10 bludgeoning + 4d6 cold, 3d10 bludgeoning + 4d6 cold; 20-foot radius; ground difficult for 1 round",
    "Illusory Script": "1; for 10 days",
    "Imprisonment": "9; wis 30; 1 targets",
    "Incendiary Cloud": "8; dex 150 half; 10d8 fire; 20-foot radius; concentration; stands for 1 minute; later dex half: damage 10d8 fire at other-ends enters first; ground heavily obscured",
    "Inflict Wounds": "1; attack touch; 3d10 necrotic, 4d10 necrotic",
    "Inflict Wounds (2024)": "1; con half; 2d10 necrotic, 3d10 necrotic; 1 targets",
    "Insect Plague": "5; con 300 half; 4d10 piercing, 5d10 piercing; 20-foot radius; concentration; stands for 10 minutes; later con half: damage 4d10 piercing at other-ends enters first; ground difficult lightly obscured",
    "Invisibility": "2; concentration; invisible until attacks for 1 hour; 1 (above: 2) targets",
    "Irresistible Dance": "6; 30; concentration; 1 targets; leaves disadvantage attack, disadvantage save.dex, advantage attack-against; for 1 minute",
    "Irresistible Dance (2024)": "6; wis 30; concentration; charmed for 1 minute; 1 targets; leaves modifier speed =0, disadvantage attack, disadvantage save.dex, advantage attack-against; for 1 minute",
    "Jump": "1; 1 targets; for 1 minute",
    "Jump (2024)": "1; 1 (above: 2) targets; for 1 minute",
    "Lesser Restoration": "2; 1 targets; ends one of blinded, deafened, paralyzed, poisoned",
    "Lesser Restoration (2024)": "2; 1 targets; ends one of blinded, deafened, paralyzed, poisoned",
    "Levitate": "2; con 60; concentration; 1 targets; leaves modifier speed =0, modifier float +20; for 10 minutes",
    "Light": "0; 20-foot radius; stands for 1 hour; ground carried bright",
    "Light (2024)": "0; 20-foot radius; stands for 1 hour; ground carried bright",
    "Lightning Bolt": "3; dex half; 8d6 lightning, 9d6 lightning; 100-foot line, 5 feet wide",
    "Locate Creature": "4; self; concentration; for 1 hour",
    "Locate Object": "2; self; concentration; for 10 minutes",
    "Longstrider": "1; 1 (above: 2) targets; leaves modifier speed +10; for 1 hour",
    "Mage Armor": "1; 1 targets; leaves modifier ac +3; for 8 hours",
    "Mage Hand": "0; 30; for 1 minute",
    "Magic Circle": "3; 10; 10-foot radius; stands for 1 hour",
    "Magic Missile": "1; sure 120; 3d4+3 force, 4d4+4 force",
    "Magic Weapon": "2; concentration; bonus; 1 targets; leaves modifier attack +1 when weapon, chosen:magic-weapon, modifier damage +1 when weapon, chosen:magic-weapon (above: modifier attack +2 when weapon, chosen:magic-weapon, modifier damage +2 when weapon, chosen:magic-weapon); for 1 hour",
    "Magic Weapon (2024)": "2; bonus; 1 targets; leaves modifier attack +1 when weapon, chosen:magic-weapon, modifier damage +1 when weapon, chosen:magic-weapon (above: modifier attack +2 when weapon, chosen:magic-weapon, modifier damage +2 when weapon, chosen:magic-weapon); for 1 hour",
    "Magnificent Mansion": "7; 300; for 24 hours",
    "Major Image": "3; 120; 20-foot cube; concentration; stands for 10 minutes; ground",
    "Mass Cure Wounds": "5; heals 60; 3d8+3, 4d8+3; 30-foot radius; 6 targets; when not target.type:undead, not target.type:construct",
    "Mass Cure Wounds (2024)": "5; heals 60; 5d8+3, 6d8+3; 30-foot radius; 6 targets",
    "Mass Heal": "9; heals 60; 700; ends all of blinded, deafened",
    "Mass Healing Word": "3; heals 60; 1d4+3, 2d4+3; 6 targets; when not target.type:undead, not target.type:construct",
    "Mass Healing Word (2024)": "3; heals 60; 2d4+3, 3d4+3; 6 targets",
    "Mass Suggestion": "6; wis 60; 12 targets; for 24 hours; until harmed; when not target.immune:charmed",
    "Mass Suggestion (2024)": "6; wis 60; charmed until harmed for 24 hours; 12 targets",
    "Maze": "8; 60; concentration; 1 targets; leaves deny being-targeted; for 10 minutes",
    "Meld Into Stone": "3; leaves deny being-targeted; for 8 hours",
    "Meteor Swarm": "9; dex half; 20d6 fire + 20d6 bludgeoning; 40-foot radius",
    "Mind Blank": "8; 1 targets; leaves damage psychic x0, deny charmed; for 24 hours",
    "Mind Spike": "2; wis 120 half; 3d8 psychic, 4d8 psychic; concentration; 1 targets; leaves deny hidden when attacker.is-source; for 1 hour",
    "Minor Illusion": "0; 30; for 1 minute",
    "Mirage Arcane": "7; for 10 days",
    "Mirror Image": "2; self; for 1 minute; 3 rolls; deflects at attacked",
    "Mirror Image (2024)": "2; self; for 1 minute; 3 rolls; deflects at attacked",
    "Mislead": "5; self; concentration; invisible until attacks for 1 hour",
    "Misty Step": "2; self; teleport 30",
    "Modify Memory": "5; wis 30; concentration; charmed until hurt for 1 minute; incapacitated until hurt for 1 minute; 1 targets; saves with advantage save when other.hostile",
    "Moonbeam": "2; con 120 half; 2d10 radiant, 3d10 radiant; 5-foot radius; concentration; stands for 1 minute; later con half: damage 2d10 radiant at other-starts enters first; saves with disadvantage save when type:shapechanger; ground",
    "Moonbeam (2024)": "2; con 120 half; 2d10 radiant, 3d10 radiant; 5-foot radius; concentration; stands for 1 minute; later con half: damage 2d10 radiant at other-ends enters once; ground",
    "Move Earth": "6; 120; concentration; for 2 hours",
    "Nondetection": "3; 1 targets; for 8 hours",
    "Pass Without Trace": "2; 30-foot radius; concentration; leaves modifier check.dex:stealth +10 when not source.hostile; for 1 hour; stands for 1 hour; ground carried inside",
    "Pass Without Trace (2024)": "2; 30-foot radius; concentration; leaves modifier check.dex:stealth +10 when not source.hostile; for 1 hour; stands for 1 hour; ground carried inside",
    "Passwall": "5; 30; for 1 hour",
    "Phantasmal Force": "2; int 60; concentration; 1 targets; for 1 minute; harmful: damage 2d8 psychic at turn-start; harmless: ",
    "Phantasmal Killer": "4; wis 120; concentration; frightened until saved for 1 minute; 1 targets",
    "Phantasmal Killer (2024)": "4; wis 120 half; 4d10 psychic, 5d10 psychic; concentration; 1 targets; leaves disadvantage attack, disadvantage check; for 1 minute; until saved",
    "Phantom Steed": "3; 30; for 1 hour",
    "Planar Binding": "5; cha 60; for 24 hours",
    "Plane Shift": "7; attack touch, then cha; 1 targets; leaves deny being-targeted, deny targeting",
    "Poison Spray": "0; con 10; 2d12 poison",
    "Poison Spray (2024)": "0; attack 30; 2d12 poison",
    "Polymorph": "4; wis 60; concentration; polymorphed for 1 hour; 1 targets; for 1 hour",
    "Polymorph (2024)": "4; wis 60; concentration; polymorphed-2024 for 1 hour; 1 targets; for 1 hour",
    "Power Word Heal": "9; heals 60; 1000; 1 targets; ends all of charmed, frightened, paralyzed, poisoned, stunned",
    "Power Word Kill": "9; 60; 1 targets; pool 100, 100; kills True",
    "Power Word Kill (2024)": "9; 60; 1 targets; pool 100, 100; kills True",
    "Power Word Stun": "8; con 60; stunned until saved; 1 targets; pool 150, 150; saves later",
    "Power Word Stun (2024)": "8; con 60; stunned until saved; 1 targets; pool 150, 150; saves later",
    "Prayer of Healing": "2; heals 30; 2d8+3, 3d8+3; 6 targets; when not target.type:undead, not target.type:construct",
    "Prayer of Healing (2024)": "2; heals 30; 2d8, 3d8; 5 targets",
    "Prestidigitation": "0; 10; for 1 hour",
    "Prismatic Spray": "7; 60-foot cone; 1 red: dex, 10d6 fire; 2 orange: dex, 10d6 acid; 3 yellow: dex, 10d6 lightning; 4 green: dex, 10d6 poison; 5 blue: dex, 10d6 cold; 6 indigo: dex, restrained; 7 violet: dex, blinded",
    "Prismatic Wall": "9; 60; for 10 minutes",
    "Private Sanctum": "4; 120; for 24 hours",
    "Produce Flame": "0; attack 30; 2d8 fire",
    "Produce Flame (2024)": "0; attack 60; 2d8 fire; again for action, 10 minutes",
    "Project Image": "7; concentration; for 24 hours",
    "Project Image (2024)": "7; concentration; for 24 hours",
    "Protection from Energy": "3; concentration; 1 targets; for 1 hour; acid: damage acid x1/2; cold: damage cold x1/2; fire: damage fire x1/2; lightning: damage lightning x1/2; thunder: damage thunder x1/2",
    "Protection from Evil and Good": "1; concentration; 1 targets; leaves disadvantage attack-against when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead, deny charmed when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead, deny frightened when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead; for 10 minutes",
    "Protection from Poison": "2; 1 targets; leaves advantage save when against:poisoned, damage poison x1/2; for 1 hour; ends one of poisoned",
    "Ray of Enfeeblement": "2; attack 60; concentration; leaves modifier damage x1/2 when weapon, melee, not with:finesse; for 1 minute; until saved; saves later",
    "Ray of Enfeeblement (2024)": "2; con 60; concentration; 1 targets; leaves disadvantage check.str, disadvantage save.str, extra damage dice=-1d8; for 1 minute; until saved",
    "Ray of Frost": "0; attack 60; 2d8 cold; leaves modifier speed -10; for 1 round",
    "Ray of Sickness": "1; attack 60; 2d8 poison, 3d8 poison; poisoned until owner-end",
    "Regenerate": "7; heals; 4d8+15; 1 targets; for 1 hour; heals 1 at turn-start",
    "Resilient Sphere": "4; dex 30; concentration; 1 targets; leaves deny being-targeted, deny targeting; for 1 minute",
    "Remove Curse": "3; 1 targets; ends all of cursed",
    "Resistance": "0; concentration; 1 targets; leaves extra save dice=1d4; for 1 minute; 1 rolls",
    "Resistance (2024)": "0; concentration; 1 targets; for 1 minute",
    "Reverse Gravity": "7; dex 100; 50-foot radius; concentration; leaves modifier height +100; for 1 minute; stands for 1 minute; ground",
    "Rope Trick": "2; for 1 hour",
    "Sacred Flame": "0; dex 60; 2d8 radiant",
    "Sanctuary": "1; 30; 1 targets; for 1 minute; until attacks; deflects at attacked",
    "Scorching Ray": "2; attack 120; 2d6 fire; three rays",
    "Scrying": "5; self; concentration; for 10 minutes",
    "Searing Smite": "1; sure; 1d6 fire, 2d6 fire; 1 targets; for 1 minute; damage 1d6 fire at turn-start",
    "See Invisibility": "2; self; leaves senses invisible; for 1 hour",
    "Seeming": "5; 30; for 8 hours",
    "Shapechange": "9; self; concentration; shapechanged for 1 hour",
    "Shapechange (2024)": "9; self; concentration; shapechanged-2024 for 1 hour",
    "Shatter": "2; con 60 half; 3d8 thunder, 4d8 thunder; 10-foot radius; saves with disadvantage save when type:construct",
    "Shatter (2024)": "2; con 60 half; 3d8 thunder, 4d8 thunder; 10-foot radius; saves with disadvantage save when type:construct",
    "Shield": "1; reaction; leaves modifier ac +5; for 1 round",
    "Shield of Faith": "1; 60; concentration; bonus; 1 targets; leaves modifier ac +2; for 10 minutes",
    "Shillelagh": "0; attack touch; 1d8+3 bludgeoning; again for action, 1 minute",
    "Shillelagh (2024)": "0; attack touch; 1d8+3 force; again for action, 1 minute",
    "Shining Smite": "2; sure; 2d6 radiant, 3d6 radiant; concentration; bonus; 1 targets; leaves advantage attack-against, deny invisible; for 1 minute",
    "Shocking Grasp": "0; attack touch; 2d8 lightning; leaves deny reaction; until turn-start",
    "Silence": "2; 120; 20-foot radius; concentration; leaves damage thunder x0, deny casting; for 10 minutes; stands for 10 minutes; ground inside",
    "Silent Image": "1; 60; 15-foot cube; concentration; stands for 10 minutes; ground",
    "Sleep": "1; 90; 20-foot radius; unconscious until hurt for 1 minute if not type:undead, not immune:charmed, not unconscious, not type:elf; pool 5d8, 7d8",
    "Sleep (2024)": "1; wis 60; 5-foot radius; concentration; incapacitated until turn-end; for 1 round; unconscious until hurt for 1 minute at turn-end; when not target.type:elf, not target.immune:exhaustion",
    "Sleet Storm": "3; dex 150; 40-foot radius; concentration; prone; stands for 1 minute; later dex: prone at other-starts enters first; ground difficult heavily obscured",
    "Sleet Storm (2024)": "3; dex 150; 20-foot radius; concentration; prone; stands for 1 minute; later dex: prone at other-starts enters first; ground difficult heavily obscured",
    "Slow": "3; wis 120; 40-foot cube; concentration; 6 targets; leaves modifier speed x1/2, modifier ac -2, modifier save.dex -2, deny reaction; for 1 minute; until saved",
    "Sorcerous Burst": "0; attack 120; 2d8 acid; acid: 1d8 acid; cold: 1d8 cold; fire: 1d8 fire; lightning: 1d8 lightning; poison: 1d8 poison; psychic: 1d8 psychic; thunder: 1d8 thunder",
    "Spare the Dying": "0; stable if dying; 1 targets; when not target.type:undead, not target.type:construct",
    "Spare the Dying (2024)": "0; 15; stable if dying; 1 targets",
    "Speak with Animals": "1; self; for 10 minutes",
    "Speak with Dead": "3; 10; for 10 minutes",
    "Speak with Plants": "3; self; for 10 minutes",
    "Spider Climb": "2; concentration; 1 targets; leaves modifier speed.climb; for 1 hour",
    "Spike Growth": "2; sure 150; 2d4 piercing; 20-foot radius; concentration; again for free, 10 minutes; later: damage 2d4 piercing at other-starts enters each; ground difficult",
    "Spirit Guardians": "3; wis half; 3d8 radiant, 4d8 radiant; 15-foot radius; concentration; leaves modifier speed x1/2 when source.hostile, source.within:15; for 10 minutes; stands for 10 minutes; later wis half: damage 3d8 radiant at other-starts enters first if target.hostile within 15; ground carried inside",
    "Spirit Guardians (2024)": "3; wis half; 3d8 radiant, 4d8 radiant; 15-foot emanation; concentration; leaves modifier speed x1/2 when source.hostile, source.within:15; for 10 minutes; stands for 10 minutes; later wis half: damage 3d8 radiant at other-ends enters once if target.hostile within 15; ground carried inside",
    "Spiritual Weapon": "2; attack 60; 1d8+3 force, 2d8+3 force; again for bonus, 1 minute",
    "Spiritual Weapon (2024)": "2; attack 60; 1d8+3 force, 2d8+3 force; concentration; again for bonus, 1 minute",
    "Starry Wisp": "0; attack 60; 2d8 radiant; leaves deny invisible; until owner-end",
    "Stinking Cloud": "3; con 90; 20-foot radius; concentration; stands for 1 minute; later con:  at other-starts; ground heavily obscured",
    "Stinking Cloud (2024)": "3; con 90; 20-foot radius; concentration; stands for 1 minute; later con: poisoned until turn at other-starts; ground heavily obscured",
    "Stoneskin": "4; concentration; 1 targets; leaves damage bludgeoning x1/2 when mundane, damage piercing x1/2 when mundane, damage slashing x1/2 when mundane; for 1 hour",
    "Stoneskin (2024)": "4; concentration; 1 targets; leaves damage bludgeoning x1/2, damage piercing x1/2, damage slashing x1/2; for 1 hour",
    "Storm of Vengeance": "9; 360-foot radius; concentration; first round: thunder: con, 2d6 thunder, deafened for 5 minutes; second round: acid: 1d6 acid; third round: six bolts: dex, 10d6 lightning; fourth round: hail: 2d6 bludgeoning; fifth round and later: cold: 1d6 cold; again for free, 1 minute",
    "Storm of Vengeance (2024)": "9; 300-foot radius; concentration; first round: thunder: con, 2d6 thunder, deafened; second round: acid: 4d6 acid; third round: six bolts: dex, 10d6 lightning; fourth round: hail: 2d6 bludgeoning; fifth round and later: cold: 1d6 cold; again for free, 1 minute",
    "Suggestion": "2; wis 30; concentration; 1 targets; for 8 hours; until harmed; when not target.immune:charmed",
    "Suggestion (2024)": "2; wis 30; concentration; charmed until harmed for 8 hours; 1 targets",
    "Summon Dragon": "5; 60; concentration; for 1 hour",
    "Sunbeam": "6; con half; 6d8 radiant; 60-foot line, 5 feet wide; concentration; blinded until owner-start; again for action, 1 minute; saves with disadvantage save when type:undead | type:ooze",
    "Sunburst": "8; con 150 half; 12d6 radiant; 60-foot radius; blinded until saved for 1 minute; saves with disadvantage save when type:undead | type:ooze",
    "Symbol": "7; con",
    "Telekinesis": "5; 60; concentration; restrained until owner-end; 1 targets; again for action, 10 minutes; contest str",
    "Telekinesis (2024)": "5; str 60; concentration; restrained until owner-end; 1 targets; again for action, 10 minutes",
    "Telepathic Bond": "5; 30; 8 targets; for 1 hour",
    "Teleport": "7; 10; 8 targets; permanent circle, or an object from there: 100 on target; very familiar: 5 mishap 3d10 force, 13 an area like the goal, 24 off target, 100 on target; seen casually: 33 mishap 3d10 force, 43 an area like the goal, 53 off target, 100 on target; viewed once, or described: 43 mishap 3d10 force, 53 an area like the goal, 73 off target, 100 on target; not as it was described: 50 mishap 3d10 force, 100 an area like the goal",
    "Teleportation Circle": "5; 10; for 1 round",
    "Thaumaturgy": "0; 30; for 1 minute",
    "Thunderwave": "1; con half; 2d8 thunder, 3d8 thunder; 15-foot cube; pushed 10",
    "Time Stop": "9; self; extra-turns until affects",
    "Tiny Hut": "3; self; 10-foot radius; stands for 8 hours",
    "Tongues": "3; 1 targets; for 1 hour",
    "Transport via Plants": "6; 10; for 1 round",
    "Tree Stride": "5; self; concentration; for 1 minute",
    "True Polymorph": "9; wis 30; concentration; transformed for 1 hour; 1 targets; for 1 hour",
    "True Seeing": "6; 1 targets; leaves senses dark, senses invisible; for 1 hour",
    "True Strike": "0; 30; concentration; 1 targets; leaves advantage attack-against when attacker.is-source; until owner-end; 1 rolls",
    "Tsunami": "8; str 5280 half; 6d10 bludgeoning; concentration; stands for 6 rounds",
    "Unseen Servant": "1; 60; 1 targets; for 1 hour",
    "Vampiric Touch": "3; attack touch; 3d6 necrotic, 4d6 necrotic; concentration; again for action, 1 minute",
    "Vicious Mockery": "0; wis 60; 2d4 psychic; leaves disadvantage attack; until turn-end; 1 rolls",
    "Vicious Mockery (2024)": "0; wis 60; 2d6 psychic; leaves disadvantage attack; until turn-end; 1 rolls",
    "Vitriolic Sphere": "4; dex 150 half; 10d4 acid, 12d4 acid; 20-foot radius; for 1 round; damage 5d4 acid at turn-end",
    "Wall of Fire": "4; dex 120 half; 5d8 fire, 6d8 fire; concentration; stands for 1 minute; later: damage 5d8 fire at other-ends enters first",
    "Wall of Force": "5; 120; concentration; for 10 minutes",
    "Wall of Ice": "6; dex 120 half; 10d6 cold, 12d6 cold; concentration; pushed 5; stands for 10 minutes; later con half: damage 5d6 cold at other-ends",
    "Wall of Stone": "5; dex 120; 100-foot wall; concentration; stands for 10 minutes",
    "Wall of Thorns": "6; dex 120 half; 7d8 piercing, 8d8 piercing; concentration; stands for 10 minutes; later dex half: damage 7d8 slashing at other-ends enters first",
    "Warding Bond": "2; 1 targets; leaves modifier ac +1, modifier save +1, damage all x1/2, duration lost when source.down | not source.within:60; for 1 hour; damage 1 at hurt",
    "Water Breathing": "3; 30; 10 targets; for 24 hours",
    "Water Walk": "3; 30; 10 targets; for 1 hour",
    "Web": "2; dex 60; 20-foot cube; concentration; restrained; stands for 1 hour; later dex: restrained at other-starts enters first; ground difficult lightly obscured",
    "Weird": "9; wis 120; 30-foot radius; concentration; frightened until saved for 1 minute",
    "Weird (2024)": "9; wis 120 half; 10d10 psychic; 30-foot radius; concentration; frightened until saved for 1 minute",
    "Wind Walk": "6; 30; 11 targets; for 8 hours",
    "Wind Wall": "3; str 120 half; 3d8 bludgeoning; concentration; stands for 1 minute",
    "Wind Wall (2024)": "3; str 120 half; 4d8 bludgeoning; concentration; stands for 1 minute",
    "Zone of Truth": "2; cha 60; 15-foot radius; truthful for 10 minutes; stands for 10 minutes; later cha: truthful for 10 minutes at other-starts enters first; ground",
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
    above = spell_feature(spell, MAGE, level=(spell.level or 0) + spell.every)
    if own.attack is not None:
        assert own.attack == 7
        save = f", then {first_save(own)}" if first_save(own) else ""
        how = f"attack {own.range or ('touch' if own.reach == 5 else '?')}{save}"
    elif own.save:
        assert own.dc == 15
        how = " ".join(part for part in (own.save, own.range, "half" if own.half else "") if part)
    else:
        how = f"{'heals' if own.heals else 'sure' if own.damage else ''} {own.range}".strip()
    damage = ", ".join(dict.fromkeys((own.damage or own.heals, above.damage or above.heals)))
    stands = is_standing(spell)
    ends = [said_to_inflict(one) for one in own.afflictions]
    ends += [f"pushed {own.push}"] if own.push else []
    rays = "three rays" if spell.rays == 3 else ""
    parts = [str(spell.level), how, damage, own.area, "concentration" if own.concentration else "", *ends, rays]
    parts += [*said_to_leave(own, above), *(f"{one.name}: {said_choice(one)}" for one in spell.choices)]
    parts += [f"pool {spell.pool}, {pool_of(spell, (spell.level or 0) + 1)}" if spell.pool else ""]
    parts += [
        f"again for {spell.again}, {spell.lasts}" if spell.again else f"stands for {spell.lasts}" if stands else "",
        "saves later" if spell.saves_later else "",
    ]
    later = around(spell, own, spell.level or 0, 15)
    saves = f" {later.save}{' half' if later.half else ''}" if later is not None and later.save else ""
    parts += (
        [f"later{saves}: {said_feature(later)}{f' within {later.within}' if later.within else ''}"] if later else []
    )
    parts += [
        f"{name} {value}"
        for name in ("teleport", "contest", "kills", "when", "most")
        if (value := getattr(spell, name))
    ]
    parts += [f"saves with {format_data_rules(spell.saving)}" if spell.saving else ""]
    parts += [f"ends {'all' if spell.ends_all else 'one'} of {', '.join(spell.ends)}" if spell.ends else ""]
    ground = spell.ground
    if ground is not None:
        words = (
            "carried" * ground.carried,
            "inside" * ground.inside,
            "difficult" * ground.difficult,
            f"{ground.obscured} obscured" if ground.obscured else "",
        )
        parts += [" ".join(filter(None, ("ground", *words, ground.light, ground.lasts and f"for {ground.lasts}")))]
    parts += ["slows falls"] if spell.slows_falls else []
    parts += [f"ends after {spell.total}"] if spell.total else []
    return "; ".join(part for part in parts if part)


def said_to_inflict(one: InflictedCondition) -> str:
    """Return a condition, when it ends, and of whom."""
    words = [
        one.degree,
        one.condition,
        f"until {one.ends}" if one.ends != "never" else "",
        f"for {one.lasts}" if one.lasts else "",
    ]
    return " ".join(word for word in (*words, f"if {one.when}" if one.when else "") if word)


def said_feature(left: LeftFeature | None) -> str:
    """Return the feature that a spell leaves on its targets."""
    if left is None:
        return ""
    amounts = {"damage": left.damage, "heals": left.heals, "temporary": left.temp, "reduces": left.reduces}
    words = [f"{word} {amount}" for word, amount in amounts.items() if amount]
    said = ", ".join([*words, *map(said_to_inflict, left.afflictions), *["deflects"] * left.deflects])
    enters = f" enters {left.enters}" if left.enters else ""
    return f"{said} at {left.trigger}{enters}{f' if {left.when}' if left.when else ''}"


def said_choice(one: SpellChoice) -> str:
    """Return what a variant of a spell does."""
    rules = format_data_rules(one.effect).replace("; ", ", ")
    temp = f"temporary {one.temp}" if one.temp else ""
    persistent = f"persistent {one.ongoing}" if one.ongoing else ""
    own = (one.save, one.damage, persistent, one.area)
    parts = [*own, rules, *map(said_to_inflict, one.afflictions), temp, said_feature(one.leaves)]
    odds = (f"{row.upto} {row.result}{' ' if row.damage else ''}{row.damage}" for row in one.odds)
    return ", ".join(part for part in [*parts, *odds] if part)


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
    return [
        cost,
        targets,
        temp,
        f"leaves {both(*rules)}" if own.effect else "",
        lasts,
        *ends,
        said_feature(own.leaves),
        f"then {own.after}" if own.after else "",
    ]


def has_figures(spell: Spell) -> bool:
    harms = (
        spell.attack or spell.teleport or spell.kills or spell.save or spell.damage or spell.heals or spell.afflictions
    )
    return bool(harms or spell.effect or spell.temp or spell.lasts or spell.ends or spell.choices)


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
    "Abyssal Plague": "5; con; 10 void, 12 void; 1 targets; on success full damage; on failure none damage; on critical-failure none damage; 2",
    "Abyssal Wrath": "5; basic dex; 8d6, 10d6; 60-foot cone; 2",
    "Acid Arrow": "2; attack; 3d8 acid, 5d8 acid; 120; 1 targets; persistent 1d6 acid, 2d6 acid; on critical-success full persistent; 2",
    "Acid Grip": "2; basic dex; 2d8 acid, 4d8 acid; 120; 1 targets; leaves modifier speed -10 type=status, duration lost when not ongoing; persistent 1d6 acid, 2d6 acid; on success pushed 5; on critical-failure full persistent pushed 20; 2",
    "Acid Splash": "1; attack; 1d6 acid; 30; 1 targets; persistent 1 acid, 2 acid; on success none persistent; on critical-success full persistent; 2; rank 5: attack; 2d6 acid, 3d6 acid; 30; 1 targets; persistent 3 acid, 4 acid; on success none persistent; on critical-success full persistent; rank 7: attack; 3d6 acid, 4d6 acid; 30; 1 targets; persistent 4 acid, 5 acid; on success none persistent; on critical-success full persistent; rank 9: attack; 4d6 acid; 30; 1 targets; persistent 5 acid, 6 acid; on success none persistent; on critical-success full persistent",
    "Air Bubble": "1; 60; 1 targets; for 1 minute; 1",
    "Air Walk": "4; 1 targets; for 5 minutes; 2",
    "Ant Haul": "1; 1 targets; for 8 hours; 2",
    "Aqueous Orb": "3; dex; 60; sustained; 2",
    "Arctic Rift": "8; basic con; 12d8 cold, 13d8 cold; failure slowed 1 until the caster's turn starts, critical-failure immobilized, critical-failure slowed 1; 120-foot line; 2",
    "Baleful Polymorph": "6; con; success sickened 1, failure transformed for 1 minute, critical-failure transformed; 30; 1 targets; 2",
    "Bane": "1; wis; 10-foot emanation; leaves modifier attack -1 type=status; for 1 minute; 2",
    "Banishment": "5; wis; 30; 1 targets; leaves deny being-targeted, deny targeting; 2; rank 9: wis; 30; 10 targets; leaves deny being-targeted, deny targeting",
    "Bind Undead": "3; controlled for 24 hours; 30; 1 targets; 2",
    "Black Tentacles": "5; 20-foot radius 120; 3",
    "Blade Barrier": "6; basic dex; 7d8 force, 8d8 force; 120; 3",
    "Bless": "1; 15-foot emanation; leaves modifier attack +1 type=status when not source.hostile; for 1 minute; 2",
    "Blessed Boundary": "6; basic dex; 7d8 force, 8d8 force; 60-foot radius 120; on critical-failure pushed 20; 2",
    "Blindness": "3; con; success blinded until its turn starts, failure blinded for 1 minute, critical-failure blinded; 30; 1 targets; 2",
    "Blink": "4; self; leaves damage all -5 when not kind:force (above: damage all -8 when not kind:force); for 1 minute; 2",
    "Blood Vendetta": "2; wis; 30; 1 targets; persistent 2d6 bleed, 4d6 bleed; on success half persistent; on failure damage piercing +1; damage slashing +1; duration lost when not ongoing; on critical-failure double persistent damage piercing +1; damage slashing +1; duration lost when not ongoing; 1",
    "Blur": "2; concealed for 1 minute; 1 targets; 2",
    "Breath of Life": "5; heals; 5d8, 6d8; 60; 1 targets; 1",
    "Breathe Fire": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Burning Hands": "1; basic dex; 2d6 fire, 4d6 fire; 15-foot cone; 2",
    "Calm": "2; wis; 10-foot radius 120; sustained; leaves deny targeting; for 1 minute; on success modifier attack -1 type=status for 1 minute; on failure for 1 minute until hurt; on critical-failure for 1 minute; 2",
    "Calm Emotions": "2; wis; 10-foot radius 120; sustained; leaves deny targeting; for 1 minute; on success modifier attack -1 type=status for 1 minute; on failure for 1 minute until hurt; on critical-failure for 1 minute; 2",
    "Canticle of Everlasting Grief": "8; basic wis; 10d6 mental; success frightened 1, failure frightened 3, critical-failure frightened 4; 120; 1 targets; on success for 1 round; on failure for 7 days; on critical-failure for 7 days; 2",
    "Captivating Adoration": "4; wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 15-foot emanation; 2; rank 5: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 30-foot emanation; rank 6: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 45-foot emanation; rank 7: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 60-foot emanation; rank 8: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 75-foot emanation; rank 9: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 90-foot emanation; rank 10: wis; success fascinated until its turn ends, failure fascinated for 1 minute, critical-failure fascinated for 1 minute; 105-foot emanation",
    "Carryall": "1; self; for 8 hours; 2",
    "Cataclysm": "10; basic dex; 3d10 acid + 6d10 bludgeoning + 3d10 cold + 3d10 electricity + 3d10 fire; 60-foot radius 1000; 2",
    "Caustic Blast": "1; basic dex; 1d8 acid, 2d8 acid; 5-foot radius 30; persistent 1 acid, 2 acid; on failure none persistent; on critical-failure full persistent; 2",
    "Chain Lightning": "6; basic dex; 8d12 electricity, 9d12 electricity; 500; 2",
    "Charm": "1; wis; failure friendly for 1 hour, critical-failure helpful for 1 hour; 30; 1 targets; 2; rank 4: wis; failure friendly for 24 hours, critical-failure helpful for 24 hours; 30; 1 targets; rank 8: wis; failure friendly for 24 hours, critical-failure helpful for 24 hours; 30; 10 targets",
    "Chill Touch": "1; basic con; 2d4 void, 3d4 void; critical-failure enfeebled 1 until the caster's turn starts, failure off-guard for 1 round, critical-failure off-guard for 1 round; 1 targets; on critical-failure then wis fleeing for 1 round at  if type:undead; type:undead   0; 2",
    "Chilling Darkness": "3; attack; 5d6 cold, 7d6 cold; 120; 1 targets; holy target: 5d6 cold + 5d6 spirit; other target: ; 2",
    "Clear Mind": "2; 1 targets; counteracts fleeing, frightened, stupefied; 2; rank 4: 1 targets; counteracts fleeing, frightened, stupefied, confused, controlled, slowed; rank 6: 1 targets; counteracts fleeing, frightened, stupefied, confused, controlled, slowed, doomed; rank 8: 1 targets; counteracts fleeing, frightened, stupefied, confused, controlled, slowed, doomed, stunned",
    "Cloudkill": "5; basic con; 6d8 poison, 7d8 poison; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 3",
    "Color Spray": "1; wis; success dazzled for 1 round, failure stunned 1, failure blinded for 1 round, failure dazzled for 1 minute, critical-failure stunned 3 for 1 round, critical-failure blinded for 1 minute; 15-foot cone; 2",
    "Command": "1; wis; 30; 1 targets; for 1 round; until turn-end; approach: deny reaction; run away: deny reaction; drop what it holds: deny reaction; fall prone: deny reaction; stay: deny reaction; 2; rank 5: wis; 30; 10 targets; for 1 round; until turn-end; approach: deny reaction; run away: deny reaction; drop what it holds: deny reaction; fall prone: deny reaction; stay: deny reaction",
    "Comprehend Language": "2; 30; 1 targets; for 1 hour; 2; rank 4: 30; 10 targets; for 1 hour",
    "Cone of Cold": "5; basic dex; 12d6 cold, 14d6 cold; 60-foot cone; 2",
    "Confusion": "4; wis; success stunned 1, failure confused until saved for 1 minute, critical-failure confused for 1 minute; 30; 1 targets; 2; rank 8: wis; success stunned 1, failure confused until saved for 1 minute, critical-failure confused for 1 minute; 30; 10 targets",
    "Control Water": "5; 50-foot square 500; 2",
    "Courageous Anthem": "1; 60-foot emanation; leaves modifier attack +1 type=status, modifier damage +1 type=status, modifier save +1 type=status when against:frightened; for 1 round; 1",
    "Crisis of Faith": "3; basic wis; 6d6 mental, 8d6 mental; 30; 1 targets; casts no divine spells: critical-failure stupefied for 1 round; casts divine spells: 6d8 mental, failure stupefied for 1 round, critical-failure stupefied for 1 round; 2",
    "Crushing Despair": "5; wis; critical-failure slowed 1 for 1 minute; 30-foot cone; leaves deny reaction; for 1 minute; slowed until turn at turn-start; on success deny reaction for 1 round; 2; rank 7: wis; critical-failure slowed 1 for 1 minute; 60-foot cone; leaves deny reaction; for 1 minute; slowed until turn at turn-start; on success deny reaction for 1 round",
    "Cry of Destruction": "1; basic con; 1d8 sonic, 2d8 sonic; 15-foot cone; 2",
    "Cursed Metamorphosis": "6; con; success sickened 1, failure transformed for 1 minute, critical-failure transformed; 30; 1 targets; 2",
    "Darkness": "2; 20-foot radius 120; 3",
    "Daze": "1; basic wis; 1d6 mental, 2d6 mental; critical-failure stunned 1; 60; 1 targets; 2",
    "Dazzling Flash": "1; con; success dazzled for 1 round, failure blinded for 1 round, failure dazzled for 1 minute, critical-failure blinded for 1 round, critical-failure dazzled for 1 hour; 15-foot cone; 2; rank 3: con; success dazzled for 1 round, failure blinded for 1 round, failure dazzled for 1 minute, critical-failure blinded for 1 round, critical-failure dazzled for 1 hour; 30-foot cone",
    "Deafness": "2; con; success deafened for 1 round, failure deafened for 10 minutes, critical-failure deafened; 30; 1 targets; 2",
    "Death Knell": "2; wis; 1 targets; 2",
    "Death Ward": "5; 1 targets; leaves modifier save +4 type=status when death | against:void, damage void -10; for 10 minutes; 2",
    "Delusional Pride": "4; wis; 30; 1 targets; on success for 1 round; on failure for 10 minutes; on critical-failure for 24 hours; 2",
    "Desiccate": "8; basic con; 10d10 void, 11d10 void; 500; 2",
    "Detonate Magic": "9; basic dex; 8d6 force; 5-foot emanation 120; 2",
    "Dimension Door": "4; self; teleports 120; 2; rank 5: self; teleports 5280",
    "Disappearance": "8; invisible for 10 minutes; 1 targets; for 10 minutes; 2",
    "Disintegrate": "6; attack then basic con; 12d10, 14d10; 120; 1 targets; 2",
    "Dispelling Globe": "4; 10-foot emanation; leaves deny spells +10; for 10 minutes; 2",
    "Disrupt Undead": "1; basic con; 2d6 vitality, 3d6 vitality; critical-failure enfeebled 1 until the caster's turn starts; 30; 1 targets; 2",
    "Divine Decree": "7; basic con; 7d10 spirit, 8d10 spirit; failure enfeebled 2 for 1 minute, critical-failure enfeebled 2 for 1 minute; 40-foot emanation; on critical-failure then wis paralyzed for 1 minute at ; 2",
    "Divine Immolation": "5; basic dex; 6d6 fire, 7d6 fire; 20-foot radius 120; persistent 2d6 fire, 3d6 fire; 2",
    "Divine Lance": "1; attack; 2d4 spirit, 3d4 spirit; 60; 2",
    "Divine Wrath": "4; basic con; 4d10 spirit, 5d10 spirit; failure sickened 1, critical-failure sickened 2, critical-failure slowed 1; 20-foot radius 120; on critical-failure full damage; 2",
    "Dizzying Colors": "1; wis; success dazzled for 1 round, failure stunned 1, failure blinded for 1 round, failure dazzled for 1 minute, critical-failure stunned 3 for 1 round, critical-failure blinded for 1 minute; 15-foot cone; 2",
    "Dominate": "6; wis; success stunned 1, failure controlled until saved for 24 hours, critical-failure controlled for 24 hours; 30; 1 targets; 2",
    "Duplicate Foe": "7; con; 30; sustained; 1 targets; for 1 minute; 3",
    "Earthbind": "3; con; 120; 1 targets; leaves modifier speed.fly =0; for 1 round; on critical-failure for 1 minute; 2",
    "Earthquake": "8; 60-foot radius 500; leaves modifier attack -2 type=circumstance, modifier ac -2 type=circumstance, modifier check -2 type=circumstance; for 1 round; 2",
    "Eclipse Burst": "7; basic dex; 8d10 cold + 8d4 void, 9d10 cold + 9d4 void; critical-failure blinded; 60-foot radius 500; 2",
    "Electric Arc": "1; basic dex; 2d4 electricity, 3d4 electricity; 30; 2 targets; 2",
    "Energy Aegis": "7; 1 targets; leaves damage acid -5, damage cold -5, damage electricity -5, damage fire -5, damage force -5, damage sonic -5, damage vitality -5, damage void -5 (above: damage acid -10, damage cold -10, damage electricity -10, damage fire -10, damage force -10, damage sonic -10, damage vitality -10, damage void -10); for 24 hours; 1",
    "Enervation": "4; con; failure drained 1, critical-failure drained 2, critical-failure doomed 1; 30-foot line; persistent 4d8 void, 6d8 void; on success half persistent; 2",
    "Enfeeble": "1; con; success enfeebled 1 until the caster's turn starts, failure enfeebled 2 for 1 minute, critical-failure enfeebled 3 for 1 minute; 30; 1 targets; 2",
    "Enlarge": "2; clumsy 1 for 5 minutes; 30; 1 targets; leaves modifier damage +2 type=status when melee, modifier reach +5; for 5 minutes; 2; rank 4: clumsy 1 for 5 minutes; 30; 1 targets; leaves modifier damage +4 type=status when melee, modifier reach +10; for 5 minutes",
    "Entangle": "2; dex; critical-failure immobilized for 1 round; 20-foot radius 120; 2",
    "Entangling Flora": "2; dex; critical-failure immobilized for 1 round; 20-foot radius 120; 2",
    "Enthrall": "3; wis; failure fascinated, critical-failure fascinated; 120; sustained; 2",
    "Execute": "7; basic con; 70 void, 80 void; 30; 1 targets; living: 70 void; undead: 70 vitality; 2",
    "Faerie Fire": "2; 10-foot radius 120; leaves deny concealed, deny invisible; for 5 minutes; 2",
    "Falling Stars": "9; basic dex; 14d6 fire, 16d6 fire; 40-foot radius 500; asteroids (fire): 14d6 fire; comets (cold): 14d6 cold; plasma (electricity): 14d6 electricity; airbursts (sonic): 14d6 sonic; 2",
    "False Vitality": "2; self; temporary 10 (above: 13); for 8 hours; 2",
    "Fear": "1; wis; success frightened 1, failure frightened 2, critical-failure frightened 3, critical-failure fleeing for 1 round; 30; 1 targets; 2; rank 3: wis; success frightened 1, failure frightened 2, critical-failure frightened 3, critical-failure fleeing for 1 round; 30; 5 targets",
    "Feather Fall": "1; 60; 1 targets; for 1 minute; 1",
    "Feeblemind": "6; wis; success stupefied 2 for 1 round, failure stupefied 4, critical-failure stupefied 4; 30; 1 targets; 2",
    "Field of Life": "6; 20-foot radius 30; type:undead vitality  0; 2; rank 8: 20-foot radius 30; type:undead vitality  0; rank 9: 20-foot radius 30; type:undead vitality  0",
    "Finger of Death": "7; basic con; 70 void, 80 void; 30; 1 targets; 2",
    "Fire Shield": "4; self; leaves damage cold -5 (above: damage cold -10); for 1 minute; damage 2d6 fire at hit if melee, attacker.within:5; 2; rank 6: self; leaves damage cold -10 (above: damage cold -15); for 1 minute; damage 3d6 fire at hit if melee, attacker.within:5; rank 8: self; leaves damage cold -15 (above: damage cold -20); for 1 minute; damage 4d6 fire at hit if melee, attacker.within:5; rank 10: self; leaves damage cold -20 (above: damage cold -25); for 1 minute; damage 5d6 fire at hit if melee, attacker.within:5",
    "Fireball": "3; basic dex; 6d6 fire, 8d6 fire; 20-foot radius 500; 2",
    "Flame Strike": "5; basic dex; 8d6 fire, 10d6 fire; 10-foot radius 120; 2",
    "Flaming Sphere": "2; basic dex; 3d6 fire, 4d6 fire; 5-foot square 30; sustained; on success none damage; 2",
    "Fleet Step": "1; self; leaves modifier speed +30 type=status; for 1 minute; 2",
    "Flesh to Stone": "6; con; success slowed 1 for 1 round; 120; 1 targets; 2",
    "Flicker": "4; self; leaves damage all -5 when not kind:force (above: damage all -8 when not kind:force); for 1 minute; 2",
    "Fly": "4; 1 targets; leaves modifier speed.fly least=20; for 5 minutes; 2; rank 7: 1 targets; leaves modifier speed.fly least=20; for 1 hour",
    "Forbidding Ward": "1; 30; sustained; 1 targets; leaves modifier ac +1 type=status, modifier save +1 type=status; for 1 minute; 2; rank 6: 30; sustained; 1 targets; leaves modifier ac +2 type=status, modifier save +2 type=status; for 1 minute",
    "Force Barrage": "1; 3d4+3 force, 6d4+6 force; 120; 3; 1 actions: 1d4+1 force, 2d4+2 force; 120; 2 actions: 2d4+2 force, 4d4+4 force; 120",
    "Foresight": "9; 1 targets; leaves modifier initiative +2 type=status, deny being-flanked; for 1 hour; 2",
    "Freedom of Movement": "4; 1 targets; leaves deny slowing type=circumstance; for 10 minutes; 2",
    "Freeze Time": "10; extra-turns 3; self; 3",
    "Frostbite": "1; basic con; 2d4 cold, 3d4 cold; 60; 1 targets; on critical-failure damage bludgeoning +1 per_value=1 until owner-start; 2",
    "Gaseous Form": "4; 1 targets; leaves deny targeting, deny casting, modifier speed.fly =10, damage bludgeoning -8, damage piercing -8, damage slashing -8; for 5 minutes; 2",
    "Gecko Grip": "2; 1 targets; leaves modifier speed.climb least=20; for 10 minutes; 2; rank 5: 1 targets; leaves modifier speed.climb least=20; for 1 hour",
    "Gentle Landing": "1; 60; 1 targets; for 1 minute; 1",
    "Gentle Repose": "2; 1 targets; for 24 hours; 2",
    "Glitterdust": "2; dex; failure dazzled for 1 minute, critical-failure blinded for 1 round, critical-failure dazzled for 10 minutes; 10-foot radius 120; leaves deny invisible; for 1 minute; on success deny invisible for 2 rounds; on critical-failure for 10 minutes; 2",
    "Globe of Invulnerability": "4; 10-foot emanation; leaves deny spells +10; for 10 minutes; 2",
    "Grease": "1; dex; prone; 10-foot square 30; 2",
    "Grim Tendrils": "1; basic con; 2d4 void, 4d4 void; 30-foot line; persistent 1 bleed, 2 bleed; 2",
    "Guidance": "1; 30; 1 targets; leaves modifier d20 +1 type=status when chosen:guidance; until owner-start; 1 rolls; 1",
    "Gust of Wind": "1; con; 2d6 bludgeoning; failure prone, critical-failure prone; 60-foot line; on failure none damage; on critical-failure full damage pushed 30; 2",
    "Hallucination": "5; wis; 30; 1 (above: 10) targets; for 1 hour; on success for 1 hour; 2; rank 6: wis; 30; 10 targets; for 1 hour; on success for 1 hour",
    "Harm": "1; basic con; 1d8 void, 2d8 void; 30; type:undead   8; 2; 1 actions: basic con; 1d8 void, 2d8 void; type:undead   8; 3 actions: basic con; 1d8 void, 2d8 void; 30-foot emanation; type:undead   8",
    "Haste": "3; quickened for 1 minute; 30; 1 targets; 2; rank 7: quickened for 1 minute; 30; 6 targets",
    "Heal": "1; heals; 1d8+8, 2d8+16; 30; type:undead vitality con 0; 2; 1 actions: heals; 1d8, 2d8; type:undead vitality con 0; 3 actions: heals; 1d8, 2d8; 30-foot emanation; type:undead vitality con 0",
    "Heroism": "3; 1 targets; leaves modifier d20 +1 type=status (above: modifier d20 +2 type=status); for 10 minutes; 2",
    "Hidden Mind": "8; 30; 1 targets; leaves modifier save +4 type=status when against:mental; for 24 hours; 2",
    "Hideous Laughter": "2; wis; failure slowed 1 for 10 minutes, critical-failure prone, critical-failure stunned 3 for 1 round, critical-failure slowed 1 for 10 minutes; 30; sustained; 1 targets; leaves deny reaction; for 10 minutes; on success deny reaction for 10 minutes; 2",
    "Holy Light": "3; attack; 5d6 fire, 7d6 fire; 120; 1 targets; unholy target: 5d6 fire + 5d6 spirit; other target: ; 2",
    "Honeyed Words": "4; self; leaves modifier check.cha:deception +4 type=status when chosen:honeyed-words; for 10 minutes; 2",
    "Horrid Wilting": "8; basic con; 10d10 void, 11d10 void; 500; 2",
    "Howling Blizzard": "5; basic dex; 10d6 cold, 12d6 cold; 60-foot cone; 2; 3 actions: basic dex; 10d6 cold, 12d6 cold; 30-foot radius 500",
    "Humanoid Form": "2; self; leaves modifier check.cha:deception +4 type=status when chosen:humanoid-form; for 10 minutes; 2",
    "Hydraulic Push": "1; attack; 3d6 bludgeoning, 5d6 bludgeoning; 60; 1 targets; on critical-success pushed 10; 2",
    "Hydraulic Torrent": "4; basic con; 8d6 bludgeoning, 10d6 bludgeoning; 60-foot line; on critical-failure pushed 10; 2",
    "Hypnotic Pattern": "3; wis; failure fascinated for 1 minute, critical-failure fascinated for 1 minute, critical-success dazzled for 1 minute, success dazzled for 1 minute, failure dazzled for 1 minute, critical-failure dazzled for 1 minute; 10-foot radius 120; sustained; on critical-failure deny reaction for 1 minute; 2",
    "Hypnotize": "3; wis; failure fascinated for 1 minute, critical-failure fascinated for 1 minute, critical-success dazzled for 1 minute, success dazzled for 1 minute, failure dazzled for 1 minute, critical-failure dazzled for 1 minute; 10-foot radius 120; sustained; on critical-failure deny reaction for 1 minute; 2",
    "Ignite Ambition": "1; wis; 60; 1 targets; 1",
    "Ignition": "1; attack; 2d4 fire, 3d4 fire; 30; 1 targets; persistent 1d4 fire, 2d4 fire; on success none persistent; on critical-success full persistent; at range: ; in melee: 2d6 fire, persistent 1d6 fire; 2",
    "Ill Omen": "1; wis; 30; 1 targets; leaves disadvantage attack, disadvantage check; for 1 round; 1 rolls; 2",
    "Illusory Disguise": "1; 30; 1 targets; leaves modifier check.cha:deception +4 type=status when chosen:illusory-disguise; for 1 hour; 2; rank 4: 30; 10 targets; leaves modifier check.cha:deception +4 type=status when chosen:illusory-disguise; for 1 hour",
    "Illusory Object": "1; 20-foot radius 500; 2; rank 2: 20-foot radius 500",
    "Impaling Briars": "8; attack; 10d6 piercing; 100-foot emanation; sustained; leaves modifier speed -10 type=circumstance; for 1 minute; 3",
    "Impaling Spike": "5; basic dex; 8d6 piercing, 10d6 piercing; failure immobilized for 1 minute, critical-failure immobilized for 1 minute, critical-failure off-guard for 1 minute; 30; 1 targets; 2",
    "Implosion": "9; basic con; 75, 85; 30; sustained; 1 targets; 2",
    "Inspire Competence": "1; 60; 1 targets; for 1 round; 1",
    "Inspire Courage": "1; 60-foot emanation; leaves modifier attack +1 type=status, modifier damage +1 type=status, modifier save +1 type=status when against:frightened; for 1 round; 1",
    "Invisibility": "2; invisible until it attacks for 10 minutes; 1 targets; 2; rank 4: invisible for 1 minute; 1 targets",
    "Invoke Spirits": "5; basic wis; 2d4 mental + 2d4 void; critical-failure frightened 2, critical-failure fleeing for 1 round; 10-foot radius 120; sustained; 2; rank 7: basic wis; 3d4 mental + 3d4 void; critical-failure frightened 2, critical-failure fleeing for 1 round; 10-foot radius 120; sustained; rank 9: basic wis; 4d4 mental + 4d4 void; critical-failure frightened 2, critical-failure fleeing for 1 round; 10-foot radius 120; sustained",
    "Item Facade": "1; self; for 1 hour; 2",
    "Laughing Fit": "2; wis; failure slowed 1 for 10 minutes, critical-failure prone, critical-failure stunned 3 for 1 round, critical-failure slowed 1 for 10 minutes; 30; sustained; 1 targets; leaves deny reaction; for 10 minutes; on success deny reaction for 10 minutes; 2",
    "Lay on Hands": "1; heals; 6, 12; 1 targets; leaves modifier ac +2 type=status when not is-source, not type:undead, modifier ac -2 type=status when type:undead; for 1 round; type:undead vitality con 0; 1",
    "Levitate": "3; 1 targets; leaves modifier attack -2 type=circumstance, modifier float +5; for 5 minutes; 2",
    "Light": "1; 120; 1 targets; for 24 hours; 2",
    "Lightning Bolt": "3; basic dex; 4d12 electricity, 5d12 electricity; 120-foot line; 2",
    "Magic Missile": "1; 3d4+3 force, 6d4+6 force; 120; 3; 1 actions: 1d4+1 force, 2d4+2 force; 120; 2 actions: 2d4+2 force, 4d4+4 force; 120",
    "Magic Passage": "5; self; for 1 hour; 2",
    "Magic Weapon": "1; 1 targets; leaves modifier attack +1 type=item when weapon, chosen:magic-weapon, extra damage +1 when weapon, chosen:magic-weapon; for 1 minute; 2",
    "Mariner's Curse": "5; wis; success sickened 1, failure sickened 1, critical-failure sickened 2; 1 targets; 2",
    "Mask of Terror": "7; 30; 1 (above: 5) targets; for 1 minute; frightened at attacked; 2; rank 8: 30; 5 targets; for 1 minute; frightened at attacked",
    "Massacre": "9; con; 100 void, 115 void; 60-foot line; on failure full damage; on critical-failure none damage then   at ; on success none damage then  damage 9d6 void at ; 2; rank 10: con; 115 void; 60-foot line; on failure full damage; on critical-failure none damage then   at ; on success none damage then  damage 9d6 void at ",
    "Meld into Stone": "3; self; for 10 minutes; 2",
    "Meteor Swarm": "9; basic dex; 14d6 fire, 16d6 fire; 40-foot radius 500; 2",
    "Mind Blank": "8; 30; 1 targets; leaves modifier save +4 type=status when against:mental; for 24 hours; 2",
    "Mind Probe": "5; wis; 30; 1 targets; 2",
    "Mind Reading": "3; wis; 30; 1 targets; on failure for 1 round; on critical-failure for 1 minute; 2",
    "Mirror Image": "2; self; for 1 minute; 3 rolls; deflects at attacked; 2",
    "Mislead": "6; invisible for 1 minute; self; sustained; for 1 minute; 2",
    "Mist": "2; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 3",
    "Mountain Resilience": "4; 1 targets; leaves damage bludgeoning -5, damage piercing -5, damage slashing -5 (above: damage bludgeoning -10, damage piercing -10, damage slashing -10); for 20 minutes; 2",
    "Negate Aroma": "1; 1 targets; for 1 hour; 2; rank 5: 30; 10 targets; for 1 hour",
    "Never Mind": "6; wis; success stupefied 2 for 1 round, failure stupefied 4, critical-failure stupefied 4; 30; 1 targets; 2",
    "Noise Blast": "2; basic con; 2d10 sonic, 3d10 sonic; failure deafened for 1 round, critical-failure deafened for 1 minute, critical-failure stunned 1; 10-foot radius 30; 2",
    "Obscuring Mist": "2; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 3",
    "One with Plants": "2; self; for 10 minutes; inside a plant: ; as a plant: modifier ac =20; 2",
    "One with Stone": "3; self; for 10 minutes; inside a stone: ; as a stone: modifier ac =23; 2",
    "Outcast's Curse": "4; wis; 1 targets; leaves disadvantage check.cha; on success disadvantage check.cha for 10 minutes; 2",
    "Overwhelming Presence": "9; wis; success fascinated, failure fascinated, critical-failure fascinated; 40-foot emanation; leaves deny targeting when target.is-source; on success deny targeting when target.is-source; 2",
    "Paralyze": "3; wis; success stunned 1, failure paralyzed for 1 round, critical-failure paralyzed for 4 rounds; 30; 1 targets; 2; rank 7: wis; success stunned 1, failure paralyzed for 1 round, critical-failure paralyzed for 4 rounds; 30; 10 targets",
    "Paranoia": "2; wis; success unfriendly for 1 round, failure unfriendly for 1 minute, critical-failure unfriendly for 1 minute; 30; 1 targets; 2; rank 6: wis; success unfriendly for 1 round, failure unfriendly for 1 minute, critical-failure unfriendly for 1 minute; 30; 5 targets",
    "Passwall": "5; self; for 1 hour; 2",
    "Peaceful Rest": "2; 1 targets; for 24 hours; 2",
    "Pest Form": "1; changed-shape for 10 minutes; self; leaves modifier speed =20, damage bludgeoning +5, damage piercing +5, damage slashing +5; for 10 minutes; 2",
    "Petrify": "6; con; success slowed 1 for 1 round; 120; 1 targets; 2",
    "Phantasmagoria": "9; basic wis; 16d6 mental; failure confused until the caster's turn starts, critical-failure confused for 1 minute; 120; on success deny reaction until owner-start; 2",
    "Phantasmal Calamity": "6; basic wis; 11d6 mental, 13d6 mental; 30-foot radius 500; on critical-failure then dex stunned until saved for 1 minute at ; 2",
    "Phantasmal Killer": "4; basic wis; 8d6 mental, 10d6 mental; success frightened 1, failure frightened 2; 120; 1 targets; on critical-failure none damage then con damage 12d6 mental, success frightened, critical-success frightened, success fleeing until turn-end, critical-success fleeing until turn-end at ; 2",
    "Phantom Pain": "1; wis; 2d4 mental, 4d4 mental; failure sickened 1 for 1 minute, critical-failure sickened 2 for 1 minute; 30; 1 targets; persistent 1d4 mental, 2d4 mental; on success full damage; 2",
    "Planar Seal": "7; 60-foot radius 120; 2",
    "Planar Tether": "4; wis; 30; 1 targets; on success for 1 minute; on failure for 10 minutes; on critical-failure for 1 hour; 2",
    "Polar Ray": "8; attack; 10d8 cold, 12d8 cold; drained 2; 120; 1 targets; 2",
    "Power Word Stun": "8; 30; 1 targets; level 13 or lower: 1 round: stunned for 1 round; level 13 or lower: 2 rounds: stunned for 2 rounds; level 13 or lower: 3 rounds: stunned for 3 rounds; level 13 or lower: 4 rounds: stunned for 4 rounds; level 13 or lower: 5 rounds: stunned for 5 rounds; level 13 or lower: 6 rounds: stunned for 6 rounds; level 14 or 15: stunned for 1 round; higher level: stunned; 1",
    "Prismatic Spray": "7; 30-foot cone; 1 red: dex, 50 fire; 2 orange: dex, 60 acid; 3 yellow: dex, 70 electricity; 4 green: con, 30 poison, enfeebled for 1 minute; 5 blue, as Petrify: con, slowed; 6 indigo: wis, failure confused for 1 minute, critical-failure confused; 7 violet: wis, slowed for 1 minute; 2",
    "Prismatic Wall": "8; wis; success dazzled for 1 round, failure blinded for 1 round, critical-failure blinded for 1 minute; 120; for 1 hour; 3",
    "Produce Flame": "1; attack; 2d4 fire, 3d4 fire; 30; 1 targets; persistent 1d4 fire, 2d4 fire; on success none persistent; on critical-success full persistent; at range: ; in melee: 2d6 fire, persistent 1d6 fire; 2",
    "Project Image": "7; self; sustained; for 1 minute; 2",
    "Protection": "1; 1 targets; leaves modifier ac +1 type=status, modifier save +1 type=status; for 1 minute; 2",
    "Pummeling Rubble": "1; basic dex; 2d4 bludgeoning, 4d4 bludgeoning; 15-foot cone; on critical-failure pushed 10; 2",
    "Punishing Winds": "8; 30-foot radius 100; sustained; 3",
    "Quandary": "8; 30; sustained; 1 targets; leaves deny being-targeted, deny targeting; 2",
    "Ray of Enfeeblement": "1; attack then con; success enfeebled 1 for 1 minute, failure enfeebled 2 for 1 minute, critical-failure enfeebled 3 for 1 minute; 30; 1 targets; 2",
    "Ray of Frost": "1; attack; 2d4 cold, 3d4 cold; 120; 1 targets; on critical-success modifier speed -10 type=status for 1 round; 2",
    "Regenerate": "7; 1 targets; leaves at-zero lives when not suffered:acid, not suffered:fire; for 1 minute; heals 15 at turn-start if not suffered:acid, not suffered:fire; 2; rank 9: 1 targets; leaves at-zero lives when not suffered:acid, not suffered:fire; for 1 minute; heals 20 at turn-start if not suffered:acid, not suffered:fire",
    "Remove Fear": "2; 1 targets; counteracts frightened, fleeing; 2; rank 6: 30; 10 targets; counteracts frightened, fleeing",
    "Repulsion": "6; wis; 40-foot emanation; on success for 1 minute; on failure for 1 minute; on critical-failure for 1 minute; 2",
    "Resist Energy": "2; 1 targets; for 10 minutes; acid: damage acid -5; cold: damage cold -5; electricity: damage electricity -5; fire: damage fire -5; sonic: damage sonic -5; 2; rank 4: 2 targets; for 10 minutes; acid: damage acid -10; cold: damage cold -10; electricity: damage electricity -10; fire: damage fire -10; sonic: damage sonic -10; rank 7: 5 targets; for 10 minutes; acid: damage acid -15; cold: damage cold -15; electricity: damage electricity -15; fire: damage fire -15; sonic: damage sonic -15",
    "Retributive Pain": "4; basic con; 30; 1 targets; 1",
    "Revealing Light": "2; dex; success dazzled for 2 rounds, failure dazzled for 1 minute, critical-failure dazzled for 10 minutes; 10-foot radius 120; leaves deny concealed, deny invisible; for 1 minute; on success deny concealed; deny invisible for 2 rounds; on critical-failure for 10 minutes; 2",
    "Reverse Gravity": "7; 20-foot radius 120; leaves modifier height +40; for 1 minute; 3",
    "Revival": "10; heals; 10d8+40; 30; for 1 minute; 2",
    "Rewrite Memory": "4; wis; 30; sustained; 1 targets; on failure for 5 minutes; on critical-failure for 5 minutes; 2",
    "Ring of Truth": "3; wis; 20-foot radius 30; leaves modifier check.cha:deception -2 type=status; for 10 minutes; on critical-success modifier check.cha:deception -2 type=status for 10 minutes; on success modifier check.cha:deception -2 type=status for 10 minutes; 2",
    "Runic Weapon": "1; 1 targets; leaves modifier attack +1 type=item when weapon, chosen:runic-weapon, extra damage +1 when weapon, chosen:runic-weapon; for 1 minute; 2; rank 6: 1 targets; leaves modifier attack +2 type=item when weapon, chosen:runic-weapon, extra damage +2 when weapon, chosen:runic-weapon; for 1 minute; rank 9: 1 targets; leaves modifier attack +3 type=item when weapon, chosen:runic-weapon, extra damage +3 when weapon, chosen:runic-weapon; for 1 minute",
    "Sanctuary": "1; 1 targets; for 1 minute; until attacks; deflects at attacked; 2",
    "Savor the Sting": "1; basic wis; 1d4 mental, 2d4 mental; 1 targets; leaves modifier attack-against +1 type=status when attacker.is-source, modifier check-against +1 type=status when attacker.is-source, duration lost when not ongoing; persistent 1d4 mental, 2d4 mental; 1",
    "Searing Light": "3; attack; 5d6 fire, 7d6 fire; 120; undead or fiend target: 5d6 fire + 5d6 spirit; other target: ; 2",
    "See Invisibility": "2; self; leaves senses invisible; for 10 minutes; 2; rank 5: self; leaves senses invisible; for 8 hours",
    "See the Unseen": "2; self; leaves senses invisible; for 10 minutes; 2; rank 5: self; leaves senses invisible; for 8 hours",
    "Shadow Blast": "5; basic dex; 5d8, 6d8; 30-foot cone: 30-foot cone; 50-foot line: 50-foot line; 15-foot burst: 15-foot burst; cone, Will: wis, 30-foot cone; line, Will: wis, 50-foot line; burst, Will: wis, 15-foot burst; 2",
    "Share Life": "2; 30; 1 targets; leaves damage all x1/2, duration lost when down | source.down | not source.within:30; for 10 minutes; damage 1 at hurt; 2",
    "Shatter": "2; 2d10 sonic, 3d10 sonic; 30; 1 targets; 2",
    "Shield": "1; self; leaves modifier ac +1 type=circumstance; until owner-start; reduces 5 at damage; 1; rank 3: self; leaves modifier ac +1 type=circumstance; until owner-start; reduces 10 at damage; rank 5: self; leaves modifier ac +1 type=circumstance; until owner-start; reduces 15 at damage; rank 7: self; leaves modifier ac +1 type=circumstance; until owner-start; reduces 20 at damage; rank 9: self; leaves modifier ac +1 type=circumstance; until owner-start; reduces 25 at damage",
    "Shillelagh": "1; 1 targets; leaves modifier attack +1 type=item when melee, weapon, (with:staff | with:club | with:quarterstaff), extra damage +1 when melee, weapon, (with:staff | with:club | with:quarterstaff), extra damage +1 when melee, weapon, (with:staff | with:club | with:quarterstaff), (target.type:undead | target.type:aberration); for 1 minute; 2",
    "Shocking Grasp": "1; attack; 2d12 electricity, 3d12 electricity; 1 targets; metal armor: persistent 1d4 electricity; no metal armor: ; 2",
    "Silence": "2; 1 targets; leaves deny casting; for 1 minute; 2",
    "Sleep": "1; wis; failure unconscious for 1 minute, critical-failure unconscious for 1 hour; 5-foot radius 30; on success modifier check.wis:perception -1 type=status for 1 round; 2; rank 4: wis; failure unconscious for 1 round, failure prone, critical-failure unconscious for 1 minute, critical-failure prone; 5-foot radius 30; on success modifier check.wis:perception -1 type=status for 1 round",
    "Slither": "5; dex; 3d6 piercing; failure grabbed, critical-failure restrained; 20-foot radius 120; persistent 1d6 poison, 2d6 poison; on critical-failure double damage double persistent; 3",
    "Slow": "3; con; success slowed 1 until its turn ends, failure slowed 1 for 1 minute, critical-failure slowed 2 for 1 minute; 30; 1 targets; 2; rank 6: con; success slowed 1 until its turn ends, failure slowed 1 for 1 minute, critical-failure slowed 2 for 1 minute; 30; 10 targets",
    "Solid Fog": "4; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 3",
    "Soothe": "1; heals; 1d10+4, 2d10+8; 30; 1 targets; leaves modifier save +2 type=status when against:mental; for 1 minute; 2",
    "Sound Body": "2; 1 targets; counteracts blinded, dazzled, deafened, enfeebled, sickened; 2; rank 4: 1 targets; counteracts blinded, dazzled, deafened, enfeebled, sickened, drained, slowed; rank 8: 1 targets; counteracts blinded, dazzled, deafened, enfeebled, sickened, drained, slowed, stunned",
    "Sound Burst": "2; basic con; 2d10 sonic, 3d10 sonic; failure deafened for 1 round, critical-failure deafened for 1 minute, critical-failure stunned 1; 10-foot radius 30; 2",
    "Speak with Animals": "2; self; for 1 hour; 2",
    "Speak with Plants": "4; self; for 8 hours; 2; rank 4: self; for 8 hours",
    "Speak with Stones": "5; self; for 1 hour; 2; rank 6: self; for 8 hours",
    "Spectral Hand": "2; self; for 1 minute; 2",
    "Spell Immunity": "4; 1 targets; leaves deny spells +10; for 24 hours; 2",
    "Spell Turning": "7; self; leaves deny spells +10; for 1 hour; 1 rolls; 2",
    "Spellwrack": "6; wis; 30; 1 targets; on success for 1 minute; on failure for 7 days; on critical-failure for 7 days; 2",
    "Spider Climb": "2; 1 targets; leaves modifier speed.climb least=20; for 10 minutes; 2; rank 5: 1 targets; leaves modifier speed.climb least=20; for 1 hour",
    "Spider Sting": "1; con; 1d4 piercing; 1 targets; on success full damage then  damage 1d4 poison at ; on failure full damage; on critical-failure full damage; on critical-success full damage; 2",
    "Spirit Blast": "6; basic con; 16d6 spirit, 18d6 spirit; 30; 1 targets; 2",
    "Spiritual Armament": "2; attack; 2d8, 3d8; 120; sustained; 2",
    "Spiritual Guardian": "5; attack; 3d8 spirit, 4d8 spirit; 120; sustained; 2",
    "Spiritual Weapon": "2; 120; sustained; 2",
    "Stabilize": "1; 30; 1 targets; ends dying; 2",
    "Status": "2; 1 targets; for 24 hours; 2; rank 4: 30; 10 targets; for 24 hours",
    "Stinking Cloud": "3; con; success sickened 1, failure sickened 1, failure slowed 1 for 1 minute, critical-failure sickened 2, critical-failure slowed 1 for 1 minute; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 2",
    "Stoneskin": "4; 1 targets; leaves damage bludgeoning -5, damage piercing -5, damage slashing -5 (above: damage bludgeoning -10, damage piercing -10, damage slashing -10); for 20 minutes; 2",
    "Storm of Vengeance": "9; 360-foot radius 800; sustained; acid rain: 4d8 acid; hail: con, 4d10 bludgeoning; lightning: dex, 7d6 electricity; rain and wind: ; thunder: con, deafened for 10 minutes; 3",
    "Stupefy": "2; wis; success stupefied 1 until the caster's turn starts, failure stupefied 2 for 1 minute, critical-failure stupefied 3 for 1 minute; 30; 1 targets; 2",
    "Subconscious Suggestion": "5; wis; 30; 1 targets; on failure for 24 hours; on critical-failure for 24 hours; 2; rank 9: wis; 30; 10 targets; on failure for 24 hours; on critical-failure for 24 hours",
    "Suggestion": "4; wis; 30; 1 targets; for 1 minute; on critical-failure for 1 hour; 2; rank 8: wis; 30; 10 targets; for 1 minute; on critical-failure for 1 hour",
    "Summon Animal": "1; self; sustained; for 1 minute; 3",
    "Summon Fiend": "5; self; sustained; for 1 minute; 3",
    "Summon Instrument": "1; self; for 1 hour; 3",
    "Summon Plant or Fungus": "1; self; sustained; for 1 minute; 3",
    "Sunburst": "7; basic dex; 8d10 fire + 8d10 vitality, 9d10 fire + 9d10 vitality; critical-failure blinded; 60-foot radius 500; on critical-failure full damage; 2",
    "Sure Footing": "2; 1 targets; counteracts clumsy, grabbed, paralyzed; 2; rank 4: 1 targets; counteracts clumsy, grabbed, paralyzed, immobilized, slowed, restrained; rank 6: 1 targets; counteracts clumsy, grabbed, paralyzed, immobilized, slowed, restrained, petrified; rank 8: 1 targets; counteracts clumsy, grabbed, paralyzed, immobilized, slowed, restrained, petrified, stunned",
    "Sure Strike": "1; self; leaves advantage attack; until turn; 1 rolls; 1",
    "Synaptic Pulse": "5; wis; success stunned 1, failure stunned 2, critical-failure stunned 3 for 1 round; 30-foot emanation; 2",
    "Tailwind": "1; self; leaves modifier speed +10 type=status; for 1 hour; 2; rank 2: self; leaves modifier speed +10 type=status; for 8 hours",
    "Tangle Vine": "1; attack; critical-success immobilized for 1 round; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 1 round; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized; 2; rank 2: attack; critical-success immobilized for 2 rounds; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 2 rounds; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized; rank 4: attack; critical-success immobilized for 1 minute; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 1 minute; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized",
    "Tanglefoot": "1; attack; critical-success immobilized for 1 round; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 1 round; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized; 2; rank 2: attack; critical-success immobilized for 2 rounds; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 2 rounds; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized; rank 4: attack; critical-success immobilized for 1 minute; 30; 1 targets; leaves modifier speed -10 type=circumstance; for 1 minute; on critical-success modifier speed -10 type=circumstance; duration lost when not immobilized",
    "Tangling Creepers": "6; attack; immobilized for 1 round; 40-foot radius 500; sustained; 3",
    "Telekinetic Projectile": "1; attack; 2d6 bludgeoning, 3d6 bludgeoning; 30; 1 targets; bludgeoning: 2d6 bludgeoning; piercing: 2d6 piercing; slashing: 2d6 slashing; 2",
    "Thunderstrike": "1; basic dex; 1d12 electricity + 1d4 sonic, 2d12 electricity + 2d4 sonic; 120; 1 targets; metal armor or a metal body: success clumsy for 1 round, failure clumsy for 1 round, critical-failure clumsy for 1 round; no metal: ; 2",
    "Tidal Surge": "1; con; 60; 1 targets; on critical-failure pushed 10; 1",
    "Time Stop": "10; extra-turns 3; self; 3",
    "Tongues": "5; 1 targets; for 1 hour; 2; rank 7: 1 targets; for 8 hours",
    "Touch of Idiocy": "2; wis; failure stupefied 2 for 1 minute, critical-failure stupefied 4 for 1 minute; 1 targets; 2",
    "Toxic Cloud": "5; basic con; 6d8 poison, 7d8 poison; 20-foot radius 120; leaves flat attack-against =5, flat attack =5; for 1 minute; 3",
    "Translate": "2; 30; 1 targets; for 1 hour; 2; rank 4: 30; 10 targets; for 1 hour",
    "Translocate": "4; self; teleports 120; 2; rank 5: self; teleports 5280",
    "Tree Shape": "2; self; leaves modifier ac =20, deny action, deny reaction; for 8 hours; 2",
    "Triple Time": "1; 60-foot emanation; leaves modifier speed +10 type=status; for 1 round; 1",
    "True Seeing": "6; self; leaves senses invisible; for 10 minutes; 2",
    "True Strike": "1; self; leaves advantage attack; until turn; 1 rolls; 1",
    "True Target": "7; 60; 1 targets; leaves advantage attack-against when attacker.hostile; until owner-start; 4 rolls; 1",
    "Truesight": "6; self; leaves senses invisible; for 10 minutes; 2",
    "Truespeech": "5; 1 targets; for 1 hour; 2; rank 7: 1 targets; for 8 hours",
    "Uncontrollable Dance": "8; wis; success off-guard for 3 rounds, success slowed 1 for 3 rounds, failure off-guard for 1 minute, failure slowed 2 for 1 minute, critical-failure off-guard for 1 minute, critical-failure slowed 3 for 1 minute; 1 targets; leaves deny reaction; for 1 minute; on success deny reaction for 3 rounds; 2",
    "Unfathomable Song": "9; wis; 120; sustained; 5 targets; 2",
    "Unfettered Movement": "4; 1 targets; leaves deny slowing type=circumstance; for 10 minutes; 2",
    "Unrelenting Observation": "8; 100; for 1 hour; 2",
    "Untamed Form": "1; changed-shape for 1 minute; self; for 1 minute; 2",
    "Untamed Shift": "1; self; for 1 minute; claws: ; jaws: ; elemental body: ; vines: modifier reach +5; wings (two actions): modifier speed.fly =30; 1",
    "Uplifting Overture": "1; 60; 1 targets; for 1 round; 1",
    "Vampiric Exsanguination": "6; basic con; 12d6 void, 14d6 void; 30-foot cone; 2",
    "Vampiric Feast": "3; basic con; 6d6 void, 8d6 void; 1 targets; 2",
    "Vampiric Touch": "3; basic con; 6d6 void, 8d6 void; 1 targets; 2",
    "Vanishing Tracks": "1; self; for 1 hour; 2; rank 2: self; for 8 hours; rank 4: 20; 10 targets; for 8 hours",
    "Vapor Form": "4; 1 targets; leaves deny targeting, deny casting, modifier speed.fly =10, damage bludgeoning -8, damage piercing -8, damage slashing -8; for 5 minutes; 2",
    "Veil": "4; 30; 10 targets; leaves modifier check.cha:deception +4 type=status when chosen:veil; for 1 hour; 2",
    "Ventriloquism": "1; self; for 10 minutes; 2; rank 2: self; for 1 hour",
    "Vibrant Pattern": "6; wis; failure blinded for 1 minute, critical-failure blinded for 1 minute, critical-success dazzled for 1 minute, success dazzled for 1 minute, failure dazzled for 1 minute, critical-failure dazzled for 1 minute; 10-foot radius 120; 2",
    "Vision of Death": "4; basic wis; 8d6 mental, 10d6 mental; success frightened 1, failure frightened 2, critical-failure frightened 4, critical-failure fleeing; 120; 1 targets; 2",
    "Visions of Danger": "7; basic wis; 8d8 mental, 9d8 mental; 30-foot radius 500; 3",
    "Vitality Lash": "1; basic con; 2d6 vitality, 3d6 vitality; critical-failure enfeebled 1 until the caster's turn starts; 30; 1 targets; 2",
    "Void Warp": "1; basic con; 2d4 void, 3d4 void; critical-failure enfeebled 1 until the caster's turn starts; 30; 1 targets; 2",
    "Volcanic Eruption": "7; basic dex; 14d6 fire, 16d6 fire; failure clumsy 1, critical-failure clumsy 1; 5-foot radius 120; leaves modifier speed -10 type=status; 2",
    "Wail of the Banshee": "9; basic con; 8d10 void; failure drained, critical-failure drained 4; 40-foot emanation; on success full damage; 2",
    "Wails of the Damned": "9; basic con; 8d10 void; failure drained, critical-failure drained 4; 40-foot emanation; on success full damage; 2",
    "Wall of Fire": "4; 4d6 fire, 5d6 fire; 120; 3",
    "Wall of Force": "6; 50-foot line 30; 3",
    "Wall of Ice": "5; 60-foot line 120; 3",
    "Wall of Thorns": "3; 3d4 piercing, 4d4 piercing; 60; 3",
    "Warp Mind": "7; wis; failure confused for 1 minute, critical-failure confused; 120; 1 targets; 2",
    "Water Walk": "2; 1 targets; for 10 minutes; 2; rank 4: 30; 10 targets; for 1 hour",
    "Wave of Despair": "5; wis; critical-failure slowed 1 for 1 minute; 30-foot cone; leaves deny reaction; for 1 minute; slowed until turn at turn-start; on success deny reaction for 1 round; 2; rank 7: wis; critical-failure slowed 1 for 1 minute; 60-foot cone; leaves deny reaction; for 1 minute; slowed until turn at turn-start; on success deny reaction for 1 round",
    "Weapon Storm": "4; basic dex; 4d8, 5d8; 30-foot cone; weapon with a d4: 4d4; weapon with a d6: 4d6; weapon with a d8: 4d8; weapon with a d10: 4d10; weapon with a d12: 4d12; 2",
    "Web": "2; dex; critical-failure immobilized for 1 round; 10-foot radius 30; 3; rank 4: dex; critical-failure immobilized for 1 round; 20-foot radius 60",
    "Wild Morph": "1; self; for 1 minute; claws: ; jaws: ; elemental body: ; vines: modifier reach +5; wings (two actions): modifier speed.fly =30; 2",
    "Wild Shape": "1; changed-shape for 1 minute; self; for 1 minute; 2",
    "Zealous Conviction": "6; 30; 10 targets; temporary 12; leaves modifier save +2 type=status when against:mental; for 10 minutes; 2; rank 9: 30; 10 targets; temporary 12; leaves modifier save +3 type=status when against:mental; for 10 minutes",
    "Zone of Truth": "3; wis; 20-foot radius 30; leaves modifier check.cha:deception -2 type=status; for 10 minutes; on critical-success modifier check.cha:deception -2 type=status for 10 minutes; on success modifier check.cha:deception -2 type=status for 10 minutes; on critical-failure modifier check.cha:deception -4 type=status; 2",
}


def ranked(spell: Spell) -> str:
    """Return a spell as it is written above, with what differs from a rank on or for a number of actions."""
    said = [ranked_at(spell, spell.level or 0), str(spell.price)]
    for one in spell.versions:
        when = f"rank {one.rank}" if one.rank else f"{one.price} actions"
        said.append(f"{when}: {ranked_at(spell, one.rank or spell.level or 0, one.price)}")
    return "; ".join([str(spell.level), *filter(None, said)])


def ranked_at(spell: Spell, rank: int, price: int = 0) -> str:
    spell = version_of(spell, rank, price)
    own, above = (
        spell_feature(spell, Caster(20, 12), level=level, price=price) for level in (rank, rank + spell.every)
    )
    assert own.dc == 20 or not own.save
    amounts = ", ".join(dict.fromkeys((own.damage or own.heals, above.damage or above.heals)))
    inflicted = ", ".join(map(degreed, own.afflictions))
    place = " ".join(part for part in (own.area, own.range) if part)
    saves = f"{'basic ' if own.half else ''}{own.save}"
    how = " then ".join(filter(None, ("attack" if own.attack is not None else "", saves if own.save else "")))
    heals = "heals" if own.heals else ""
    parts = [how, heals, amounts, inflicted, place, "sustained" if own.concentration else ""]
    parts += said_to_leave(own, above)
    if own.ongoing:
        parts.append("persistent " + ", ".join(dict.fromkeys((own.ongoing, above.ongoing))))
    parts += [f"on {one.degree} {said_at_degree(one)}" for one in spell.degrees]
    if other := spell.reversed:
        parts.append(f"{other.when} {other.kind} {other.save} {other.more}")
    parts += [f"teleports {step.teleport}" for step in own.does]
    parts += [f"{one.name}: {said_choice(one)}" for one in spell.choices]
    counters = "counteracts" if spell.counteracts else "ends"
    return "; ".join(filter(None, (*parts, f"{counters} {', '.join(spell.ends)}" if spell.ends else "")))


def said_at_degree(one: SpellDegree) -> str:
    shares = (f"{one.damage} damage" if one.damage else "", f"{one.ongoing} persistent" if one.ongoing else "")
    ends = (f"for {one.lasts}" if one.lasts else "", f"until {one.until}" if one.until != "never" else "")
    pushed = f"pushed {one.push}" if one.push else ""
    then = f"then {one.then.save} {said_feature(one.then)}" if one.then else ""
    return " ".join(filter(None, (*shares, format_data_rules(one.effect), *ends, pushed, then)))


def degreed(one: InflictedCondition) -> str:
    """Return a condition that a spell inflicts with its degree, its value and its end."""
    ends = _ENDS.get(one.ends, "") if one.ends != "never" else ""
    words = (one.degree, one.condition, one.value, ends, f"for {one.lasts}" if one.lasts else "")
    return " ".join(str(word) for word in words if word)


_ENDS = {
    "turn-end": "until its turn ends",
    "turn-start": "until its turn starts",
    "owner-start": "until the caster's turn starts",
    "attacks": "until it attacks",
    "saved": "until saved",
}


@pytest.mark.parametrize("name", RANKS)
def test_a_spell_of_pathfinder_has_the_figures_of_its_rules(name: str) -> None:
    assert ranked({one.name: one for one in pf2e().data.spells}[name]) == RANKS[name]


def test_no_spell_of_pathfinder_has_figures_that_nobody_looked_up() -> None:
    assert {one.name for one in pf2e().data.spells if has_figures(one)} == set(RANKS)


# A5E has figures of its own: smaller balls of fire, guardians nearer by.
ADVANCED = {
    "Acid Splash": "0; dex 60; 2d6 acid; 2 targets",
    "Aid": "2; 60; leaves modifier hp-max +5 carries=true (above: modifier hp-max +10 carries=true); for 8 hours",
    "Alter Self": "2; self; concentration; for 1 hour; amphibian: modifier speed.swim; altered state: ; natural weapons: modifier attack +1 when unarmed, extra damage dice=1d6 when unarmed",
    "Animal Friendship": "1; wis 30; charmed until harmed for 24 hours; 1 (above: 2) targets; when target.type:beast",
    "Animal Messenger": "2; 30; 1 targets; for 24 hours; when target.type:beast, target.up-to:tiny",
    "Antimagic Field": "8; 10-foot radius; concentration; leaves deny spells +10; for 1 hour; stands for 1 hour; ground carried inside",
    "Antipathy/Sympathy": "8; wis 60; for 10 days",
    "Arcane Eye": "4; 60; concentration; for 1 hour",
    "Awaken": "5; charmed for 30 days; 1 (above: 2) targets",
    "Bane": "1; cha 30; concentration; 3 (above: 4) targets; leaves extra attack dice=-1d4, extra save dice=-1d4; for 1 minute",
    "Banishment": "4; cha 60; concentration; 1 targets; leaves deny being-targeted, deny action, deny bonus, deny reaction; for 6 rounds; until saved",
    "Barkskin": "2; 1 targets; leaves modifier ac least=16; for 1 hour",
    "Beacon of Hope": "3; 30; concentration; leaves advantage save.wis, advantage save when death; for 1 minute",
    "Bestow Curse": "3; wis; concentration; 1 targets; for 1 minute; disadvantage: Strength: disadvantage check.str, disadvantage save.str; disadvantage: Dexterity: disadvantage check.dex, disadvantage save.dex; disadvantage: Constitution: disadvantage check.con, disadvantage save.con; disadvantage: Intelligence: disadvantage check.int, disadvantage save.int; disadvantage: Wisdom: disadvantage check.wis, disadvantage save.wis; disadvantage: Charisma: disadvantage check.cha, disadvantage save.cha; disadvantage against the caster: disadvantage attack when target.is-source; lost actions:  at turn-start; necrotic damage: extra damage-against dice='1d8 necrotic' when attacker.is-source",
    "Blade Barrier": "6; dex 120 half; 6d10 slashing, 7d10 slashing; concentration; stands for 10 minutes; later dex half: damage 6d10 slashing at other-starts enters first",
    "Bless": "1; 30; concentration; 3 (above: 4) targets; leaves extra attack dice=1d4, extra save dice=1d4; for 1 minute",
    "Blight": "4; con 30 half; 8d8 necrotic, 9d8 necrotic; when not target.type:undead, not target.type:construct; most type:plant; saves with disadvantage save when type:plant",
    "Blindness/Deafness": "2; con 30; blinded until saved for 1 minute; 1 (above: 2) targets; blinded: blinded until saved for 1 minute; deafened: deafened until saved for 1 minute",
    "Blink": "3; self; for 1 minute",
    "Blur": "2; 30; concentration; 1 (above: 2) targets; leaves disadvantage attack-against; for 1 minute",
    "Burning Gust of Wind": "2; str; 2d6 fire; 60-foot line, 10 feet wide; concentration; pushed 15; stands for 1 minute; later str: damage 2d6 fire at other-starts enters first; ground",
    "Burning Hands": "1; dex half; 3d6 fire, 4d6 fire; 15-foot cone",
    "Call Lightning": "3; dex 100 half; 3d10 lightning, 4d10 lightning; 5-foot radius; concentration; again for action, 10 minutes",
    "Calm Emotions": "2; cha 60; 20-foot radius; concentration; leaves deny charmed, deny frightened; for 1 minute; ends all of charmed, frightened",
    "Charm Person": "1; wis 30; charmed until harmed for 1 hour; 1 (above: 2) targets; when target.type:humanoid; saves with advantage save when other.hostile",
    "Clairvoyance": "3; concentration; for 10 minutes",
    "Cloudkill": "5; con 120 half; 5d8 poison, 6d8 poison; 20-foot radius; concentration; stands for 10 minutes; later con half: damage 5d8 poison at other-starts enters first; ground heavily obscured",
    "Command": "1; wis 60; 1 (above: 2) targets; for 1 round; until turn-end; come: ; drop: deny action, deny bonus, modifier speed =0; flee: ; kneel: deny action, deny bonus, modifier speed =0, prone at turn-start; halt: deny action, deny bonus, modifier speed =0; other: ; when not target.type:undead",
    "Commune": "5; self; for 1 minute",
    "Comprehend Languages": "1; self; for 1 hour",
    "Cone of Cold": "5; con half; 8d8 cold, 9d8 cold; 60-foot cone",
    "Confusion": "4; wis 120; 10-foot radius; concentration; confused until saved for 1 minute; success rattled for 1 round",
    "Conjure Animals": "3; 60; concentration; for 1 hour",
    "Conjure Celestial": "7; 60; concentration; for 1 hour",
    "Conjure Elemental": "5; 60; concentration; for 1 hour",
    "Contact Other Plane": "5; self; for 1 minute",
    "Contagion": "5; attack touch; 1 targets; for 7 days; until saved; blinding sickness: disadvantage check.wis, disadvantage save.wis, blinded until saved; filth fever: disadvantage check.str, disadvantage save.str; flesh rot: disadvantage check.cha, damage all x2; mindfire: disadvantage check.int, disadvantage save.int, confused until saved; rattling cough: disadvantage check.dex, disadvantage save.dex, rattled until saved; slimy doom: disadvantage check.con, disadvantage save.con; saves later",
    "Control Water": "4; 120; 100-foot cube; concentration; flood: ; parted water: ; changed flow: ; whirlpool: str, 2d8 bludgeoning, damage 2d8 bludgeoning at other-starts; again for action, 10 minutes; ground",
    "Control Weather": "8; self; concentration; for 8 hours",
    "Cure Wounds": "1; heals; 1d8+3, 2d8+3",
    "Dancing Lights": "0; 120; concentration; for 1 minute",
    "Darkness": "2; 60; 15-foot radius; concentration; leaves deny sight, deny being-seen; for 10 minutes; stands for 10 minutes; ground heavily obscured",
    "Daylight": "3; 60; 60-foot radius; stands for 1 hour; ground bright",
    "Death Ward": "4; 1 targets; leaves at-zero stays =1; for 8 hours; 1 rolls",
    "Detect Evil and Good": "1; self; concentration; for 10 minutes",
    "Detect Magic": "1; self; concentration; for 10 minutes",
    "Detect Poison and Disease": "1; self; concentration; for 10 minutes",
    "Detect Thoughts": "2; wis 30; concentration; again for action, 1 minute",
    "Dimension Door": "4; 500; teleport 500",
    "Disguise Self": "1; self; for 1 hour",
    "Disintegrate": "6; dex 60; 10d6+40 force, 13d6+40 force",
    "Divine Word": "7; 30; deafened for 1 minute if hp:49, not hp:39; blinded for 10 minutes if hp:39, not hp:29; deafened for 10 minutes if hp:39, not hp:29; stunned for 1 hour if hp:29, not hp:19; blinded for 1 hour if hp:29, not hp:19; deafened for 1 hour if hp:29, not hp:19",
    "Dominate Beast": "4; wis 60; concentration; charmed until hurt-save for 1 minute; 1 targets; when target.type:beast; saves with advantage save when other.hostile",
    "Dominate Monster": "8; wis 60; concentration; charmed until hurt-save for 1 hour; 1 targets; saves with advantage save when other.hostile",
    "Dominate Person": "5; wis 60; concentration; charmed until hurt-save for 1 minute; 1 targets; when target.type:humanoid; saves with advantage save when other.hostile",
    "Dream": "5; for 8 hours",
    "Earthquake": "8; dex 500; 100-foot radius; concentration; prone; again for free, 1 minute; ground difficult",
    "Enlarge": "2; self; concentration; leaves modifier size +1, advantage check.str, advantage save.str; for 1 minute",
    "Enlarge/Reduce": "2; con 30; concentration; 1 targets; for 1 minute; enlarge: modifier size +1, advantage check.str, advantage save.str, extra damage dice=1d4 when weapon; reduce: modifier size -1, disadvantage check.str, disadvantage save.str, extra damage dice=-1d4 when weapon",
    "Entangle": "1; str 120; 20-foot cube; concentration; restrained for 1 minute; stands for 1 minute; ground difficult for 1 minute",
    "Enthrall": "2; wis 60; leaves disadvantage check.wis:perception; for 1 minute; when not target.immune:charmed; saves with advantage save when other.hostile",
    "Etherealness": "7; self; leaves deny being-targeted, deny targeting; for 8 hours",
    "Expeditious Retreat": "1; self; concentration; again for bonus, 10 minutes",
    "Faerie Fire": "1; dex 60; 20-foot cube; concentration; leaves advantage attack-against, deny invisible; for 1 minute",
    "Faithful Hound": "4; 30; for 8 hours",
    "False Life": "1; self; temporary 1d4+4 (above: 1d4+9); for 1 hour",
    "Feather Fall": "1; 60; 5 targets; for 1 minute; slows falls",
    "Finger of Death": "7; con 60 half; 7d8+30 necrotic, 9d8+30 necrotic",
    "Fire Bolt": "0; attack 120; 2d10 fire",
    "Fire Shield": "4; self; for 10 minutes; warm: damage cold x1/2, damage 2d8 fire at hit if melee, attacker.within:5; chill: damage fire x1/2, damage 2d8 cold at hit if melee, attacker.within:5",
    "Fireball": "3; dex 120 half; 6d6 fire, 7d6 fire; 20-foot radius",
    "Flame Strike": "5; dex 60 half; 4d6 fire + 4d6 radiant, 5d6 fire + 4d6 radiant; 10-foot radius",
    "Fly": "3; concentration; 1 (above: 2) targets; leaves modifier speed.fly =60; for 10 minutes",
    "Fog Cloud": "1; 120; 20-foot radius; concentration; leaves deny sight, deny being-seen; for 1 hour; stands for 1 hour; ground heavily obscured",
    "Forbiddance": "6; for 24 hours",
    "Foresight": "9; 1 targets; leaves advantage d20, disadvantage attack-against; for 8 hours",
    "Freedom of Movement": "4; 1 targets; leaves terrain difficult, deny slowing, deny paralyzed when magic, deny restrained when magic; for 1 hour;  at turn-start",
    "Gaseous Form": "3; concentration; 1 targets; leaves deny targeting, deny casting, modifier speed.walk =0, modifier speed.fly =10, damage bludgeoning x1/2 when mundane, damage piercing x1/2 when mundane, damage slashing x1/2 when mundane, advantage save.str, advantage save.dex, advantage save.con, duration lost when down; for 1 hour",
    "Geas": "5; wis 60; charmed for 30 days; 1 targets",
    "Gentle Repose": "2; 1 targets; for 10 days",
    "Glibness": "8; self; leaves reroll check.cha least=15; for 1 hour",
    "Globe of Invulnerability": "6; 10-foot radius; concentration; leaves deny spells +5 (above: deny spells +6); for 1 minute; stands for 1 minute; ground inside",
    "Greater Invisibility": "4; concentration; invisible for 1 minute; 1 targets",
    "Greater Restoration": "5; 1 targets; ends one of charmed, petrified, fatigue, strife, life-drained, cursed",
    "Guardian of Faith": "4; dex 30 half; 20 radiant; 10-foot radius; stands for 8 hours; later dex half: damage 20 radiant at other-ends enters only if target.hostile; ground; ends after 60",
    "Guidance": "0; concentration; 1 targets; leaves expertise check; for 1 minute; 1 rolls",
    "Guiding Bolt": "1; attack 120; 4d6 radiant, 5d6 radiant; leaves advantage attack-against; until owner-end; 1 rolls",
    "Gust of Wind": "2; str; 60-foot line, 5 feet wide; concentration; pushed 15; stands for 1 minute; later str:  at other-starts enters first; ground",
    "Hallow": "5; cha",
    "Hallucinatory Terrain": "4; 300; for 24 hours",
    "Harm": "6; con 60 half; 14d6 necrotic, 16d6 necrotic",
    "Haste": "3; 30; concentration; 1 (above: 2) targets; leaves modifier ac +2, advantage save.dex, modifier speed x2, resource action +1; for 1 minute; then lethargic",
    "Heal": "6; heals 60; 70, 80; 1 targets; ends all of blinded, deafened",
    "Healing Word": "1; heals 60; 1d4+3, 2d4+3",
    "Heat Metal": "2; con 60; 2d8 fire, 3d8 fire; concentration; 1 targets; again for bonus, 1 minute",
    "Heroism": "1; concentration; 1 (above: 2) targets; leaves deny frightened; for 1 minute; temporary 3 at turn-start",
    "Hideous Laughter": "1; wis 30; concentration; prone; incapacitated until saved-hurt for 1 minute; 1 (above: 2) targets",
    "Hold Monster": "5; wis 60; concentration; paralyzed until saved for 1 minute; 1 (above: 2) targets",
    "Hold Person": "2; wis 60; concentration; paralyzed until saved for 1 minute; 1 (above: 2) targets; when target.type:humanoid",
    "Holy Aura": "8; 30-foot radius; concentration; leaves advantage save, disadvantage attack-against; for 1 minute; blinded for 1 minute at hit if attacker.type:fiend | attacker.type:undead",
    "Hypnotic Pattern": "3; wis 120; 20-foot cube; concentration; charmed until hurt for 1 minute; incapacitated until hurt for 1 minute; leaves modifier speed =0 when charmed, duration lost when not charmed; for 1 minute; until hurt",
    "Inflict Wounds": "1; attack touch; 3d10 necrotic, 4d10 necrotic",
    "Insect Plague": "5; con 300 half; 4d10 piercing, 5d10 piercing; 20-foot radius; concentration; stands for 10 minutes; later con half: damage 4d10 piercing at other-ends enters first; ground difficult lightly obscured",
    "Invisibility": "2; concentration; invisible until attacks for 1 hour; 1 (above: 2) targets",
    "Irresistible Dance": "6; wis 30; concentration; 1 (above: 2) targets; leaves modifier speed =0, disadvantage attack, disadvantage save, advantage attack-against; for 1 minute",
    "Jump": "1; 1 targets; for 1 minute",
    "Lesser Restoration": "2; 1 targets; ends one of blinded, deafened, paralyzed, poisoned",
    "Levitate": "2; con 60; concentration; 1 targets; leaves modifier speed =0, modifier float +20; for 10 minutes",
    "Light": "0; 20-foot radius; stands for 1 hour; ground carried bright",
    "Lightning Bolt": "3; dex half; 8d6 lightning, 9d6 lightning; 100-foot line, 5 feet wide",
    "Locate Creature": "4; self; concentration; for 1 hour",
    "Locate Object": "2; self; concentration; for 10 minutes",
    "Longstrider": "1; 1 (above: 2) targets; leaves modifier speed +10; for 1 hour",
    "Mage Armor": "1; 1 targets; leaves modifier ac +3; for 8 hours",
    "Mage Hand": "0; 30; for 1 minute",
    "Magic Circle": "3; 30; 10-foot radius; stands for 1 hour",
    "Magic Missile": "1; sure 120; 3d4+3 force, 4d4+4 force",
    "Magic Weapon": "2; concentration; bonus; 1 targets; leaves modifier attack +1 when weapon, chosen:magic-weapon, modifier damage +1 when weapon, chosen:magic-weapon (above: modifier attack +2 when weapon, chosen:magic-weapon, modifier damage +2 when weapon, chosen:magic-weapon); for 1 hour",
    "Major Image": "3; 120; 20-foot cube; concentration; stands for 10 minutes; ground",
    "Mass Cure Wounds": "5; heals 60; 3d8+3, 4d8+3; 30-foot radius; 6 targets",
    "Mass Heal": "9; heals 60; 700; ends all of blinded, deafened",
    "Mass Suggestion": "6; wis 60; 12 targets; for 24 hours; until harmed; when not target.immune:charmed",
    "Message": "0; 120; for 1 round",
    "Meteor Swarm": "9; dex half; 14d6 fire + 14d6 bludgeoning; 40-foot radius",
    "Mind Blank": "8; 1 targets; leaves damage psychic x0, deny charmed; for 24 hours",
    "Minor Illusion": "0; 30; 5-foot cube; stands for 1 minute; ground",
    "Mirage Arcane": "7; for 10 days",
    "Mislead": "5; self; concentration; invisible for 1 hour; again for action, ",
    "Misty Step": "2; self; teleport 30",
    "Modify Memory": "5; wis 30; concentration; charmed until hurt for 1 minute; incapacitated until hurt for 1 minute; 1 targets; saves with advantage save when other.hostile",
    "Move Earth": "6; 120; 40-foot square; concentration; stands for 2 hours; ground",
    "Nondetection": "3; 1 targets; for 8 hours",
    "Pass Without Trace": "2; 30-foot radius; concentration; leaves advantage check.dex:stealth when not source.hostile, expertise check.dex:stealth when not source.hostile; for 1 hour; stands for 1 hour; ground carried inside",
    "Passwall": "5; 30; for 1 hour",
    "Phantasmal Force": "2; int 60; concentration; 1 targets; for 1 minute; harmful: damage 1d6 psychic at turn-start; harmless: ",
    "Plane Shift": "7; attack touch, then cha; 1 targets; leaves deny being-targeted, deny targeting",
    "Polymorph": "4; wis 60; concentration; polymorphed for 1 hour; 1 targets; for 1 hour",
    "Power Word Stun": "8; con 60; stunned until saved; 1 targets; pool 150, 150; saves later",
    "Prestidigitation": "0; 30; for 1 hour",
    "Produce Flame": "0; attack 30; 2d8 fire",
    "Project Image": "7; self; concentration; for 24 hours",
    "Protection from Energy": "2; concentration; 1 targets; for 1 minute; acid: damage acid x1/2; cold: damage cold x1/2; fire: damage fire x1/2; lightning: damage lightning x1/2; thunder: damage thunder x1/2",
    "Protection from Evil and Good": "1; concentration; 1 targets; leaves disadvantage attack-against when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead, deny charmed when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead, deny frightened when attacker.type:aberration | attacker.type:celestial | attacker.type:elemental | attacker.type:fey | attacker.type:fiend | attacker.type:undead; for 10 minutes",
    "Protection from Poison": "2; 1 targets; leaves advantage save when against:poisoned, damage poison x1/2; for 1 hour; ends one of poisoned",
    "Ray of Frost": "0; attack 60; 2d8 cold; leaves modifier speed -10; until owner-start",
    "Remove Curse": "3; 1 targets; ends one of cursed",
    "Reverse Gravity": "7; dex 120; 50-foot radius; concentration; leaves modifier height +100; for 1 minute; stands for 1 minute; ground",
    "Sacred Flame": "0; dex 60; 2d8 radiant",
    "Sanctuary": "1; 30; 1 targets; for 1 minute; until attacks; deflects at attacked",
    "Scrying": "5; self; concentration; for 10 minutes",
    "Shatter": "2; con 60 half; 3d8 thunder, 4d8 thunder; 10-foot radius; saves with disadvantage save when type:construct",
    "Shield": "1; reaction; leaves modifier ac +5; for 1 round",
    "Shield of Faith": "1; 60; concentration; bonus; 1 targets; leaves modifier ac +2 (above: modifier ac +3); for 10 minutes",
    "Shillelagh": "0; attack touch; 1d8+3 bludgeoning; again for action, 1 minute",
    "Shocking Grasp": "0; attack touch; 2d8 lightning; leaves deny reaction; until turn-start",
    "Silent Image": "1; 60; 15-foot cube; concentration; stands for 10 minutes; ground",
    "Sleep": "1; 60; 20-foot radius; unconscious until hurt for 1 minute if not type:undead, not type:construct, not unconscious; pool 4d10, 6d10",
    "Sleet Storm": "2; dex 120; 40-foot radius; concentration; prone; stands for 1 minute; later dex: prone at other-starts enters first; ground difficult heavily obscured",
    "Slow": "3; wis 120; concentration; slowed until saved for 1 minute; success rattled until turn-end",
    "Spare the Dying": "0; stable if dying; 1 targets",
    "Speak with Animals": "1; self; for 10 minutes",
    "Speak with Dead": "3; for 10 minutes",
    "Speak with Plants": "3; self; 30-foot radius; stands for 10 minutes",
    "Spider Climb": "2; concentration; 1 (above: 2) targets; leaves modifier speed.climb; for 1 hour",
    "Spike Growth": "2; sure 120; 2d4 piercing; 20-foot radius; concentration; again for free, 10 minutes; later: damage 2d4 piercing at other-starts enters each; ground difficult",
    "Spirit Guardians": "3; wis half; 3d6 radiant, 4d6 radiant; 10-foot radius; concentration; leaves modifier speed x1/2 when source.hostile, source.within:10; for 10 minutes; stands for 10 minutes; later wis half: damage 3d6 radiant at other-starts enters first if target.hostile within 10; ground carried inside",
    "Spiritual Weapon": "2; attack 60; 1d8+3 force, 2d8+3 force; again for bonus, 1 minute",
    "Stoneskin": "4; concentration; 1 targets; leaves damage bludgeoning x1/2 when mundane, damage piercing x1/2 when mundane, damage slashing x1/2 when mundane; for 1 hour",
    "Storm of Vengeance": "9; 360-foot radius; concentration; first round: thunder: con, 2d6 thunder, deafened for 5 minutes; second round: acid: 1d6 acid; third round: six bolts: dex, 10d6 lightning; fourth round: hail: 2d6 bludgeoning; fifth round and later: cold: 1d6 cold; again for free, 1 minute",
    "Suggestion": "2; wis 30; concentration; 1 targets; for 8 hours; until harmed; when not target.immune:charmed",
    "Sunbeam": "6; con half; 6d8 radiant, 7d8 radiant; 60-foot line, 5 feet wide; concentration; blinded for 1 round; again for action, 1 minute; saves with disadvantage save when type:undead | type:ooze",
    "Telekinesis": "5; str 60; concentration; restrained until owner-end; 1 targets; again for action, 10 minutes; contest str",
    "Telepathic Bond": "5; 30; 8 targets; for 1 hour",
    "Teleport": "7; permanent circle, or an object from there: 100 on target; very familiar: 5 mishap 3d10 force, 13 an area like the goal, 24 off target, 100 on target; seen casually: 33 mishap 3d10 force, 43 an area like the goal, 53 off target, 100 on target; viewed once, or described: 43 mishap 3d10 force, 53 an area like the goal, 73 off target, 100 on target; not as it was described: 50 mishap 3d10 force, 100 an area like the goal",
    "Thaumaturgy": "0; 30; for 1 minute",
    "Thunderwave": "1; con half; 2d8 thunder, 3d8 thunder; 15-foot cube; pushed 10",
    "Time Stop": "9; self; extra-turns until affects",
    "Tongues": "3; 1 targets; for 1 hour",
    "True Seeing": "6; 1 targets; leaves senses dark, senses invisible; for 1 hour",
    "True Strike": "0; 30; concentration; 1 targets; leaves advantage attack-against when attacker.is-source; until owner-end; 1 rolls",
    "Vicious Mockery": "0; wis 60; 2d6 psychic; leaves disadvantage attack; until turn-end; 1 rolls",
    "Wall of Fire": "4; dex 120 half; 5d8 fire, 6d8 fire; concentration; stands for 1 minute; later: damage 5d8 fire at other-ends enters first",
    "Wall of Force": "5; dex 120; 100-foot wall; concentration; stands for 10 minutes",
    "Wall of Ice": "6; dex 120 half; 10d6 cold, 12d6 cold; concentration; pushed 5; stands for 10 minutes; later con half: damage 5d6 cold at other-ends",
    "Wall of Stone": "5; dex 120; 100-foot wall; concentration; stands for 10 minutes",
    "Water Breathing": "3; 30; 10 targets; for 24 hours",
    "Water Walk": "3; 30; 10 targets; for 1 hour",
    "Web": "2; dex 60; 20-foot cube; concentration; restrained; stands for 1 hour; later dex: restrained at other-starts enters first; ground difficult lightly obscured",
    "Wind Walk": "6; 30; for 8 hours",
    "Wind Wall": "3; str 120 half; 3d8 bludgeoning, 4d8 bludgeoning; concentration; stands for 1 minute",
    "Zone of Truth": "2; cha 60; 15-foot radius; truthful for 10 minutes; stands for 10 minutes; later cha: truthful for 10 minutes at other-starts enters only; ground",
}


def test_the_spells_of_a5e_have_its_own_figures() -> None:
    listed = [one for one in a5e().data.spells if one.level is not None]
    assert {one.name: said(one) for one in listed if has_figures(one)} == ADVANCED
    assert len(listed) > 80


# The levels by which a higher slot counts, for spells that don't count every level.
STEPS = {
    "a5e": {"magic-weapon": 2, "shield-of-faith": 3, "spiritual-weapon": 2, "sunbeam": 2},
    "dnd5e": {"flame-blade": 2, "magic-weapon": 2, "spiritual-weapon": 2},
    "pf2e": {
        "acid-arrow": 2, "acid-grip": 2, "acid-splash": 2, "blink": 2, "blood-vendetta": 2, "breath-of-life": 2, "caustic-blast": 2,
        "daze": 2, "energy-aegis": 2, "enervation": 2, "fire-shield": 2, "flicker": 2, "force-barrage": 2, "heroism": 3,
        "magic-missile": 2, "mountain-resilience": 2, "slither": 2, "spiritual-armament": 2,
        "spiritual-guardian": 2, "spiritual-weapon": 2, "stoneskin": 2,
    },
}  # fmt: skip


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e])
def test_spells_count_higher_levels_in_steps(rules):
    steps = {spell.id: spell.every for spell in rules().data.spells if spell.every > 1}
    assert steps == STEPS[rules().id]
