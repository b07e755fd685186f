"""Hazards that have no hit points at all: they act, and no damage stops them."""

from __future__ import annotations

from tests.systems.pf2e.encounters import Encounter
from tests.table import creature
from turnwright.encounter.prepared import Feature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.queries.queries import hit_point_state


def haunted(**fields: object) -> Encounter:
    """A haunt that nothing can hurt, and Tor."""
    wail = Feature("wail", "Wail", "action", save="wis", dc=20, damage="1d6 mental", half=True)
    haunt = creature(
        "haunt", **({"hp": 0, "tags": ("hazard",), "features": (wail,), "pools": (("action", 1),)} | fields)
    )
    table = Encounter(haunt, "tor", foes=("haunt",))
    table.start(haunt=20, tor=10)
    return table


def test_a_hazard_without_health_has_its_turn_and_its_actions() -> None:
    table = haunted()
    assert (table.active, table.track("haunt", "action")) == ("haunt", 1)
    assert hit_point_state(table.one("haunt")) == "up"


def test_damage_does_not_stop_a_hazard_without_health() -> None:
    table = haunted()
    table.does(ApplyDamage(("haunt",), "30 fire"))
    assert (table.one("haunt").dead, table.effects("haunt"), table.one("haunt").hp) == (False, set(), 0)


def test_damage_stops_a_hazard_that_has_health() -> None:
    table = haunted(hp=12)
    table.does(ApplyDamage(("haunt",), "30 fire"))
    assert table.effects("haunt") == {"disabled"}
