"""A letter dropped or swapped in any kind of word of any kind of data file is told with its line and what was meant."""

from __future__ import annotations

import random
import shutil
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import rtoml

from tests.games import GAMES
from tests.storage.mistyping import random_mistake, with_mistake
from turnwright.bootstrap import RuleSystems
from turnwright.cli.check import checked_file
from turnwright.encounter.field_specs import bare_type, fields_of_struct
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.references import FOREIGN, kinds_in
from turnwright.rules.system_data.statements import Statement
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import SystemDataError, read_ledger, read_system_data

APART = (
    "ledger.toml",
    "presets.toml",
    "spawns.toml",
    "terms.toml",
    "traits.toml",
)  # texts, stat blocks, and files with their own tests
SAMPLE = 1  # mistakes in each file; more are tried by hand
SYSTEM_MISTAKES = [
    # file, what stands there, what was typed, what was meant
    ("a5e/actions.toml", "[actions.dash]\nname", "[actoins.dash]\nname", "actions"),
    ("a5e/actions.toml", 'cost = "bonus"', 'cost = "bonsu"', "bonus"),
    ("a5e/actions.toml", 'costs = ["attack"]', 'costs = ["atack"]', "attack"),
    ("a5e/actions.toml", 'effect = "dashing"', 'effect = "dahsing"', "dashing"),
    ("a5e/actions.toml", 'ends = "turn"', 'ends = "trun"', "turn"),
    ("a5e/actions.toml", '"not track:fatigue"', '"not trak:fatigue"', "track"),
    ("a5e/actions.toml", '"not track:fatigue-sprint"', '"not track:fatigue-spint"', "fatigue-sprint"),
    ("a5e/actions.toml", '"refused.speed_zero"', '"refused.sped_zero"', "refused.speed_zero"),
    ("a5e/actions.toml", '"unspent:bonus"', '"unspent:bnous"', "bonus"),
    ("a5e/actions.toml", '"within:5"', '"withn:5"', "within"),
    ("a5e/actions.toml", '"not target.hostile"', '"not taget.hostile"', "target"),
    ("a5e/actions.toml", '"not target.hostile"', '"not target.hositle"', "hostile"),
    ("a5e/actions.toml", 'only = "attack"', 'only = "atack"', "attack"),
    ("a5e/actions.toml", 'of = "about"', 'of = "abuot"', "about"),
    ("a5e/actions.toml", 'rolls = ["check.dex:stealth"]', 'rolls = ["check.dex:steatlh"]', "stealth"),
    ("a5e/actions.toml", 'rolls = ["save.dex"]', 'rolls = ["sav.dex"]', "save"),
    ("a5e/actions.toml", 'against = "passive.perception"', 'against = "passive.percepton"', "perception"),
    ("a5e/actions.toml", 'against = "maneuver-dc"', 'against = "manuever-dc"', "maneuver-dc"),
    ("a5e/actions.toml", 'tags = ["hide"]', 'tags = ["hied"]', "hide"),
    ("a5e/actions.toml", 'ties = "ties-against"', 'ties = "ties-agianst"', "ties-against"),
    ("a5e/actions.toml", 'waived = "larger:2"', 'waived = "lagrer:2"', "larger"),
    ("a5e/actions.toml", '"proficient:acrobatics"', '"proficient:acrobatcs"', "acrobatics"),
    ("a5e/actions.toml", "specialty:tumbling", "specialty:tumblng", "tumbling"),
    ("a5e/actions.toml", '"heavy-armor"', '"heavy-amor"', "heavy-armor"),
    ("a5e/actions.toml", 'asks = ["choice", "remember"]', 'asks = ["choice", "rember"]', "remember"),
    ("a5e/actions.toml", 'tires = "fatigue-sprint"', 'tires = "fatigue-sprnit"', "fatigue-sprint"),
    ("a5e/actions.toml", 'outcome = "pushed"', 'outcome = "psuhed"', "pushed"),
    ("a5e/actions.toml", 'done = "maneuver"', 'done = "manuever"', "maneuver"),
    ("a5e/actions.toml", 'offers = ["fall-back"]', 'offers = ["fal-back"]', "fall-back"),
    ("a5e/actions.toml", "ledgers = { times", "ledgers = { tmies", "times"),
    ("a5e/actions.toml", '"a5e.action.disengage"]', '"a5e.action.disengag"]', "a5e.action.disengage"),
    ("a5e/actions.toml", "[actions.sprint.trial]", "[actions.spirnt.trial]", "sprint"),
    ("a5e/attack.toml", "natural_hit = 20", "natural_hti = 20", "natural_hit"),
    ("a5e/attack.toml", '"1d4", "1d6"', '"1d4", "1dd6"', ""),
    ("a5e/budget.toml", 'measure = "levels"', 'measure = "levls"', "levels"),
    ("a5e/budget.toml", "strongest = 150", "stronges = 150", "strongest"),
    ("a5e/cites.toml", '"setup.scene" =', '"setup.scnee" =', "setup.scene"),
    ("a5e/cites.toml", '= "a5e.setup.scene"', '= "a5e.setup.scen"', "a5e.setup.scene"),
    ("a5e/conditions.toml", '"incapacitated"]', '"incapactated"]', "incapacitated"),
    ("a5e/conditions.toml", 'kind = "deny", what = "sight"', 'kind = "dney", what = "sight"', "deny"),
    ("a5e/conditions.toml", 'kind = "deny", what = "sight"', 'kind = "deny", what = "sigth"', "sight"),
    ("a5e/conditions.toml", 'kind = "deny", what = "action"', 'kind = "deny", what = "actoin"', "action"),
    ("a5e/conditions.toml", 'kind = "modifier", what = "speed"', 'kind = "modifier", what = "sped"', "speed"),
    ("a5e/conditions.toml", 'kind = "duration", what = "moved"', 'kind = "duration", what = "mvoed"', "moved"),
    ("a5e/conditions.toml", 'kind = "grant", what = "prone"', 'kind = "grant", what = "prnoe"', "prone"),
    ("a5e/conditions.toml", 'kind = "fail", what = "save.str"', 'kind = "fail", what = "save.srt"', "str"),
    ("a5e/conditions.toml", 'what = "passive.perception"', 'what = "pasive.perception"', "passive"),
    ("a5e/conditions.toml", 'kind = "note", what = "round"', 'kind = "note", what = "ruond"', "round"),
    ("a5e/conditions.toml", 'when = "level:3"', 'when = "levle:3"', "level"),
    ("a5e/conditions.toml", '"melee, target.is-source', '"melle, target.is-source', "melee"),
    ("a5e/conditions.toml", "not target.condition:fell-back", "not target.condition:fel-back", "fell-back"),
    ("a5e/conditions.toml", 'when = "attacker.within:5"', 'when = "attacker.within:five"', ""),
    ("a5e/control.toml", 'check_ability = "str"', 'check_ability = "srt"', "str"),
    ("a5e/control.toml", 'command_cost = "bonus"', 'command_cost = "bonu"', "bonus"),
    ("a5e/countdown.toml", "medium = 5\n", "meduim = 5\n", "medium"),
    ("a5e/countdown.toml", "{ dice = 2,", "{ dcie = 2,", "dice"),
    ("a5e/dying.toml", 'prices = ["fatigue"', 'prices = ["fatgiue"', "fatigue"),
    ("a5e/dying.toml", 'ability = "con"\ndc = 15', 'ability = "cno"\ndc = 15', "con"),
    ("a5e/dying.toml", 'grappled = ["str:athletics"', 'grapled = ["str:athletics"', "grappled"),
    ("a5e/dying.toml", '"dex:acrobatics"]', '"dex:acrobatic"]', "acrobatics"),
    ("a5e/movement.toml", 'in_air = ["fly"', 'in_air = ["fyl"', "fly"),
    ("a5e/movement.toml", 'unprovoking = ["disengaging"]', 'unprovoking = ["disengagign"]', "disengaging"),
    ("a5e/movement.toml", '["water", "swim"]', '["watre", "swim"]', "water"),
    ("a5e/movement.toml", 'free_orders = ["dash"', 'free_orders = ["dahs"', "dash"),
    ("a5e/movement.toml", 'fall_kind = "bludgeoning"', 'fall_kind = "bludgoening"', "bludgeoning"),
    ("a5e/movement.toml", 'fall_die = "1d6"', 'fall_die = "1d6 fier"', "fire"),
    ("a5e/options.toml", 'environment = "swampy"', 'environment = "swmapy"', "swampy"),
    ("a5e/options.toml", 'entry = "swamp-gas"', 'entry = "swamp-gsa"', "swamp-gas"),
    ("a5e/options.toml", '[["grappled", "suffocating"]]', '[["grappled", "sufocating"]]', "suffocating"),
    ("a5e/places.toml", 'creature_option = "half-cover-creatures"', 'creature_option = "half-cover-creature"', "half-cover"),
    ("a5e/places.toml", 'on = ["ac", "save.dex"', 'on = ["ac", "save.dxe"', "dex"),
    ("a5e/places.toml", 'beats = ["dark"]', 'beats = ["drak"]', "dark"),
    ("a5e/places.toml", 'cover = "half", option', 'cover = "hlaf", option', "half"),
    ("a5e/presentation.toml", '"speeds", "initiative"]', '"speds", "initiative"]', "speeds"),
    ("a5e/resources.toml", 'refill = "turn-start"', 'refill = "trun-start"', "turn-start"),
    ("a5e/resources.toml", 'round_option = "reaction-each-round"', 'round_option = "reaction-each-roudn"', "reaction-each"),
    ("a5e/roles.toml", 'prone = "prone"', 'prone = "pron"', "prone"),
    ("a5e/roles.toml", 'prone = "prone"', 'prnoe = "prone"', "prone"),
    ("a5e/scaling.toml", 'by = "rating"', 'by = "ratign"', "rating"),
    ("a5e/spawns.toml", 'size = "medium"', 'size = "meduim"', "medium"),
    ("a5e/spawns.toml", "skills = { stealth", "skills = { steatlh", "stealth"),
    ("a5e/spawns.toml", 'damage = "2d6+2 necrotic"', 'damage = "2d6+2 necrtoic"', "necrotic"),
    ("a5e/spawns.toml", 'gear = ["sees-through-haze"]', 'gear = ["sees-thruogh-haze"]', "sees-through-haze"),
    ("a5e/spells.toml", 'kind = "acid"', 'kind = "acdi"', "acid"),
    ("a5e/spells.toml", "ignites = true", "ignties = true", "ignites"),
    ("a5e/standing.toml", 'what = "attack", when = "not sees"', 'what = "atack", when = "not sees"', "attack"),
    ("a5e/standing.toml", "option:flanking-own-actions, not opp", "option:flanking-own-action, not opp", "flanking-own"),
    ("a5e/standing.toml", "scene:water, ranged, weapon, long", "scene:watr, ranged, weapon, long", "water"),
    ("a5e/standing.toml", 'text = "why.void"', 'text = "why.viod"', "why.void"),
    ("a5e/system.toml", 'insight = { name = "Insight", ability = "wis" }', 'insight = { name = "Insight", ability = "wsi" }', "wis"),
    ("a5e/system.toml", '[initiative]\ncheck = "dex"', '[initiative]\ncheck = "dxe"', "dex"),
    ("a5e/system.toml", 'default_for = "combat"', 'default_for = "comabt"', "combat"),
    ("a5e/terms.toml", "game_master =", "game_mastr =", "game_master"),
    ("action_points/elsewhere.toml", 'dex = "agi"\nint', 'dex = "aig"\nint', "agi"),
    ("action_points/elsewhere.toml", 'bludgeoning = "blunt"', 'bludgeoning = "bulnt"', "blunt"),
    ("action_points/elsewhere.toml", 'bludgeoning = "blunt"', 'bludgoening = "blunt"', "bludgeoning"),
    ("action_points/elsewhere.toml", 'origin = "a5e"', 'origin = "a5"', "a5e"),
    ("action_points/grid.toml", "step = 1", "stpe = 1", "step"),
    ("action_points/reactions.toml", '"reactions-on-call"', '"reactions-on-cal"', "reactions-on-call"),
    ("action_points/resources.toml", 'off_turn_resource = "reaction"', 'off_turn_resource = "reacton"', "reaction"),
    ("dnd5e/standing.toml", "not with:dagger", "not with:dager", "dagger"),
    ("dnd5e/system.toml", "characters-first", "charcters-first", "characters-first"),
    ("a5e/attack.toml", 'kind = "system"', 'kind = "sytsem"', "system"),
    ("a5e/attack.toml", 'system = "a5e"', 'system = "ae5"', "a5e"),
    ("a5e/attack.toml", "format = 3", "fromat = 1", "format"),
    ("a5e/places.toml", "[cover.three-quarters]", "[cover.three-qaurters]", "three-quarters"),
    ("a5e/spells.toml", '"casting time"', '"castign time"', "casting time"),
    ("a5e/system.toml", 'delay = "delaying"', 'delay = "delayign"', "delaying"),
    ("pf2e/budget.toml", "adjusted = { elite", "adjusted = { eltie", "elite"),
    ("pf2e/budget.toml", "each = { trivial", "each = { trivail", "trivial"),
    ("pf2e/movement.toml", 'mount_price = "action"', 'mount_price = "actoin"', "action"),
    ("pf2e/conditions.toml", 'what = "hp-max", by_level', 'what = "hp-mxa", by_level', "hp-max"),
    ("pf2e/checks.toml", "degrees = 10", "degres = 10", "degrees"),
    ("pf2e/conditions.toml", 'add = -4, type = "status"', 'add = -4, type = "statsu"', "status"),
    ("pf2e/dying.toml", 'mechanism = "recovery-checks"', 'mechanism = "recvoery-checks"', "recovery-checks"),
    ("pf2e/dying.toml", 'worse = "wounded"', 'worse = "wonuded"', "wounded"),
    ("pf2e/turns.toml", "flat_dc = 15", "flat_cd = 15", "flat_dc"),
    ("pf2e/actions.toml", 'degree = "critical-success"', 'degree = "critical-succes"', "critical-success"),
]  # fmt: skip


def test_a_mistake_in_the_game_of_an_environment(tmp_path: Path) -> None:
    for folder in ("systems/a5e", "environments"):
        shutil.copytree(resource_path(folder), tmp_path / folder)
    file = tmp_path / "environments" / "hazy.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"a5e"', '"ae5"', 1), encoding="utf-8")
    with pytest.raises(SystemDataError, match=r"system: expected 'a5e', found 'ae5' \(did you mean 'a5e'"):
        read_system_data("a5e", tmp_path)


def line_of_change(before: str, after: str) -> int:
    lines = zip(before.splitlines(), [*after.splitlines(), ""], strict=False)
    return next(number for number, (old, new) in enumerate(lines, 1) if old != new)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("system", sorted({file.partition("/")[0] for file, *_ in SYSTEM_MISTAKES}))
def test_a_mistake_in_a_system(tmp_path: Path, system: str) -> None:
    for folder in (f"systems/{system}", "environments"):
        shutil.copytree(resource_path(folder), tmp_path / folder)
    for file, old, new, meant in SYSTEM_MISTAKES:
        if not file.startswith(f"{system}/"):
            continue
        mutated = tmp_path / "systems" / file
        before = mutated.read_text(encoding="utf-8")
        assert old in before
        after = before.replace(old, new, 1)
        mutated.write_text(after, encoding="utf-8")
        with pytest.raises(SystemDataError) as caught:
            read_system_data(system, tmp_path)
        error = caught.value
        assert (error.file, error.line) == (mutated, line_of_change(before, after)), str(error)
        assert f"did you mean '{meant}" in error.message if meant else error.message
        mutated.write_text(before, encoding="utf-8")


ENCOUNTER = """\
format = 3
system = "a5e"
title = "The ford"

[scene]
purpose = "combat"
light = "dim"
strictness = "warn"
options = ["round-up", "not hidden-attacker"]
suspended = ["water"]

[creatures.ann]
name = "Ann"
size = "medium"
speeds = { walk = 30, swim = 15 }
hit_dice = "2d8+2"
abilities = { str = 14, dex = 12 }
saves = { con = 3 }
skills = { athletics = 4 }
senses = { darkvision = 60 }
gear = ["shield"]
specialties = ["tumbling"]
passives = { perception = 12 }
slots = { 1 = 2 }
spellcasting = "wis"
tags = ["elite"]
source = "own"

[creatures.raider]
name = "Raider"
resistances = ["cold"]
immunities = ["poison"]
absorptions = ["fire"]
condition_immunities = ["prone"]

[creatures.raider.features.axe]
name = "Axe"
cost = "action"
damage = "1d8+3 slashing"
ability = "str"
properties = ["two-handed"]

[creatures.raider.features.flurry]
name = "Flurry"
cost = "action"
multiattack = [{ axe = 2 }]

[creatures.raider.features.howl]
name = "Howl"
cost = "bonus"
save = "wis"
dc = 13
per = "rest"
ongoing = "1d4 psychic"
afflictions = [{ condition = "poisoned", ends = "turn-end", degree = "failure" }]

[roster.ann]
creature = "ann"
side = "party"
player = "Kim"
check = "wis:perception"

[roster.raiders]
creature = "raider"
count = 2
gear = ["cold-weather-gear"]
outside = ["moor"]

[roster.late]
creature = "raider"
wave = "second-boat"
side = "enemies"

[roster.rider]
creature = "raider"
controller = "ann"
rides = "raiders"

[environments.moor]
name = "Moor"

[environments.moor.features.fog]
name = "Fog"
kind = "area"
trigger = "turn-end"
affects = "each"
save = { ability = "con", dc = 12 }
damage = "2d6 cold"
unaffected = ["resistant:cold", "skin-covered"]
reduced = "cold-weather-gear"
reduced_damage = "1d6 cold"
per_die = "thunder"
terrain = "difficult"

[environments.moor.actions.hands]
name = "Hands"
affects = "one"
check = { ability = "str", skill = "athletics", dc = 12, cost = "action" }
afflictions = [{ condition = "grappled" }]
spawn = { creature = "shadow", name = "Shadow" }

[countdowns.flood]
name = "Flood"
speed = "fast"
outcomes = [
    { kind = "add-wave", wave = "second-boat" },
    { kind = "trigger-entry", environment = "moor", entry = "hands" },
    { kind = "deal-damage", damage = "2d6 cold" },
]

[waves.second-boat]
when = "half"
who = "raiders"

[handouts.note]
title = "A note"
style = "letter"

[map]
columns = 8
rows = 8
diagonals = "equal"

[map.areas.bank]
environment = "moor"
feature = "fog"
squares = [[0, 0, 2, 2]]
"""
ENCOUNTER_MISTAKES = [
    ("[creatures.ann]", "[creaturse.ann]", "creatures"),
    ('system = "a5e"', 'system = "a5"', "a5e"),
    ('title = "The ford"', 'titel = "The ford"', "title"),
    ('purpose = "combat"', 'purpose = "comabt"', "combat"),
    ('light = "dim"', 'light = "dmi"', "dim"),
    ('strictness = "warn"', 'stricness = "warn"', "strictness"),
    ('"round-up"', '"ruond-up"', "round-up"),
    ('"not hidden-attacker"', '"not hiden-attacker"', "hidden-attacker"),
    ('suspended = ["water"]', 'suspended = ["watre"]', "water"),
    ('size = "medium"', 'size = "meduim"', "medium"),
    ("walk = 30", "wlak = 30", "walk"),
    ("dex = 12", "dxe = 12", "dex"),
    ("saves = { con", "saves = { cno", "con"),
    ("athletics = 4", "athletcs = 4", "athletics"),
    ("darkvision = 60", "darkvison = 60", "darkvision"),
    ('gear = ["shield"]', 'gear = ["sheild"]', "shield"),
    ('["tumbling"]', '["tumblign"]', "tumbling"),
    ("perception = 12", "percepton = 12", "perception"),
    ('spellcasting = "wis"', 'spellcasting = "wsi"', "wis"),
    ('tags = ["elite"]', 'tags = ["elit"]', "elite"),
    ('resistances = ["cold"]', 'resistances = ["cldo"]', "cold"),
    ('immunities = ["poison"]', 'immunities = ["posion"]', "poison"),
    ('absorptions = ["fire"]', 'absorptions = ["fier"]', "fire"),
    ("[creatures.raider.features.axe]", "[creatures.radier.features.axe]", "raider"),
    ('condition_immunities = ["prone"]', 'condition_immunities = ["pron"]', "prone"),
    ('condition_immunities = ["prone"]', 'condition_immunties = ["prone"]', "condition_immunities"),
    ('cost = "action"\ndamage', 'cost = "actoin"\ndamage', "action"),
    ('"1d8+3 slashing"', '"1d8+3 slahsing"', "slashing"),
    ('ability = "str"\nprop', 'ability = "srt"\nprop', "str"),
    ('["two-handed"]', '["two-hadned"]', "two-handed"),
    ("{ axe = 2 }", "{ aex = 2 }", "axe"),
    ('save = "wis"\ndc = 13', 'save = "wsi"\ndc = 13', "wis"),
    ("dc = 13", "cd = 13", "dc"),
    ('per = "rest"', 'per = "ersst"', "rest"),
    ('"1d4 psychic"', '"1d4 pyschic"', "psychic"),
    ('condition = "poisoned"', 'condition = "posioned"', "poisoned"),
    ('ends = "turn-end"', 'ends = "trun-end"', "turn-end"),
    ('degree = "failure"', 'degree = "failrue"', "failure"),
    ('creature = "ann"', 'creature = "nan"', "ann"),
    ('side = "party"', 'side = "praty"', "party"),
    ('side = "enemies"', 'side = "enemeis"', "enemies"),
    ('check = "wis:perception"', 'check = "wis:perceptoin"', "perception"),
    ("count = 2", "cuont = 2", "count"),
    ('gear = ["cold-weather-gear"]', 'gear = ["cold-wether-gear"]', "cold-weather-gear"),
    ('outside = ["moor"]', 'outside = ["moro"]', "moor"),
    ('wave = "second-boat"\nside', 'wave = "second-bota"\nside', "second-boat"),
    ('controller = "ann"', 'controller = "anne"', "ann"),
    ('rides = "raiders"', 'rides = "radiers"', "raiders"),
    ('kind = "area"', 'kind = "aera"', "area"),
    ('trigger = "turn-end"', 'trigger = "turn-edn"', "turn-end"),
    ('affects = "each"', 'affects = "eahc"', "each"),
    ('save = { ability = "con"', 'save = { abilty = "con"', "ability"),
    ('save = { ability = "con"', 'save = { ability = "cno"', "con"),
    ('"2d6 cold"\nunaffected', '"2d6 clod"\nspared', "cold"),
    ('"resistant:cold"', '"resitant:cold"', "resistant"),
    ('"resistant:cold"', '"resistant:cldo"', "cold"),
    ('"skin-covered"', '"skin-coverd"', "skin-covered"),
    ('reduced = "cold-weather-gear"', 'reduced = "cold-waether-gear"', "cold-weather-gear"),
    ('per_die = "thunder"', 'per_die = "thudner"', "thunder"),
    ('terrain = "difficult"', 'terrain = "dificult"', "difficult"),
    ('skill = "athletics"', 'skill = "atheltics"', "athletics"),
    ('cost = "action" }', 'cost = "actoin" }', "action"),
    ('condition = "grappled"', 'condition = "grapled"', "grappled"),
    ('creature = "shadow"', 'creature = "shadwo"', "shadow"),
    ('speed = "fast"', 'speed = "fsat"', "fast"),
    ('kind = "add-wave"', 'kidn = "add-wave"', "kind"),
    ('kind = "add-wave"', 'kind = "add-wvae"', "add-wave"),
    ('environment = "moor", entry', 'environment = "mor", entry', "moor"),
    ('entry = "hands"', 'entry = "hadns"', "hands"),
    ('damage = "2d6 cold" }', 'damage = "2d6 clod" }', "cold"),
    ('when = "half"', 'when = "hlaf"', "half"),
    ('who = "raiders"', 'who = "radiers"', "raiders"),
    ('style = "letter"', 'style = "lettre"', "letter"),
    ("columns = 8", "colums = 8", "columns"),
    ('diagonals = "equal"', 'diagonals = "eqaul"', "equal"),
    ('environment = "moor"\nfeature', 'environment = "morr"\nfeature', "moor"),
    ('feature = "fog"', 'feature = "fgo"', "fog"),
    ("squares =", "sqaures =", "squares"),
]  # fmt: skip


def test_a_mistake_in_dice_is_told_with_the_place_in_them(tmp_path: Path) -> None:
    found = findings_after(tmp_path / "ford.toml", ENCOUNTER, 'hit_dice = "2d8+2"', 'hit_dice = "2dd8+2"')
    assert [message for off, message in found if off == 0 and "not a dice expression" in message], found


def findings_after(file: Path, before: str, old: str, new: str) -> list[tuple[int, str]]:
    """Return the findings of a file, which has none, on the line on which a mistake was made in it."""
    file.write_text(before, encoding="utf-8")
    assert checked_file(file, RuleSystems()).findings == ()
    assert old in before
    after = before.replace(old, new, 1)
    file.write_text(after, encoding="utf-8")
    found = checked_file(file, RuleSystems()).findings
    return [(one.line - line_of_change(before, after), one.message) for one in found]


def test_a_mistake_in_an_encounter(tmp_path: Path) -> None:
    for old, new, meant in ENCOUNTER_MISTAKES:
        found = findings_after(tmp_path / "ford.toml", ENCOUNTER, old, new)
        assert [message for off, message in found if off == 0 and f"did you mean '{meant}'?" in message], (new, found)


def shipped(path: str) -> str:
    return resource_path(path).read_text(encoding="utf-8")


PARTY = """\
format = 3
kind = "party"
system = "pf2e"
id = "three"
name = "Three"

[creatures.ann]
name = "Ann"
skills = { athletics = 4 }

[roster.ann]
creature = "ann"
side = "party"
check = "wis:perception"
"""
LIBRARY_MISTAKES = [
    ("library/a5e/toll-knight.toml", 'kind = "creature"', 'kind = "craeture"', "creature"),
    ("library/a5e/toll-knight.toml", "system =", "sytsem =", None),
    ("library/a5e/toll-knight.toml", 'gear = ["skin-covered"]', 'gear = ["skin-covred"]', "skin-covered"),
    ("library/dnd5e/goat-thief.toml", "abilities =", "abilites =", "abilities"),
    ("library/dnd5e/goat-thief.toml", 'size = "small"', 'size = "samll"', "small"),
    ("library/pf2e/hail-crow.toml", "name =", "nmae =", "name"),
    ("environments/rocky.toml", 'kind = "object"', 'kind = "obejct"', "object"),
    ("environments/rocky.toml", "2d10 bludgeoning", "2d10 bludgeonign", "bludgeoning"),
    ("environments/rocky.toml", 'skill = "athletics"', 'skill = "athletcis"', "athletics"),
    ("environments/frigid.toml", "resistant:cold", "resistnat:cold", "resistant"),
    ("environments/fiery.toml", '"a5e.env.fiery.flame-burst"', '"a5e.env.fiery.flame-brust"', "a5e.env.fiery.flame-burst"),
    ("library/a5e/fen-wyrm.toml", '["marsh-breath"]', '["marsh-braeth"]', "marsh-breath"),
    ("environments/frigid.toml", "recharge = 4", "rehcarge = 4", "recharge"),
    (PARTY, "[roster.ann]", "[rotser.ann]", "roster"),
    (PARTY, "wis:perception", "wis:preception", "perception"),
    (PARTY, "athletics = 4", "athlteics = 4", "athletics"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "old", "new", "meant"), LIBRARY_MISTAKES)
def test_a_mistake_in_a_library(tmp_path: Path, source: str, old: str, new: str, meant: str | None) -> None:
    before = source if "\n" in source else shipped(source)
    found = findings_after(tmp_path / "own.toml", before, old, new)
    if meant is not None:
        assert [message for off, message in found if off == 0 and f"did you mean '{meant}'?" in message], found
    assert found


LEDGER_MISTAKES = [
    ('kind = "game-master"', 'kind = "gamemaster"', "game-master"),
    ("title =", "tilte =", "title"),
    ("statement =", "statment =", "statement"),
]


@pytest.mark.parametrize(("old", "new", "meant"), LEDGER_MISTAKES)
def test_a_mistake_in_a_ledger(tmp_path: Path, old: str, new: str, meant: str) -> None:
    file = tmp_path / "systems" / "a5e" / "ledger.toml"
    file.parent.mkdir(parents=True)
    before = shipped("systems/a5e/ledger.toml")
    after = before.replace(old, new, 1)
    file.write_text(after, encoding="utf-8")
    with pytest.raises(SystemDataError) as caught:
        read_ledger("a5e", tmp_path)
    assert caught.value.line == line_of_change(before, after)
    assert f"did you mean '{meant}'?" in caught.value.message


WORD_MISTAKES = [
    ("[ui.general]\nclose", "[ui.genreal]\nclose", "ui.general.close", 1),
    ('yes = "Yes"', 'yse = "Yes"', "ui.general.yes", 0),
    ("{n} {hp.temporary-small}", "{n} {hp.temprary-small}", "hp.temporary-small", 0),
    ("{now} of {maximum}", "{now} of {maxmium}", "maximum", 0),
    ("{n|1 die|{n} dice}: {faces}", "{n|1 die|{n} dice}: {fcaes}", "faces", 0),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("old", "new", "meant", "below"), WORD_MISTAKES)
def test_a_mistake_in_the_texts(tmp_path: Path, old: str, new: str, meant: str, below: int) -> None:
    found = findings_after(tmp_path / "en.toml", shipped("words/en.toml"), old, new)
    assert [message for off, message in found if off == below and f"did you mean '{meant}'?" in message], found


# What a system declares by itself, words for people, and what no list holds.
FREE = {
    "id", "name", "text", "short", "group", "unit", "suits", "names", "below", "above", "notes", "description",
    "ActionOption.takes", "AttackFigures.single_immunity", "AttackFigures.stowed", "AttackFigures.words", "Benchmark.rating", "BudgetFigures.complex",
    "BudgetFigures.hazard", "BudgetFigures.raised", "BudgetFigures.ratings", "BudgetFigures.threats", "BudgetFigures.twice",
    "Check.against", "CheckFigures.types", "Resource.ready", "Company.kinds", "Company.words", "Condition.shape_type", "CreaturePhase.creature", "CreaturePhase.note", "CreaturePhase.recharges", "Creature.ac_note", "Creature.alignment", "Creature.assumed", "Creature.classes", "Creature.environments",
    "Creature.languages", "Creature.licence", "Creature.portrait", "Creature.read", "Creature.source", "Creature.tactics", "Creature.type",
    "DataRule.what", "DeviceFigures.tags", "SystemData.engine_ids", "DyingFigures.remedies", "EntryOverride.within",
    "Environment.size", "Environment.source", "EnvironmentEntry.cover_when",
    "EnvironmentEntry.range", "EnvironmentEntry.within", "Feature.area", "Feature.assumed", "Feature.multiattack", "Feature.range",
    "Feature.read", "Feature.requires", "Feature.shares", "FeatureStep.form", "FeatureStep.recharges", "FeatureStep.summons", "FeatureStep.use", "MovementFigures.mount_independent", "MovementFigures.mount_untrained", "Presentation.headings", "Presentation.ratings",
    "PresetClass.usual", "PresetFigures.usual", "PresetWeapon.range",
    "SourceNote.about", "Spawn.side", "Spell.area", "Spell.casting_time", "Spell.range", "SpellChoice.area", "SpellOdds.result", "SpellVersion.area", "SpellVersion.range", "SystemData.based_on", "SystemData.damage_traits", "SystemData.editions", "SystemData.gear", "SystemData.gone", "SystemData.marks", "SystemData.roles", "SystemData.specialties", "Translation.creatures", "Translation.words",
}  # fmt: skip


def records_in(struct: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    """Return a record's type with those of all records in it; statements are read by themselves."""
    found, waiting = set(), [struct]
    while waiting:
        found.add(one := waiting.pop())
        inner = {part for field in fields_of_struct(one) for part in parts_of_type(field.type)}
        waiting += [part for part in inner - found - {Statement, LedgerRule} if is_record(part)]
    return found


def is_record(part: object) -> bool:
    return isinstance(part, type) and issubclass(part, msgspec.Struct)


def parts_of_type(annotation: object) -> set[object]:
    inner = bare_type(annotation)
    return {inner}.union(*(parts_of_type(one) for one in get_args(inner) if not isinstance(one, str)))


def test_every_text_of_a_system_is_free_or_names_what_is_known() -> None:
    records = records_in(SystemData)
    bare = {
        f"{record.__name__}.{field.name}"
        for record in records
        for field in fields_of_struct(record)
        if str in parts_of_type(field.type) and field.name not in {*kinds_in(record), *FREE}
    }
    assert sorted(bare - FREE) == []
    assert sorted(one for one in FREE - bare if "." in one) == []


def test_every_kind_of_name_is_one_of_those_known() -> None:
    known = known_ids(RuleSystems().get("a5e").data).keys() | {"rule", "word", "term", "game", "habitat", "icon"}
    split = {"check", "dice", "field of a creature", "foreign check", "hit dice", "reduction", "listed damage type",
             "statement",
             "switch of a table rule", "text"}  # fmt: skip
    kinds = {kind for record in records_in(SystemData) for each in kinds_in(record).values() for kind in each}
    assert {kind for kind in kinds if not kind.startswith(FOREIGN)} <= known | split


@pytest.mark.sampled(2)
@pytest.mark.parametrize("system", GAMES)
def test_words_of_a_systems_files_are_refused_if_mistyped(tmp_path: Path, system: str) -> None:
    files = [file for file in sorted(resource_path(f"systems/{system}").glob("*.toml")) if file.name not in APART]
    silent = []
    for number, file in enumerate(files):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for seed in range(SAMPLE):
            place, typed = random_mistake(table, random.Random(f"{system} {number} {seed}"))
            changed = tmp_path / file.name
            changed.write_text(rtoml.dumps(with_mistake(table, place, typed)), encoding="utf-8")
            try:
                read_system_data(system, changed=changed)
            except SystemDataError:
                continue
            silent.append((file.name, place, typed))
    assert silent == []
