"""Who is a player character: decided in one place, and the same for everything that asks."""

from __future__ import annotations

from random import Random

import pytest

from tests.for_each import for_each
from tests.games import GAMES
from tests.handouts.sample_pages import data_of, fight
from tests.table import action_points, creature, dnd5e, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Role, RosterEntry, Scene
from turnwright.encounter.roles import characters, is_character, party_sides, role_of
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.forecast.sheet import FighterRow
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.handouts.kinds.party_sheet import KIND as PARTY_SHEET
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.report.fight_report import fight_report
from turnwright.rules.parts.damage.damage_steps import makes_saves
from turnwright.rules.parts.positions.sight import watchers
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.parties import party_members
from turnwright.workspace.fight_forecast import begun_copy, obstacle_to_forecast

HERO, TAGGED, BUILT = creature("hero"), creature("tagged", tags=("player character",)), creature("built", level=3)
GUARD = creature("guard", level=3, rating="3")
BLOCKS = (HERO, TAGGED, BUILT, GUARD)
ANN = RosterEntry("ann", "hero", side="party", player="Kim")


@for_each(
    ("entry", "role"),
    [
        (RosterEntry("x", "hero", side="party", player="Jo"), "character"),
        (RosterEntry("x", "hero", side="heroes", player="Jo"), "character"),
        (RosterEntry("x", "hero", side="party", level=4), "character"),
        (RosterEntry("x", "tagged", side="party"), "character"),
        (RosterEntry("x", "built", side="party"), "guest"),
        (RosterEntry("x", "guard", side="party"), "guest"),
        (RosterEntry("x", "hero", side="party"), "guest"),
        (RosterEntry("x", "hero", side="party", controller="ann"), "companion"),
        (RosterEntry("x", "hero", side="party", controller="x"), "guest"),
        (RosterEntry("x", "hero"), "other"),
        (RosterEntry("x", "hero", level=4), "other"),
        (RosterEntry("x", "guard"), "other"),
        (RosterEntry("x", "hero", side="party", player="Jo", role="guest"), "guest"),
        (RosterEntry("x", "hero", side="party", level=4, role="companion"), "companion"),
        (RosterEntry("x", "guard", side="party", role="character"), "character"),
    ],
    ids=str,
)
def test_a_role_follows_from_what_an_entry_says(entry: RosterEntry, role: Role) -> None:
    encounter = Encounter([Scene(), *BLOCKS, ANN, entry])
    assert role_of(encounter, entry) == role
    session = Session(Encounter([Scene(system="dnd5e"), *BLOCKS, ANN, entry]), dnd5e())
    session.do(StartEncounter())
    assert session.encounter.need(Combatant, "x").role == role


@for_each(
    ("rules", "role", "saves"),
    [
        (dnd5e(), "character", True),
        (dnd5e(), "companion", False),
        (dnd5e(), "guest", False),
        (pf2e(), "character", True),
        (pf2e(), "companion", True),
        (pf2e(), "guest", False),
        (pf2e(), "other", False),
        (action_points(), "character", True),
        (action_points(), "guest", False),
    ],
)
def test_at_0_hit_points_the_role_decides(rules: RuleSystem, role: Role, saves: bool) -> None:
    session = Session(Encounter([Scene(system=rules.id), HERO, RosterEntry("x", "hero", role=role)]), rules)
    session.do(StartEncounter())
    assert makes_saves(session.encounter, rules, "x") == saves


def test_a_mount_belongs_to_the_character_that_rides_it() -> None:
    horse = RosterEntry("horse", "guard", side="party")
    riding = RosterEntry("ann", "hero", side="party", player="Kim", rides="horse")
    assert role_of(Encounter([*BLOCKS, horse, riding]), horse) == "companion"
    assert role_of(Encounter([*BLOCKS, horse, ANN]), horse) == "guest"


def test_everybody_shares_the_sight_of_characters_and_companions_and_of_guests_only_without_a_character() -> None:
    guest, wolf = RosterEntry("guest", "hero", side="party"), RosterEntry("wolf", "hero", controller="ann")
    for entries, seeing in (((ANN, guest, wolf), ("ann", "wolf")), ((guest,), ("guest",))):
        session = Session(Encounter([Scene(system="dnd5e"), *BLOCKS, *entries]), dnd5e())
        session.do(StartEncounter())
        assert watchers(session.encounter) == seeing


def _roster(random: Random) -> list[RosterEntry]:
    """A roster of one to eight entries that say who is a character in any of the ways."""
    ids = [f"r{number}" for number in range(random.randint(1, 8))]
    return [
        RosterEntry(
            id,
            random.choice(BLOCKS).id,
            side=random.choice(("party", "party", "enemies", "heroes")),
            player=random.choice(("", "", "Kim")),
            level=random.choice((0, 0, 3)),
            controller=random.choice(("", "", *ids)),
            role=random.choice(("", "", "", "character", "companion", "guest", "other")),
            absent=random.random() < 0.1,
        )
        for id in ids
    ]


@pytest.mark.parametrize("system", GAMES)
def test_everything_agrees_on_who_is_in_the_party(system: str) -> None:
    random, rules = Random(system), RuleSystems().get(system)
    for _ in range(50):
        entries = _roster(random)
        prepared = Encounter([Scene(system=system), *BLOCKS, *entries])
        ours = {entry.id for entry in characters(prepared)}
        sides = party_sides(prepared)
        assert {entry.id for entry in party_members(prepared)} == {each.id for each in entries if each.side in sides}
        assert (obstacle_to_forecast(prepared) == "no-party") == (not ours)
        budget = encounter_budget(prepared, rules)
        assert budget is None or budget.size == len(ours)
        page = data_of(PARTY_SHEET, fight(*prepared.all(Scene), *BLOCKS, *entries))
        assert (page is None) == (not ours)
        session = Session(prepared, rules)
        session.do(StartEncounter())
        begun = session.encounter
        assert {each.id for each in begun.all(Combatant) if is_character(begun, each)} == ours
        assert all(makes_saves(begun, rules, id) for id in ours)
        assert ours <= set(watchers(begun))
        assert {each.roster for each in begun.all(Combatant)} == {each.id for each in entries if not each.absent}
        allies = {each.label for each in begun.all(Combatant) if each.side in sides}
        assert {row.label for row in fight_report(begun, ()).combatants if row.party} == allies
        if obstacle_to_forecast(prepared) == "":
            copy = begun_copy(prepared, rules)
            sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
            rows = zip(legend.combatants, sheet.combatants[:, FighterRow.party], strict=True)
            assert {id for id, party in rows if party} == ours
