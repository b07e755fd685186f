"""Lines of a stat block's head, as text and as lists that were split on commas blindly."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from turnwright.importers.statblock_text import header_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Large aberration, lawful evil", ("large", "aberration", (), "lawful evil", "")),
        ("Medium humanoid (human, shapechanger), neutral evil", ("medium", "humanoid", ("human", "shapechanger"), "neutral evil", "")),
        ("Medium swarm of Tiny beasts, unaligned", ("medium", "beast", ("swarm",), "unaligned", "swarm of Tiny beasts")),
        ("Huge giant, neutral good (50%) or neutral evil (50%)", ("huge", "giant", (), "neutral good (50%) or neutral evil (50%)", "")),
        ("Medium or Small Humanoid (any race), any non-good alignment", ("medium", "humanoid", ("any race",), "any non-good alignment", "")),
        ("Human Fighter", ("", "human fighter", (), "", "")),
        ("", ("", "", (), "", "")),
    ],
)  # fmt: skip
def test_the_line_of_type_size_and_alignment(text: str, expected: tuple[object, ...]) -> None:
    assert tuple(header_lines.type_line(text))[:5] == expected


@for_each(
    ("value", "figures", "hovers", "rest"),
    [
        ("30 ft., climb 20 ft.", {"walk": 30, "climb": 20}, False, ""),
        (["10 ft.", "swim 40 ft."], {"walk": 10, "swim": 40}, False, ""),
        (["30 ft. (40 ft.", "climb 30 ft. in bear or hybrid form)"], {"walk": 30}, False, "40 ft., climb 30 ft. in bear or hybrid form"),
        ("0 ft., fly 50 ft. (hover)", {"walk": 0, "fly": 50}, True, ""),
        (["fly 50 ft. It can hover."], {"fly": 50}, True, ""),
        ("swim 40 ft.", {"swim": 40}, False, ""),
        ("Speed 30 feet, Fly Speed 60 feet", {"walk": 30, "fly": 60}, False, ""),
        ("30 ft., as the wind goes", {"walk": 30}, False, "as the wind goes"),
        ([], {}, False, ""),
    ],
)  # fmt: skip
def test_speeds(value: object, figures: dict[str, int], hovers: bool, rest: str) -> None:
    found = header_lines.speeds(value)
    assert (dict(found.distances), found.hovers, found.rest) == (figures, hovers, rest)


@pytest.mark.parametrize(
    ("value", "figures", "passives", "rest"),
    [
        ("darkvision 60 ft., passive Perception 10", {"darkvision": 60}, {"perception": 10}, ""),
        (["blindsight 60 ft. (blind beyond this radius)"], {"blindsight": 60}, {}, "(blind beyond this radius)"),
        (["darkvision 120 ft.", "truesight 30 ft."], {"darkvision": 120, "truesight": 30}, {}, ""),
        ("passive Perception 8", {}, {"perception": 8}, ""),
        ("", {}, {}, ""),
    ],
)
def test_senses(value: object, figures: dict[str, int], passives: dict[str, int], rest: str) -> None:
    found = header_lines.senses(value)
    assert (dict(found.distances), dict(found.passives), found.rest) == (figures, passives, rest)


def test_skills_and_saves_by_name() -> None:
    assert header_lines.skills("Perception +4, Sleight of Hand +6, Juggling +9") == (
        (("perception", 4), ("sleight-of-hand", 6)),
        "Juggling +9",
    )
    assert header_lines.saves("Con +6, Dexterity \N{MINUS SIGN}1, all +2").bonuses == (("con", 6), ("dex", -1))


NONMAGICAL = "bludgeoning, piercing, and slashing from nonmagical weapons"


@for_each(
    ("value", "kinds", "mundane", "clauses"),
    [
        ("cold, fire", ("cold", "fire"), False, ()),
        (f"lightning, thunder; {NONMAGICAL}", ("lightning", "thunder"), True, (NONMAGICAL,)),
        (["acid", "bludgeoning", "piercing", "and slashing from nonmagical weapons"], ("acid",), True, (NONMAGICAL,)),
        (f"{NONMAGICAL} that aren't silvered", (), True, (f"{NONMAGICAL} that aren't silvered",)),
        (f"{NONMAGICAL} in the dark", (), False, (f"{NONMAGICAL} in the dark",)),
        ("bludgeoning, piercing, and slashing", ("bludgeoning", "piercing", "slashing"), False, ()),
        ("damage from spells; cold", ("cold",), False, ("damage from spells",)),
        ("Poison Damage and Fire", ("poison", "fire"), False, ()),
        ([], (), False, ()),
        ("\N{EM DASH}", (), False, ()),
    ],
)
def test_damage_types_and_clauses(
    value: object, kinds: tuple[str, ...], mundane: bool, clauses: tuple[str, ...]
) -> None:
    assert tuple(header_lines.damage_types(value))[:3] == (kinds, mundane, clauses)


THREE = "bludgeoning, piercing, and slashing"


@for_each(
    ("text", "excepted"),
    [
        (f"{THREE} from nonmagical weapons", ()),
        (f"{THREE} from nonmagical weapons that aren't silvered", ("silvered",)),
        (f"{THREE} from nonmagical attacks that aren’t adamantine", ("adamantine",)),
        (f"{THREE} from nonmagical attacks not made with silvered or adamantine weapons", ("silvered", "adamantine")),
        (f"{THREE} from nonmagical attacks that aren't made with cold iron", ("cold-iron",)),
        (f"{THREE} from nonmagical/nonsilver weapons", ("silvered",)),
        ("damage from nonmagical, non-adamantine weapons", ("adamantine",)),
        (f"{THREE} from attacks not made with silvered weapons", None),  # magic is no help
        ("bludgeoning and slashing from nonmagical weapons", None),
        (f"{THREE} from nonmagical silvered weapons", None),
    ],
)
def test_nonmagical_weapons_and_materials_that_are_excepted(text: str, excepted: tuple[str, ...] | None) -> None:
    assert header_lines.damage_types(text).weapons == excepted


def test_conditions() -> None:
    assert header_lines.condition_list(["charmed", "Prone"]).kinds == ("charmed", "prone")
    assert header_lines.condition_list("charmed, frightened").kinds == ("charmed", "frightened")
    assert header_lines.condition_list("restrained (by webs alone)").clauses == ("restrained (by webs alone)",)


def test_how_many_legendary_actions() -> None:
    assert header_lines.legendary_count("The aboleth can take 2 legendary actions, choosing from those below.") == 2
    assert header_lines.legendary_count("The dragon can take three legendary actions") == 3
    assert header_lines.legendary_count("Legendary Action Uses: 4 (5 in Lair)") == 4
    assert header_lines.legendary_count("Legendary Resistance") == 0


def test_what_spells_are_cast_with() -> None:
    text = "Its spellcasting ability is Intelligence (spell save DC 14). 1st level (4 slots): shield. 2nd level (3 slots): web"
    assert header_lines.spellcasting_in(text) == "int"
    assert header_lines.spellcasting_and_slots([text])[1] == (("1", 4), ("2", 3))
