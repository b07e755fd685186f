"""Two fights that differ only in one more creature that is hidden: their courses look the same to players, not only their states."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import a5e
from turnwright.encounter.floors import stacked
from turnwright.encounter.prepared import Creature, Map, MapFloor, Scene
from turnwright.encounter.running import Clock, Combatant, Fog, Slot
from turnwright.encounter.state import Encounter, Record, clock_of, slot_sort_key
from turnwright.phones.server import Broadcast
from turnwright.players import map_view
from turnwright.players import presenter as presenter_module
from turnwright.players.presenter import Presenter
from turnwright.players.secrets import Showing
from turnwright.players.view import PlayersView, ViewMode

SECONDS = 6
HALL = Map(columns=6, rows=4)
HOUSE = stacked(((MapFloor("hall"), HALL), (MapFloor("cellar"), HALL)))
SEEN = "+++...\n" * 4


def fight(random: Random) -> list[Record]:
    """Return a fight on a map, of which the right half is under the fog; all that players see are on the left."""
    people = [
        Combatant(
            f"c{place}", "one", f"Goblin {place}", "party" if place == 0 else "enemies", hp=9, hp_max=9,
            position=(random.randrange(3), random.randrange(4)),
        )
        for place in range(random.randrange(1, 5))
    ]  # fmt: skip
    slots = [Slot(f"s{place}", 2 * random.randrange(20), (one.id,), (place,)) for place, one in enumerate(people)]
    return [Scene(round_seconds=SECONDS), Creature("one", "One"), HALL, Fog(squares=SEEN), *people, *slots]


def with_another(records: list[Record], random: Random) -> list[Record]:
    """Return the fight with one more creature: hidden, always under the fog, or on another floor without fog."""
    is_hidden, is_below = random.random() < 0.5, random.random() < 0.3
    other = Combatant(
        "other", "one", "Goblin 9", "enemies", hp=9, hp_max=9, hidden=is_hidden and not is_below,
        position=(random.randrange(3, 6), 6 if is_below else 1),
    )  # fmt: skip
    found: list[Record] = [*records, Slot("s-other", 2 * random.randrange(-1, 21) + 1, ("other",))]
    if is_below:
        found = [HOUSE if one is HALL else one for one in found]
        found = [Fog(squares=f"{SEEN}\n" + "++++++\n" * 4) if isinstance(one, Fog) else one for one in found]
    found.insert(random.randrange(len(records)), other)
    return found


class Course(NamedTuple):
    """What changes over a fight: the page, who falls in its own turn, and whether the order changes each round."""

    mode: ViewMode
    dying: str
    seed: int
    rerolls: bool


def slots_of(records: list[Record], course: Course, current: int) -> list[Slot]:
    """Return the slots of a round."""
    slots = [one for one in records if isinstance(one, Slot)]
    if not course.rerolls:
        return slots
    rolls = {one.id: Random(f"{course.seed} {current} {one.id}").randrange(20) for one in slots}
    return [msgspec.structs.replace(one, count=2 * rolls[one.id] + one.count % 2) for one in slots]


def seen_in(records: list[Record], course: Course) -> list[tuple[int, PlayersView, int, bytes]]:
    """Play eight rounds. Return each change of the screen, its time in turns that players see, and what phones get."""
    presenter, phones, found, time = Presenter(lambda: 0.0), Broadcast(), [], 0
    presenter.change(mode=course.mode, ruler=((0, 0), (course.seed % 6, 1)))  # often to a square under the fog
    dead: set[str] = set()
    for current in range(1, 9):
        slots = slots_of(records, course, current)
        for slot in sorted(slots, key=slot_sort_key):
            if slot.members[0] in dead:
                continue
            if slot.members[0] == course.dying and current >= 4:
                dead.add(course.dying)
            people = [
                msgspec.structs.replace(one, hp=0, dead=True) if one.id in dead else one
                for one in records
                if isinstance(one, Combatant)
            ]
            clock = Clock(phase="rounds", round=current, active=slot.id, elapsed_seconds=SECONDS * (current - 1))
            rest = [one for one in records if not isinstance(one, Combatant | Slot)]
            encounter = Encounter([*rest, *people, *slots, clock])
            time += slot.id != "s-other"
            seen = map_view.without_unseen(encounter, a5e(), presenter.showing)
            presenter.mark(seen)
            assert presenter.follow(seen, stepped=False)
            presenter.showing = map_view.with_map_origin(seen, presenter.showing)
            presenter.show(map_view.players_view(encounter, a5e(), presenter.showing))
            phones.publish(presenter.view, lambda key, **params: f"{key} {params}")
            if not found or found[-1][1] != presenter.view:
                found.append((max(1, time), presenter.view, phones.published.serial, phones.published.message))
    return found


def differs(seed: int) -> bool:
    """Return whether players can tell the fights of a pair apart by their courses."""
    random = Random(seed)
    records, mode, dying = fight(random), random.choice(("order", "map")), random.choice(("", "c1", "c2"))
    course = Course(mode, dying, seed, random.random() < 0.4)
    return seen_in(records, course) != seen_in(with_another(records, random), course)


@for_each("seed", range(40))
def test_a_hidden_creature_changes_no_course(seed: int) -> None:
    assert not differs(seed)


@pytest.mark.soak
def test_a_hidden_creature_changes_none_of_two_thousand_courses() -> None:
    assert [seed for seed in range(2000) if differs(seed)] == []


def nobody_acts(encounter: Encounter, showing: Showing) -> tuple[list[Combatant], int | None, int, int]:
    """Return the visible ones without a mark while a hidden one acts."""
    members, actor, current, elapsed = ACTING(encounter, showing)
    slot = encounter.need(Slot, clock_of(encounter).active)
    is_seen = any(not encounter.need(Combatant, who).hidden for who in slot.members)
    return members, actor if is_seen else None, current, elapsed


ACTING = map_view.visible_members
LEAKS = {
    "floors": (map_view, "floor_at", lambda battle_map, _row: battle_map.floors[0]),
    "fog": (map_view, "without_unseen", lambda encounter, _rules, _showing: encounter),
    "nobody acts": (map_view, "visible_members", nobody_acts),
    "who acted last": (presenter_module, "with_marker", lambda _encounter, showing: showing),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_put_back_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    assert any(differs(seed) for seed in range(60))
