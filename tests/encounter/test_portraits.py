"""Portraits: whose picture is shown, and which files an encounter names."""

from __future__ import annotations

from turnwright.encounter.portraits import portrait_of, portraits_in
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Encounter

GOBLIN = Creature("goblin", "Goblin", portrait="goblin.png")
CHIEF = RosterEntry("chief", "goblin", name="Grub", portrait="grub.png")
PLAIN = RosterEntry("band", "goblin", count=2)
OWN = Combatant("band-1", "goblin", "Goblin 1", "enemies", roster="band", portrait="scar.png")
OTHER = Combatant("band-2", "goblin", "Goblin 2", "enemies", roster="band")
GRUB = Combatant("chief", "goblin", "Grub", "enemies", roster="chief")
GUEST = GuestCreature("owl", "Owl", portrait="owl.png")
FLOWN_IN = Combatant("owl", "owl", "Owl", "party")
ALL = Encounter([GOBLIN, CHIEF, PLAIN, OWN, OTHER, GRUB, GUEST, FLOWN_IN])


def test_the_nearest_portrait_is_shown():
    records = (OWN, OTHER, GRUB, FLOWN_IN, CHIEF, PLAIN, GOBLIN, None)
    shown = [portrait_of(ALL, one) for one in records]
    assert shown == ["scar.png", "goblin.png", "grub.png", "owl.png", "grub.png", "goblin.png", "goblin.png", ""]


def test_all_portraits_of_an_encounter_are_named_once():
    assert sorted(portraits_in(ALL)) == [
        ("combatants", "band-1", "scar.png"),
        ("creatures", "goblin", "goblin.png"),
        ("guest_creatures", "owl", "owl.png"),
        ("roster", "chief", "grub.png"),
    ]
