"""The table of a party: rows as typed, the numbers of a class, words that aren't understood, and pasted tables."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import a5e, action_points, creature, dnd5e, pf2e
from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry, Scene
from turnwright.encounter.roles import is_character, role_of
from turnwright.encounter.state import Encounter, entry_name
from turnwright.forecast.sentences import summary
from turnwright.importers.traits.powers import character_rules
from turnwright.play.session import Session
from turnwright.play.setup.roster import BringParty
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.resources import resource_path
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.party_states import sample_party
from turnwright.workspace.party_table import PartyReader, PartyRow, ReadRow, pasted_rows

WORDS = WordCatalogue.load()
FOUR = (
    PartyRow("Aria", "Jo", "fighter 5"),
    PartyRow("Borin", classes="cleric"),
    PartyRow("Dol", classes="rogue"),
    PartyRow("Cass", classes="wizard"),
)
FOES = ((("ogre", 3),), (("hobgoblin", 5), ("veteran", 1)), (("owlbear", 2),))


def reader(rules=None, find=lambda _name: None) -> PartyReader:
    rules = rules or dnd5e()
    return PartyReader(rules, character_rules(rules.data), find, WORDS)


def read(*rows: PartyRow, rules=None) -> tuple[ReadRow, ...]:
    return reader(rules).read(rows)


def features(row: ReadRow):
    return {feature.id: feature for feature in row.creature.features}


def test_name_class_and_level_are_enough():
    aria, borin, *_ = read(*FOUR)
    assert (aria.creature.level, aria.creature.ac, aria.creature.hp, aria.creature.classes) == (5, 18, 44, "fighter 5")
    assert dict(aria.creature.saves) == {"str": 7, "con": 5}
    sword = features(aria)["longsword"]
    assert (sword.attack, sword.damage, sword.assumed) == (7, "1d8+4 slashing", ("attack", "damage"))
    assert {"ac", "hp", "abilities", "saves"} <= set(aria.creature.assumed)
    assert aria.entry.player == "Jo"
    assert borin.creature.classes == "cleric 5", "the level of the row above"
    flame = features(borin)["sacred-flame"]
    assert (flame.damage, flame.dc, flame.save) == ("2d8 radiant", 15, "dex")
    assert dict(borin.creature.slots) == {"1": 4, "2": 3, "3": 2}


@pytest.mark.parametrize(
    ("classes", "ac", "weapon", "damage", "magical"),
    [
        ("fighter 4", 18, "longsword", "1d8+4 slashing", False),
        ("fighter 9", 20, "longsword", "1d8+6 slashing", True),
        ("fighter 17", 20, "longsword", "1d8+8 slashing", True),
        ("rogue 1", 15, "rapier", "1d8+3 piercing", False),
        ("rogue 11", 17, "rapier", "1d8+7 piercing", True),
    ],
)
def test_armour_and_weapons_improve_with_the_level(classes, ac, weapon, damage, magical):
    (row,) = read(PartyRow("Aria", classes=classes))
    held = features(row)[weapon]
    assert (row.creature.ac, held.damage, "magical" in held.properties) == (ac, damage, magical)


def test_a_bare_name_has_the_usual_class_and_the_level_above():
    found = read(PartyRow("Aria", classes="7"), PartyRow("Bo"))
    assert [row.creature.classes for row in found] == ["fighter 7", "fighter 7"]


def test_typed_numbers_are_not_assumed():
    (row,) = read(PartyRow("Aria", "", "fighter 5", "19", "50", "3", "14", "longsword +9, handaxe"))
    assert (row.creature.ac, row.creature.hp, row.creature.initiative) == (19, 50, 3)
    assert dict(row.creature.passives) == {"perception": 14}
    assert not {"ac", "hp", "initiative", "passives"} & set(row.creature.assumed)
    assert (features(row)["longsword"].attack, features(row)["longsword"].assumed) == (9, ("damage",))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("shortbow +8 1d6+5 piercing", {"attack": 8, "damage": "1d6+5 piercing", "range": "80/320", "assumed": ()}),
        ("long claw +6 2d4+3 slashing reach 10", {"attack": 6, "damage": "2d4+3 slashing", "reach": 10}),
        ("bolas +5 1d4 bludgeoning 20/60", {"attack": 5, "range": "20/60", "reach": 0}),
        ("acid spit dc 13 dex half 3d6 acid", {"dc": 13, "save": "dex", "half": True, "damage": "3d6 acid"}),
        ("fireball dc 16", {"dc": 16, "save": "dex", "half": True, "damage": "8d6 fire", "assumed": ("damage",)}),
        ("claw +5 1d6 slashing plus 1d4 fire", {"damage": "1d6 slashing + 1d4 fire"}),
        ("dread gaze dc 14 wisdom", {"dc": 14, "save": "wis", "half": False, "damage": ""}),
    ],
)
def test_attacks_are_read_as_typed(typed, expected):
    (row,) = read(PartyRow("Aria", classes="fighter 5", attacks=typed))
    assert row.unread == ()
    feature = row.creature.features[-1]
    assert {name: getattr(feature, name) for name in expected} == expected


def test_several_attacks_an_action():
    (row,) = read(PartyRow("Aria", classes="rogue 5", attacks="2 x dagger, rapier"))
    assert row.creature.attacks == 2
    assert {"dagger", "rapier"} <= features(row).keys()


def test_words_that_are_not_understood_are_named_and_names_kept():
    (row,) = read(PartyRow("Aria", classes="artificer 3", ac="x", attacks="hexbolt, bow 80/320, club +3 1d4 spicy"))
    assert row.unread == (
        ("artificer", "class"),
        ("x", "number"),
        ("Hexbolt", "attack"),
        ("Bow", "attack"),
        ("spicy", "damage"),
    )
    assert (features(row)["hexbolt"].name, features(row)["club"].damage) == ("Hexbolt", "1d4")
    assert all(f"ui.party-table.not-{why}" in WORDS for _, why in row.unread)


def test_several_classes_add_up_and_the_first_has_the_numbers():
    (row,) = read(PartyRow("Aria", classes="fighter 3 rogue 2"))
    assert (row.creature.level, dict(row.creature.saves)["str"]) == (5, 6 + 1)
    assert {"second-wind", "sneak-attack"} <= features(row).keys()


def test_a_party_has_companions_guests_and_numbered_names():
    rows = (PartyRow("Dol", classes="ranger 4"), PartyRow(), PartyRow("Dol"))
    wolf = PartyRow("Moss", classes="wolf", role="companion", owner=0)
    guest = PartyRow("Old Pike", hp="9", ac="12", attacks="club", role="guest")
    party = reader(find=lambda name: creature("wolf", hp=11) if name == "wolf" else None).party(
        (*rows, wolf, guest), "us", "Us"
    )
    assert [each.name for each in party.creatures] == ["Dol", "Dol 2", "Moss", "Old Pike"]
    session = Session(Encounter([Scene(system="dnd5e")]), dnd5e())
    session.do(BringParty(party))
    lookup = session.encounter
    roles = [role_of(lookup, entry) for entry in lookup.all(RosterEntry)]
    assert roles == ["character", "character", "companion", "guest"]
    assert lookup.need(RosterEntry, "moss").controller == "dol"
    assert (lookup.need(Creature, "moss").hp, lookup.need(Creature, "old-pike").hp) == (11, 9)
    assert all(is_character(lookup, lookup.need(RosterEntry, id)) for id in ("dol", "dol-2"))


def test_pathfinder_ranks_grow_with_the_level():
    rules = pf2e()
    fighter, wizard = read(
        PartyRow("Aria", classes="fighter 5"), PartyRow("Cass", classes="wizard", attacks="electric arc"), rules=rules
    )
    assert features(fighter)["longsword"].attack == 5 + 6 + 4 + 1, "level, master, Strength, potency"
    assert features(fighter)["longsword"].damage == "2d8+4 slashing"
    assert (fighter.creature.ac, fighter.creature.hp) == (16 + 5 + 2 + 1, 8 + 5 * (10 + 3))
    assert dict(fighter.creature.saves) == {"con": 5 + 4 + 3, "dex": 5 + 4 + 3, "wis": 5 + 4 + 2}
    assert (fighter.creature.rating, fighter.assumed[-1]) == ("5", "saves Fort +12, Ref +12, Will +11")
    arc = features(wizard)["electric-arc"]
    assert (arc.dc, arc.damage, arc.level) == (10 + 5 + 2 + 4, "4d4 electricity", 0)
    best, sage = read(PartyRow("Aria", classes="fighter 20"), PartyRow("Cass", classes="wizard 20"), rules=rules)
    assert features(best)["longsword"].attack == 20 + 8 + 7 + 3, "the most that the game allows"
    assert features(sage)["electric-arc"].dc == 10 + 20 + 8 + 7
    monk = read(PartyRow("Dol", classes="monk 1"), rules=rules)[0]
    assert (features(monk)["powerful-fist"].attack, features(monk)["powerful-fist"].damage) == (
        1 + 2 + 4,
        "1d6+2 bludgeoning",
    )
    typed = read(PartyRow("Bo", classes="cleric 3", attacks="roar dc 18 reflex basic 3d6 fire"), rules=rules)[0]
    assert (features(typed)["roar"].save, features(typed)["roar"].half) == ("dex", True)


def test_a_game_without_presets_takes_what_is_typed():
    (row,) = read(PartyRow("Ann", "Kim", "3", "14", "20", attacks="axe +3"), rules=action_points())
    assert (row.creature.level, row.creature.ac, row.creature.hp, row.count) == (3, 14, 20, 0)
    assert features(row)["axe"].attack == 3


@pytest.mark.parametrize("game", [dnd5e, a5e, pf2e])
def test_every_class_has_numbers_at_every_level(game):
    rules = game()
    classes = character_rules(rules.data).features.classes
    assert {each.id for each in rules.data.presets.classes} == {id for id, each in classes.items() if each.hit_die}
    before: dict[str, int] = {}
    for level in range(1, 21):
        for row in reader(rules).read(
            [PartyRow("A", classes=f"{id} {level}") for id in classes if classes[id].hit_die]
        ):
            name = row.creature.classes.split()[0]
            assert row.unread == (), (name, level)
            best = max(each.attack or each.dc - 8 for each in row.creature.features if each.attack or each.dc)
            assert best >= before.get(name, 0), (name, level)
            before[name] = best


def test_headings_of_a_pasted_table_are_recognised():
    text = "Player\tCharacter\tClass\tLevel\tHit points\tArmor Class\nJo\tAria\tfighter\t5\t44\t18\nSam\tBo\tcleric\t5\t\t\n"
    aria, bo = pasted_rows(text)
    assert aria == PartyRow("Aria", "Jo", "fighter 5", "18", "44")
    assert (bo.name, bo.classes, bo.hp) == ("Bo", "cleric 5", "")
    assert pasted_rows("Aria\tJo\tfighter 5\n") == (PartyRow("Aria", "Jo", "fighter 5"),)
    assert pasted_rows(" \n") == ()


# Forecasts --------------------------------------------------------------------------------------------------------


def won(party: Party, foes, fights: int):
    files = {id: resource_path("library") / "dnd5e" / "srd" / f"{id}.toml" for id, _ in foes}
    blocks = [record for file in files.values() if isinstance(record := read_library_file(file)[0], Creature)]
    roster = [msgspec.structs.replace(entry, positions=(), outside=(), place="") for entry in party.roster]
    enemies = [RosterEntry(id, block.id, count=count) for (id, count), block in zip(foes, blocks, strict=True)]
    encounter = Encounter([Scene(system="dnd5e"), *party.creatures, *blocks, *roster, *enemies])
    return run_forecast(encounter, dnd5e(), fights, seed=1)


def differences(fights: int) -> list[float]:
    party, sample = reader().party(FOUR, "us", "Us"), sample_party("dnd5e")
    assert sample is not None
    both = [[won(each, foes, fights).outlook.won.value for foes in FOES] for each in (party, sample)]
    return [abs(one - other) for one, other in zip(*both, strict=True)]


def test_characters_from_presets_fare_like_those_written_by_hand():
    assert max(differences(300)) <= 0.12


@pytest.mark.soak
def test_characters_from_presets_fare_like_those_written_by_hand_in_many_fights():
    assert max(differences(2000)) <= 0.09  # a healing word leaves the others only a cantrip on that turn


def test_the_forecast_names_assumptions_and_characters_without_an_attack():
    party = reader().party((*FOUR[:3], PartyRow("Cass", classes="wizard 5", attacks="hexbolt")), "us", "Us")
    forecast = won(party, FOES[0], 20)
    notes = {(note.list, note.subject): note for note in forecast.outlook.notes if not note.item}
    assert notes["assumed", "aria"].params == (("classes", "fighter 5"),)
    assert notes["left-out", "cass"].reason == "forecast.note.idle"
    sentence = summary(forecast.encounter, forecast.outlook)[0]
    text = WORDS(sentence.key, **dict(sentence.params))
    assert text == "Cass does nothing in these fights: the forecast counts 3 of 4 characters."


# Existing members -------------------------------------------------------------------------------------------------


def raised(party: Party, *, rules=None, **cells: str) -> tuple[ReadRow, Party]:
    """Return the first row of a party with all levels raised, and the changed party."""
    own = reader(rules)
    rows = [msgspec.structs.replace(row, classes=PartyReader.raised(row.classes)) for row in own.rows_of(party)]
    rows[0] = msgspec.structs.replace(rows[0], **cells)
    return own.read(rows)[0], own.changed(party, rows)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("fighter 5", "fighter 6"),
        ("fighter 3 rogue 2", "fighter 4 rogue 2"),
        ("4", "5"),
        ("", ""),
    ],
)
def test_the_first_class_rises(before, after):
    assert PartyReader.raised(before) == after


@for_each("rules", [dnd5e, pf2e, a5e])
@for_each("level", [1, 4, 10])
def test_an_untouched_party_rises_to_the_usual_numbers(rules, level):
    rows = (*FOUR, PartyRow("Ed", classes="barbarian"), PartyRow("Fay", classes="ranger"))
    rows = tuple(
        msgspec.structs.replace(row, classes=f"{row.classes.split()[0]} {level}") for row in rows if row.classes
    )
    above = tuple(msgspec.structs.replace(row, classes=f"{row.classes.split()[0]} {level + 1}") for row in rows)
    own = reader(rules())
    before, expected = own.party(rows, "p", "P"), own.party(above, "p", "P")
    _, after = raised(before, rules=rules())
    for one, other in zip(after.creatures, expected.creatures, strict=True):
        features = {f.id: f for f in one.features}, {f.id: f for f in other.features}
        assert features[0] == features[1]
        plain = [
            msgspec.structs.replace(block, features=(), attacks=1, assumed=tuple(sorted(block.assumed)))
            for block in (one, other)
        ]
        assert plain[0] == plain[1]


def test_typed_numbers_stay_and_are_named_and_gained_hit_points_are_added():
    typed = PartyRow("Aria", "Jo", "fighter 5", "19", "", "", "", "longsword +9, handaxe")
    party = reader().party((typed, PartyRow("Bo", classes="cleric 5")), "p", "P")
    hurt = msgspec.structs.replace(party.roster[0], state=CharacterState(21), notes="Owes a favour", xp_earned=6500)
    party = msgspec.structs.replace(party, roster=(hurt, party.roster[1]), notes="Thursdays")
    row, after = raised(party)
    assert row.kept == (WORDS("ui.party-table.ac"), "Longsword")
    aria, entry = after.creatures[0], after.roster[0]
    assert (party.creatures[0].hp, aria.hp, entry.state) == (44, 52, CharacterState(29))
    assert (aria.ac, aria.level, aria.classes) == (19, 6, "fighter 6")
    assert (entry.notes, entry.xp_earned, entry.player, after.notes) == ("Owes a favour", 6500, "Jo", "Thursdays")
    sword = {feature.id: feature for feature in aria.features}["longsword"]
    assert (sword.attack, sword.assumed) == (9, ("damage",))


def test_cells_of_an_existing_member_change_only_what_differs():
    party = sample_party("dnd5e")
    own = reader()
    rows = own.rows_of(party)
    assert own.changed(party, rows) == party
    rows = (msgspec.structs.replace(rows[0], name="Zed", player="Kim", ac="21", hp="3x"), *rows[1:])
    after = own.changed(party, rows)
    assert after.roster[1:] == party.roster[1:]
    lookup = Encounter((*after.creatures, *after.roster))
    assert (entry_name(lookup, after.roster[0]), after.roster[0].player) == ("Zed", "Kim")
    assert own.rows_of(after)[0].ac == "21"
    assert own.read(rows)[0].unread == (("3x", "number"),)


@pytest.mark.parametrize("text", ["artificer 6", "6"])
def test_without_a_class_of_the_game_only_the_level_changes(text):
    block = creature("cass", ac=15, hp=20, level=5, classes="artificer 5" if " " in text else "")
    party = Party("p", "P", (block,), (RosterEntry("cass", "cass", side="party", level=5),))
    own = reader()
    after = own.changed(party, (msgspec.structs.replace(own.rows_of(party)[0], classes=text),))
    changed = msgspec.structs.replace(block, level=6, classes=text if " " in text else "")
    assert (after.creatures[0], after.roster[0].level) == (changed, 6)
